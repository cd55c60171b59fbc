/**
 * Where a client meets the reference: in this process on a virtual clock, or over a socket in real time. Every scenario
 * is written once and gets either of them, so that the two ways in can't drift apart.
 */
import { onTestFinished, vi } from 'vitest';
import type { DocumentedOperationId } from '../../../schemas/operations.ts';
import { realClock } from '../../clock.ts';
import type { ReferenceOptions } from '../../options.ts';
import { type Outgoing, type Rules, specRules } from '../../rules.ts';
import { serve } from '../../server.ts';
import { BROKE_KEY, harness, KEY } from '../../testing/harness.ts';
import { createFetch, type Fetch } from './fetch.ts';

export interface Place {
  /** Without `/v1`. */
  readonly url: string;
  /** For clients that take a fetch function; none over a socket, where they use their own. */
  readonly fetch?: Fetch;
  /** Every response so far, refusals by a limit included, except those to unauthenticated requests. */
  readonly answered: readonly Outgoing[];
  /** Milliseconds on the clock of the service. */
  now(): number;
}

/** A fresh service for the running test, taken down with it. */
export type Open = (overrides?: Partial<ReferenceOptions>) => Promise<Place>;

function recording(answered: Outgoing[]): Rules {
  const outgoing: Rules['outgoing'] = (reply, about) => {
    answered.push(about);
    return reply;
  };
  return { ...specRules, outgoing };
}

/** How often an operation was answered. */
export function countOf(place: Place, id: DocumentedOperationId): number {
  return place.answered.filter((one) => one.id === id).length;
}

export const overSocket: Open = async (overrides = {}) => {
  const answered: Outgoing[] = [];
  const keys = { accessKeys: [KEY], brokeKeys: [BROKE_KEY] };
  const served = await serve({ ...keys, rules: recording(answered), ...overrides });
  onTestFinished(() => served.close());
  return { url: served.url, answered, now: () => realClock.now() };
};

/** Through a fetch function. The global one is closed during it: nothing may leave this process. */
export const throughFetch: Open = async (overrides = {}) => {
  const answered: Outgoing[] = [];
  const { service, clock } = harness({ rules: recording(answered), ...overrides });
  vi.stubGlobal('fetch', () => Promise.reject(new Error('a client that was given a fetch function used another one')));
  onTestFinished(() => {
    vi.unstubAllGlobals();
    service.close();
  });
  return { url: 'http://reference.invalid', fetch: createFetch(service), answered, now: () => clock.now() };
};

/** In place of the global fetch, for clients that take no other. */
export const asGlobalFetch: Open = async (overrides = {}) => {
  const { fetch, ...place } = await throughFetch(overrides);
  vi.stubGlobal('fetch', fetch);
  return place;
};
