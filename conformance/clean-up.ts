/**
 * The clean-up of a check: it ends the jobs that the check started, whatever happened. Where it fails, no check fails
 * with it, but the report lists what was left on the endpoint.
 */
import { isFinal, stateOf } from '../schemas/job-answer.ts';
import type { Sender } from './target/allowance.ts';
import { Evidence } from './target/evidence.ts';
import { JobsClient } from './target/jobs.ts';
import { isOk, type Reply } from './target/reply.ts';
import { TargetFailure } from './target/signals.ts';
import type { Target, TargetRequest } from './target/target.ts';

/** Leaves no evidence, and outlives the check's own end. */
export type CleanUp = (jobs: JobsClient) => Promise<unknown>;

/** Of real time, for all clean-ups of one check. */
const PATIENCE_MS = 10_000;

/** Instance and job of a cancel's path. */
const CANCEL = /\/([^/]+)\/cancel\/([^/?]+)$/;

/**
 * Does the clean-ups one after the other, the last one first.
 *
 * @returns what could not be cleaned up, one text each.
 */
export async function cleanUpAll(
  target: Target,
  instId: string,
  cleanUps: readonly CleanUp[],
  owner: Sender,
): Promise<string[]> {
  if (cleanUps.length === 0) return [];
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const left: string[] = [];
  const unseen = new Evidence(owner);
  const send = (one: TargetRequest): Promise<Reply> =>
    target.exchange({ ...one, expects429: true, cleansUp: true }, unseen, signal);
  const asked = new JobsClient(send, instId, target.config);
  const exchange = async (one: TargetRequest): Promise<Reply> => {
    const reply = await send(one);
    if (one.operation === 'cancel' && !isOk(reply) && reply.status !== 404 && !(await isOver(asked, one.path))) {
      left.push(`${jobOf(one.path)} could not be cancelled: status ${reply.status}`);
    }
    return reply;
  };
  for (const cleanUp of cleanUps.toReversed()) {
    // Each has its own client, so that the words say whose cancel it was that got no answer.
    let last = '';
    const jobs = new JobsClient(
      (one) => {
        last = one.path;
        return exchange(one);
      },
      instId,
      target.config,
    );
    await cleanUp(jobs).catch((error: unknown) => left.push(unanswered(last, error)));
  }
  return left;
}

/** A refused cancel of a job that has ended leaves nothing behind. */
async function isOver(jobs: JobsClient, path: string): Promise<boolean> {
  const { instId, jobId } = namedIn(path);
  const reply = await jobs.status(jobId, { instId });
  return reply.status === 404 || (isOk(reply) && isFinal(stateOf(reply.json)));
}

function namedIn(path: string): { readonly instId: string; readonly jobId: string } {
  const [, instId = '', jobId = ''] = CANCEL.exec(path) ?? [];
  return { instId: decodeURIComponent(instId), jobId: decodeURIComponent(jobId) };
}

function jobOf(path: string): string {
  const { instId, jobId } = namedIn(path);
  return jobId === '' ? path : `job ${jobId} on ${instId}`;
}

function unanswered(path: string, error: unknown): string {
  const why =
    error instanceof TargetFailure ? error.fact.observed : error instanceof Error ? error.message : `${error}`;
  if (CANCEL.test(path)) return `${jobOf(path)} could not be cancelled: ${why}`;
  return `cleaning up failed: ${why}`;
}
