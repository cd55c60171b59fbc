/** Faults in streams that are read otherwise than by one reader to a good end: late, together, failing, cut short. */
import { isFinal } from '../jobs/states.ts';
import { json } from '../reply.ts';
import type { Outgoing } from '../rules.ts';
import { answers, type Body, bodyIf, bodyOf, bodyWithMemory, succeeded } from './answers.ts';
import { type Mutant, type Plant, rules } from './mutant.ts';

// Faults in stream of interface B: what is delivered, how often, in which order, and when (spec 4.2).

// Faults in waiting for jobs: who is not woken, who is held too long, what gets mixed up in a crowd.

const LATE_MS = 5000;
const LONG_MS = 90_000;
const BLOCKED_MS = 2000;
const isSync = (jobId: string | undefined): boolean => String(jobId).startsWith('sync-');

/** Answers status-sync late where its record is such. */
const late = (applies: (record: Body, about: Outgoing) => boolean): Plant =>
  answers(async (reply, about) => {
    const record = about.id === 'status-sync' && succeeded(reply) ? bodyOf(reply) : null;
    if (record && applies(record, about)) await about.clock.sleep(LATE_MS);
    return reply;
  });

const isOver = ({ status }: Body): boolean => ['COMPLETED', 'FAILED', 'CANCELLED'].includes(String(status));
const chunksOf = ({ stream }: Body): readonly unknown[] => (Array.isArray(stream) ? stream : []);

export const lifeStreamMutants: readonly Mutant[] = [
  {
    name: 'stream-buffered',
    clauses: ['stream.incremental'],
    does: 'sends chunks only when the job is over',
    apply: rules({ streamable: (chunks, state) => (isFinal(state) ? chunks : 0) }),
  },
  {
    name: 'stream-late-chunk',
    clauses: ['stream.drains'],
    does: 'sends the last chunk only after the first final answer',
    apply: bodyWithMemory('stream', () => {
      const kept = new Map<unknown, unknown>();
      return (answer) => {
        const chunks = chunksOf(answer);
        if (kept.has(answer.id)) return { ...answer, stream: [kept.get(answer.id)] };
        if (answer.status !== 'COMPLETED' || chunks.length === 0) return answer;
        kept.set(answer.id, chunks.at(-1));
        return { ...answer, stream: chunks.slice(0, -1) };
      };
    }),
  },
  {
    name: 'waiter-not-woken-by-failure',
    clauses: ['status-sync.waits'],
    does: 'goes on holding status-sync for seconds when a job has failed',
    apply: late(({ status }) => status === 'FAILED'),
  },
  {
    name: 'waiter-not-woken-by-cancel',
    clauses: ['status-sync.waits'],
    does: 'goes on holding status-sync for seconds when a running job was cancelled',
    apply: late(({ status, delayTime }) => status === 'CANCELLED' && delayTime !== undefined),
  },
  {
    name: 'status-sync-ignores-wait',
    clauses: ['status-sync.wait'],
    does: 'holds status-sync for a minute and a half, with any wait',
    apply: rules({ statusSyncWait: () => LONG_MS }),
  },
  {
    name: 'running-sync-job-unknown',
    clauses: ['runsync.wait', 'runsync.job'],
    does: 'does not know the job of a runsync before it has ended',
    apply: answers((reply, { id, parameters }) => {
      const record = id === 'status' && isSync(parameters.job_id) && succeeded(reply) ? bodyOf(reply) : null;
      return record && !isOver(record) ? json(404, { error: 'job not found' }) : reply;
    }),
  },
  {
    name: 'health-held-up',
    clauses: ['jobs.held-alone'],
    does: 'answers health only after those who wait for jobs',
    apply: answers(async (reply, { id, inFlight, clock }) => {
      if (id === 'health' && inFlight > 3) await clock.sleep(BLOCKED_MS);
      return reply;
    }),
  },
  {
    name: 'stream-not-told-of-cancel',
    clauses: ['jobs.states', 'stream.envelope'],
    does: 'says in the stream of a cancelled job that it is in progress',
    apply: bodyIf(
      'stream',
      ({ status }) => status === 'CANCELLED',
      (answer) => ({ ...answer, status: 'IN_PROGRESS' }),
    ),
  },
  {
    name: 'stream-ends-with-null',
    clauses: ['stream.stays'],
    does: 'answers without a list once a stream has ended and was read',
    apply: bodyWithMemory('stream', () => {
      const ended = new Set<unknown>();
      return (answer) => {
        if (ended.has(answer.id)) return { ...answer, stream: null };
        if (isOver(answer)) ended.add(answer.id);
        return answer;
      };
    }),
  },
  {
    name: 'stream-chunks-packed',
    clauses: ['stream.envelope'],
    does: 'packs all chunks of an answer into one item',
    apply: bodyIf(
      'stream',
      (answer) => chunksOf(answer).length > 1,
      (answer) => ({
        ...answer,
        stream: [{ output: chunksOf(answer) }],
      }),
    ),
  },
];
