/** Submitting jobs and following them to their end, on any service that can be read at all. */
import { lacks, takes, type WorkloadWish, workloadOf } from '../../schemas/workloads.ts';
import type { CheckContext, Weight } from '../context.ts';
import { resultsOf } from '../reading/answer.ts';
import {
  errorOf,
  isFinal,
  type JobState,
  jobIdOf,
  notUnderstood,
  outputOf,
  stateOf,
  stateWordOf,
} from '../reading/job.ts';
import { mentions, saysSomething } from '../reading/json.ts';
import type { JobsClient } from '../target/jobs.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';
import type { Target } from '../target/target.ts';

/** How long a quick job may take: a worker may first have to start. */
const PATIENCE_MS = 60_000;
const FIRST_POLL_MS = 20;
const SLOWEST_POLL_MS = 500;
/** What has taken so long may take longer still, and nobody should be asked about it all the time. */
const LONG_MS = 10_000;
const SLOWEST_LONG_POLL_MS = 2000;

/** How long a job whose state can't be read is asked about, once it is known that this target's can't. */
const UNREAD_MS = 5000;

const submitted = new WeakMap<Target, Set<string>>();
/** Targets of which a job had ended while its state said nothing to us. */
const unread = new WeakSet<Target>();

export interface Submitted {
  readonly id: string;
  readonly reply: Reply;
  readonly jobs: JobsClient;
}

function remember(t: CheckContext, id: string): void {
  const ours = submitted.get(t.target) ?? new Set();
  submitted.set(t.target, ours.add(id));
}

/** A first submission, whatever becomes of it. */
export function firstRun(t: CheckContext): Promise<Reply> {
  return t.once('first-run', async (own) => {
    const reply = await own.jobs.run({ echo: t.word() });
    const id = jobIdOf(reply.json);
    if (id !== null) remember(own, id);
    return reply;
  });
}

/** The id of that submission, for operations that may be asked about a job in any state. */
export async function anyJob(t: CheckContext): Promise<string> {
  const reply = await firstRun(t);
  t.requireAnswer('run', reply);
  return jobIdOf(reply.json) ?? '';
}

/** The job that a submission made, whatever its form; that this works is asked elsewhere, so here it is ground. */
export function adopt(t: CheckContext, reply: Reply, jobs: JobsClient = t.jobs): Submitted {
  t.requireOk(reply);
  const id = jobIdOf(reply.json);
  if (id === null) {
    const elsewhere = /\/runsync\b/.test(reply.request) ? 'see runsync.job' : 'see run.job-id';
    t.inconclusive(`${reply.request} gave no job id (${describe(reply)})`, elsewhere);
  }
  remember(t, id);
  return { id, reply, jobs };
}

/**
 * Submits a job and reads its id.
 *
 * @throws Inconclusive also where so many results are wished for, but the configured workload itself says how many.
 */
export async function submit(t: CheckContext, input: WorkloadWish, jobs: JobsClient = t.jobs): Promise<Submitted> {
  const name = workloadOf(input);
  const { workloads } = t.target.config;
  if (input.chunks !== undefined && !lacks(workloads, name) && !takes(workloads, name, 'chunks')) {
    t.inconclusive(
      `workloads.${name} has no {{chunks}}`,
      'add it to the part of the input that sets the number of results',
    );
  }
  return submitAny(t, input, jobs);
}

/** The same where it doesn't matter how many results the job makes. */
export async function submitAny(t: CheckContext, input: WorkloadWish, jobs: JobsClient = t.jobs): Promise<Submitted> {
  return adopt(t, await jobs.run(input), jobs);
}

/** Ids of all jobs that the suite has submitted to a target. */
export const submittedIds = (t: CheckContext): ReadonlySet<string> => submitted.get(t.target) ?? new Set();

/** The same, for a job that would go on for long: it is cancelled when the check ends. */
export async function submitSlow(t: CheckContext, input: WorkloadWish, jobs: JobsClient = t.jobs): Promise<Submitted> {
  const job = await submit(t, input, jobs);
  t.defer((client) => client.at(jobs.instId).cancel(job.id));
  return job;
}

export interface Seen {
  readonly reply: Reply;
  readonly state: JobState;
}

