/**
 * Whose requests a limit counts together: it is exhausted for one endpoint, account, address and connection, and kept so,
 * while requests that differ in one of these are sent. Each of them stands between two usual requests, whose refusals
 * show that the limit was still exhausted. Small limits only: k6 has nothing to add to one request at a time.
 */
import * as http from 'node:http';
import * as https from 'node:https';
import { Client } from 'undici';
import type { LedgerEntry } from '../../../../schemas/ledger.ts';
import type { ProbeEnvironment, Sending } from '../../../execute/environment.ts';
import { exchange } from '../../../execute/exchange.ts';
import { begun } from '../../../execute/own-ledger.ts';
import { headersFor, outgoing, userAgentOf } from '../../../execute/requests.ts';
import { pause, type Stopwatch, within } from '../../../execute/stopwatch.ts';
import type { ScopeParameters, ScopeVariant } from '../../../probe.ts';
import { HeldRequest } from '../../concurrency/held/request.ts';

/** The note of a `variant` entry: written by the sender, read by the analysis. Pure. */
export const noteOf = ({ by, name }: ScopeVariant): string => (name === '' ? by : `${by} ${name}`);

const PATIENCE_MS = 10_000;

interface ScopeSender {
  /** On the one connection that all usual requests share, as long as the target keeps it. */
  usual(phase: string): Promise<LedgerEntry>;
  variant(one: ScopeVariant): Promise<LedgerEntry>;
  close(): Promise<void>;
}

function scopeSender(
  { operation }: ScopeParameters,
  sending: Sending,
  { clock, signal, otherKey }: { clock: Stopwatch; signal: AbortSignal; otherKey: string | null },
): ScopeSender {
  const usual = outgoing(sending.addresses, operation);
  const { origin } = new URL(usual.url);
  const client = new Client(origin);
  const common = { clock, signal, timeoutMs: PATIENCE_MS };
  return {
    async usual(phase) {
      return (await exchange(usual, { ...common, phase, sending, dispatcher: client })).entry;
    },
    async variant({ by, name }) {
      const addresses = by === 'endpoint' ? { ...sending.addresses, instId: name } : sending.addresses;
      const method = name === 'GET' || name === 'POST' ? name : undefined;
      const request = outgoing(addresses, operation, by === 'method' ? { method } : {});
      const other = new Client(origin, by === 'address' ? { localAddress: name } : {});
      const sent = { ...sending, addresses, key: by === 'account' ? otherKey : sending.key };
      try {
        const { entry } = await exchange(request, { ...common, phase: 'variant', sending: sent, dispatcher: other });
        return { ...entry, note: noteOf({ by, name }) };
      } finally {
        await other.destroy();
      }
    },
    close: () => client.destroy(),
  };
}

const TOO_MANY_REQUESTS = 429;
const SETTLE_MS = 300;
const ANSWER_PATIENCE_MS = 30_000;

/** Sends the probe and returns its ledger; without an `end` mark when it was aborted. */
export async function sendScope(
  parameters: ScopeParameters,
  sending: Sending,
  env: Pick<ProbeEnvironment, 'signal' | 'progress'> & { readonly otherKey: string | null },
): Promise<string> {
  const all = begun();
  const { clock } = all;
  const sender = scopeSender(parameters, sending, { clock, signal: env.signal, otherKey: env.otherKey });
  const add = (entry: LedgerEntry): LedgerEntry => {
    all.add(entry);
    env.progress(all.all().length);
    return entry;
  };
  const variants = parameters.variants.filter(({ by }) => by !== 'account' || env.otherKey !== null);
  const probe = { parameters, variants, sender, add, room: () => parameters.most - all.all().length };
  const sent = all.during(env.signal, () =>
    parameters.technique === 'spend' ? spend(probe) : hold(probe, sending, clock, env.signal),
  );
  return sent.finally(sender.close);
}

interface Scope {
  readonly parameters: ScopeParameters;
  /** Those that can be sent. */
  readonly variants: readonly ScopeVariant[];
  readonly sender: ScopeSender;
  readonly add: (entry: LedgerEntry) => LedgerEntry;
  readonly room: () => number;
}

/** Usual requests until one is refused: how many; 0 when none was. A bucket may have been refilled in between. */
async function exhaust({ sender, add, room }: Scope): Promise<number> {
  for (let sent = 1; room() > 0; sent += 1) {
    if (add(await sender.usual('usual')).status === TOO_MANY_REQUESTS) return sent;
  }
  return 0;
}

async function spend(scope: Scope): Promise<void> {
  const { rounds, limit } = scope.parameters;
  if ((await exhaust(scope)) === 0) return;
  const turns = Array.from({ length: rounds }, () => scope.variants).flat();
  for (const variant of turns) {
    if (scope.room() < 2) return;
    scope.add(await scope.sender.variant(variant));
    const sent = await exhaust(scope);
    if (sent === 0) return;
    // The limit was free again. A caller with a rate limit of its own must not use that up.
    if (sent > 1 && turns.filter((one) => one === variant).length < limit) turns.push(variant);
  }
}

async function hold(scope: Scope, sending: Sending, clock: Stopwatch, signal: AbortSignal): Promise<void> {
  const { sender, add, variants, parameters } = scope;
  const request = outgoing(sending.addresses, parameters.operation);
  const agent = new (request.url.startsWith('https:') ? https : http).Agent({ keepAlive: true });
  const headers = { ...headersFor(sending.key, true), 'User-Agent': userAgentOf(sending.addresses) };
  const open = () => new HeldRequest({ request: { ...request, body: request.body ?? '{}' }, headers, agent, clock });
  const held = Array.from({ length: parameters.limit }, open);
  try {
    await within(Promise.all(held.map((one) => one.flushed)), ANSWER_PATIENCE_MS, signal);
    await pause(SETTLE_MS, signal);
    const usual = async () => add(await sender.usual('usual')).status === TOO_MANY_REQUESTS;
    let full = await usual();
    for (const variant of full ? variants : []) {
      add(await sender.variant(variant));
      full = await usual();
      if (!full) break;
    }
    for (const one of held) one.release();
    await within(Promise.all(held.map((one) => one.settled)), ANSWER_PATIENCE_MS, signal);
    for (const one of held) add(heldEntry(one, clock()));
    add(await sender.usual('after'));
  } finally {
    for (const one of held) one.destroy('stopped');
    agent.destroy();
  }
}

function heldEntry({ operation, outcome }: HeldRequest, nowMs: number): LedgerEntry {
  const { status = 0, error = 'timeout', sentMs = 0, firstByteMs = nowMs, endMs = nowMs, early } = outcome ?? {};
  return { phase: 'held', operation, sentMs, firstByteMs, endMs, status, error, note: early ? 'early' : 'released' };
}
