/**
 * Why a check is not answered, in the user's words: what is missing names the flag that supplies it. `needs` is
 * printed behind the word "needs", so it is a noun phrase.
 */
import type { MissingFacts } from '../../schemas/facts.ts';
import { needsOption } from '../../schemas/missing-option.ts';
import type { InterfaceId } from '../../schemas/operations.ts';
import type { TargetConfig } from '../../schemas/target.ts';
import { lacks, lackWords, takes, type WorkloadName } from '../../schemas/workloads.ts';

export type Reason = MissingFacts['outcome'];

export const byProfile = (profile: string, why: string): Reason => ({ kind: 'skipped', by: `profile ${profile}`, why });

export function noInterface(which: InterfaceId): Reason {
  const [name, option] = which === 'jobs' ? ['B', '--job-base-url'] : ['A', '--base-url'];
  return lackingOption(`interface ${name} is not configured`, option);
}

const lackingOption = (why: string, option: string): Reason => ({
  kind: 'skipped',
  by: 'target',
  why: `${why} (${option})`,
  missing: [option],
});

export const noEndpoint = lackingOption('no endpoint is configured', '--inst-id');

export const needs = (what: string): Reason => ({ kind: 'not-observable', needs: what });

export const needsDedicated = (because: string): Reason =>
  needsOption('an endpoint without other users', '--dedicated', because);

export const needsWorkersKnown = (because: string): Reason =>
  needsOption("the endpoint's WorkersMax", '--workers-max', because);

export const needsWorkers = (least: number, because: string): Reason =>
  needs(`an endpoint with WorkersMax >= ${least}: ${because}`);

export const tooSlow = (reason: string, remedy: string): Reason => ({ kind: 'inconclusive', reason, remedy });

/**
 * What the configured workloads rule out. A slow job has to keep a worker busy for as long as the probe needs: with one
 * of unknown length, it is unknown when a worker is free again.
 */
export function closedByWorkload({ workloads }: TargetConfig, ...names: readonly WorkloadName[]): Reason | undefined {
  const skipped = (why: string): Reason => ({ kind: 'skipped', by: 'configuration', why });
  const lacking = names.find((name) => lacks(workloads, name));
  if (lacking) return skipped(lackWords(lacking));
  if (!names.includes('slow') || takes(workloads, 'slow', 'delay_ms')) return undefined;
  return skipped('workloads.slow has no {{delay_ms}}, so the time a worker is busy is unknown');
}

export const needsOtherAddress: Reason = needsOption(
  'a second address of this machine that the target sees as another client',
  '--other-address',
);