/** Ended in a state we can read, or with an output or an error where the state can't be read. */
export const hasEnded = ({ reply, state }: Seen): boolean =>
  isOk(reply) &&
  (isFinal(state) || (state === 'unknown' && [outputOf, errorOf].some((of) => saysSomething(of(reply.json)))));

/** Nothing more is to be learnt by asking again: it has ended, or its status is refused. */
export const isSettled = (seen: Seen): boolean =>
  hasEnded(seen) || (seen.reply.status >= 400 && seen.reply.status < 500);

/**
 * Whether looking on is in vain: the state can't be read, and the job has ended or such states never tell its end. Each
 * look is to be shown to it: that a target's states can't be read is learned from those.
 */
export function isInVain(t: CheckContext, seen: Seen, sinceMs: number): boolean {
  if (seen.state !== 'unknown' || !isOk(seen.reply)) return false;
  if (hasEnded(seen)) unread.add(t.target);
  return hasEnded(seen) || (unread.has(t.target) && t.clock.now() - sinceMs >= UNREAD_MS);
}

/**
 * Asks for the status until it satisfies, or patience ends; returns the last answer either way.
 *
 * @throws Inconclusive where a running job would satisfy, but the states of this target can't be read; where the job
 *   is queued and the workers of its endpoint have stopped starting jobs, unless that is the finding.
 */
export async function poll(
  t: CheckContext,
  job: Submitted,
  enough: (seen: Seen) => boolean,
  patienceMs = PATIENCE_MS,
  as: Weight = 'ground',
): Promise<Seen> {
  const began = t.clock.now();
  const until = began + patienceMs;
  const slowest = (): number => (t.clock.now() - began > LONG_MS ? SLOWEST_LONG_POLL_MS : SLOWEST_POLL_MS);
  for (let pauseMs = FIRST_POLL_MS; ; pauseMs = Math.min(pauseMs * 1.5, slowest())) {
    const reply = await job.jobs.status(job.id, 'GET', { insists: as === 'finding' });
    const seen = { reply, state: stateOf(reply.json) };
    const inVain = isInVain(t, seen, began);
    if (enough(seen)) return seen;
    const words = notUnderstood(reply.json);
    if (words !== null && (inVain || unread.has(t.target)) && enough({ reply, state: 'running' })) {
      t.inconclusive(`it is not known whether a job is running: ${words}`, 'see run.final-state');
    }
    if (inVain || t.clock.now() >= until) return seen;
    await t.sleep(pauseMs);
  }
}

export const stateIs =
  (...states: readonly JobState[]) =>
  ({ state }: Seen): boolean =>
    states.includes(state);

/**
 * Follows a quick job to its end, and shows every look at it on the way.
 *
 * @throws Inconclusive when no end can be seen and a synchronous job gets no result either: then the workers, not the
 *   status, may be what is missing. RequirementFailed when a synchronous job does, where that is the finding.
 */
export async function finish(
  t: CheckContext,
  job: Submitted,
  as: Weight = 'ground',
  onLook: (seen: Seen) => void = () => {},
): Promise<Seen> {
  t.needWorkers(job.jobs.instId);
  const settled = (one: Seen): boolean => {
    onLook(one);
    return isSettled(one);
  };
  const seen = await poll(t, job, settled, PATIENCE_MS, as);
  if (hasEnded(seen)) return seen;
  const seconds = PATIENCE_MS / 1000;
  const observed = `${stateWordOf(seen.reply.json) ?? 'no readable state'} in ${describe(seen.reply)}`;
  const what = `a quick job ends within ${seconds} s and status shows it`;
  const words = notUnderstood(seen.reply.json);
  if (isOk(seen.reply) && as === 'finding') {
    const word = t.word();
    const control = await job.jobs.runsync({ echo: word }, { insists: true });
    const results = isOk(control) ? resultsOf(control) : undefined;
    if (!saysSomething(results)) {
      t.inconclusive(`${what}: observed ${observed}`, words ?? 'check that the endpoint has workers that can run');
    }
    // Where the word comes back, an end would have been seen by it, whatever the state is called.
    if (words !== null && !mentions(results, word)) t.inconclusive(`${what}: ${words}`, 'see run.final-state');
  }
  if (as === 'finding') t.finding(what, 'an end', observed, false);
  t.ground(what, 'an end', observed, false, words ?? undefined);
  return seen;
}
