/**
 * The reference with one planted fault each: what a suite must notice. A mutant replaces settings or rules; the core
 * knows nothing of it.
 *
 * Which checks of the contract notice it is not declared but recorded: noticed.json is written from what the suite says
 * (`npm run noticed`) and read by people in its diff, since a check that complains of a fault it has nothing to do with
 * is a check that is wrong. A check of each clause that a mutant breaks has to notice it. What only load shows
 * takes too long to be recorded, so those mutants name their checks.
 *
 * Faults that only load shows come first, made from the limits table; then the faults in what operations do.
 */
import { availabilityMutants } from './mutants/availability.ts';
import { concurrencyMutants } from './mutants/concurrency.ts';
import { concurrencyScopeMutants } from './mutants/concurrency-scopes.ts';
import { endpointMoreMutants } from './mutants/endpoint-more.ts';
import { endpointMutants } from './mutants/endpoint-wide.ts';
import { inferenceMutants } from './mutants/inference.ts';
import { inferenceStreamMutants } from './mutants/inference-streams.ts';
import { jobLifeMutants } from './mutants/job-life.ts';
import { jobsAccessMutants } from './mutants/jobs-access.ts';
import { jobsInputMutants } from './mutants/jobs-input.ts';
import { unauthenticatedMutants } from './mutants/jobs-unauthenticated.ts';
import { lifeCancelMutants } from './mutants/life-cancels.ts';
import { lifeStreamMutants } from './mutants/life-streams.ts';
import { lifecycleMutants } from './mutants/lifecycle.ts';
import { modelMutants } from './mutants/models.ts';
import type { Mutant } from './mutants/mutant.ts';
import noticed from './mutants/noticed.json' with { type: 'json' };
import { ownJobMutants } from './mutants/own-jobs.ts';
import { payloadAndQueueMutants, payloadBodyMutants } from './mutants/payload-and-queue.ts';
import { queueFaultMutants } from './mutants/queue-faults.ts';
import { rateMutants } from './mutants/rates.ts';
import { refusalMutants } from './mutants/refusals.ts';
import { statusMutants } from './mutants/statuses.ts';
import { submissionMutants } from './mutants/submissions.ts';
import type { ReferenceOptions } from './options.ts';

export type { Mutant } from './mutants/mutant.ts';

/** By theme, with the load checks that notice each. */
export const plantedThemes: Readonly<Record<string, readonly Mutant[]>> = {
  rates: rateMutants,
  concurrency: concurrencyMutants,
  'whose requests at once': concurrencyScopeMutants,
  'payload and queue': [...payloadAndQueueMutants, ...queueFaultMutants],
  'large bodies': payloadBodyMutants,
  'refusals and errors': refusalMutants,
  models: modelMutants,
  'chat and completions': inferenceMutants,
  'streams of chat and completions': inferenceStreamMutants,
  'keys, and jobs that never were': jobsAccessMutants,
  'job inputs': jobsInputMutants,
  submissions: submissionMutants,
  statuses: statusMutants,
  'life of a job': lifecycleMutants,
  'records of a job': jobLifeMutants,
  'waiting for jobs and reading streams': lifeStreamMutants,
  'cancelling jobs': lifeCancelMutants,
  'jobs of others': unauthenticatedMutants,
  'whole endpoint': endpointMutants,
  'endpoint in detail': endpointMoreMutants,
  availability: availabilityMutants,
  'all jobs together': ownJobMutants,
};

/** The contract checks that notice a fault: documented ones fail, conventions warn. */
export interface NoticedBy {
  readonly killedBy?: readonly string[];
  readonly warns?: readonly string[];
}

const recorded: Readonly<Record<string, NoticedBy | undefined>> = noticed;

/** With all the checks that notice it. */
export type NoticedMutant = Mutant & Required<NoticedBy>;

function withRecord(mutant: Mutant): NoticedMutant {
  const { killedBy = [], warns = [] } = recorded[mutant.name] ?? {};
  return { ...mutant, killedBy: [...(mutant.killedBy ?? []), ...killedBy], warns: [...(mutant.warns ?? []), ...warns] };
}

/** By theme, as the table of the documentation shows them, each with all the checks that notice it. */
export const mutantThemes: Readonly<Record<string, readonly NoticedMutant[]>> = Object.fromEntries(
  Object.entries(plantedThemes).map(([theme, own]) => [theme, own.map(withRecord)]),
);

export const mutants: readonly NoticedMutant[] = Object.values(mutantThemes).flat();

/** The mutant of this name, or undefined. */
export function mutantNamed(name: string): NoticedMutant | undefined {
  return mutants.find((one) => one.name === name);
}

/** The options with the named faults planted, in order. Throws an Error that lists the names on an unknown one. */
export function applyMutants(options: ReferenceOptions, names: readonly string[]): ReferenceOptions {
  return names.reduce((changed, name) => {
    const mutant = mutantNamed(name);
    if (!mutant) throw new Error(`no mutant '${name}'; there are: ${mutants.map((one) => one.name).join(', ')}`);
    return mutant.apply(changed);
  }, options);
}
