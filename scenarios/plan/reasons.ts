/**
 * Why a check is not answered, in the user's words: what is missing names the flag that supplies it. `needs` is
 * printed behind the word "needs", so it is a noun phrase.
 */
import type { MissingFacts } from '../../schemas/facts.ts';
import type { InterfaceId } from '../../schemas/operations.ts';

export type Reason = MissingFacts['outcome'];

export const byProfile = (profile: string, why: string): Reason => ({ kind: 'skipped', by: `profile ${profile}`, why });

export function noInterface(which: InterfaceId): Reason {
  const why =
    which === 'jobs' ? 'interface B is not configured (--job-base-url)' : 'interface A is not configured (--base-url)';
  return { kind: 'skipped', by: 'target', why };
}

export const noEndpoint: Reason = { kind: 'skipped', by: 'target', why: 'no endpoint is configured (--inst-id)' };

export const needs = (what: string): Reason => ({ kind: 'not-observable', needs: what });

export const needsDedicated = (because: string): Reason =>
  needs(`an endpoint that nobody else uses (--dedicated): ${because}`);

export const needsWorkersKnown = (because: string): Reason =>
  needs(`the endpoint's WorkersMax (--workers-max): ${because}`);

export const needsWorkers = (least: number, because: string): Reason =>
  needs(`an endpoint with WorkersMax >= ${least}: ${because}`);

export const tooSlow = (reason: string, remedy: string): Reason => ({ kind: 'inconclusive', reason, remedy });
