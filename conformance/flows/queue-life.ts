/**
 * The lives of two jobs that wait in the queue of an endpoint whose workers are all busy: one is cancelled there, the
 * other runs once the busy workers are freed by cancelling what they do. For endpoints that nobody else uses.
 */
import type { CheckContext } from '../context.ts';
import { stateOf } from '../reading/job.ts';
import { isRefusal } from '../reading/refusal.ts';
import { describe, type Reply } from '../target/reply.ts';
import { fillQueue } from './queue.ts';
import { hasEnded, poll, type Seen, type Submitted } from './submit.ts';
import { follow, type Waiter } from './wait.ts';

/** The busy ones must outlast everything up to their cancelling, which is some sixty exchanges. */
const HOLD_MS = 8000;
const EXCHANGES = 60;
const WAITED_MS = 200;
/** For a look at the cancelled job once a worker was free for it. */
const AFTER_MS = 200;
const SHORTEST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 2000;

export interface QueueLife {
  /** Looks at each, in their order. */
  readonly looks: { readonly waits: readonly Seen[]; readonly dropped: readonly Seen[] };
  /** How many looks there were before the cancelling of the one. */
  readonly beforeCancel: number;
  /** Those who wait by status-sync for each of them. */
  readonly waiter: Waiter;
  readonly droppedWaiter: Waiter;
  /** health before the queued job was cancelled, after that, and after the running ones were. */
  readonly health: readonly Reply[];
  /** Answers of cancel: of the queued job first, then of the running ones. */
  readonly cancels: readonly Reply[];
  /** From the submission of the job that waits to the last look that found it waiting, milliseconds. */
  readonly waitedMs: number;
  /** When the first of the busy jobs would have ended by itself. */
  readonly heldUntilMs: number;
  readonly streamed: Reply;
}

const seenIn = (reply: Reply): Seen => ({ reply, state: stateOf(reply.json) });

/** The last look at a job that may wait for long: the longer it does, the less often it is asked about. */
async function endOf(t: CheckContext, job: Submitted, patienceMs: number): Promise<Seen> {
  const began = t.clock.now();
  for (;;) {
    const seen = await poll(t, job, () => true);
    const soFarMs = t.clock.now() - began;
    if (hasEnded(seen) || isRefusal(seen.reply) || soFarMs >= patienceMs) return seen;
    await t.sleep(Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, soFarMs / 2)));
  }
}

async function live(t: CheckContext): Promise<QueueLife> {
  const health = [await t.jobs.health()];
  const roundTripMs = (health[0]?.endMs ?? 0) - (health[0]?.sentMs ?? 0);
  const beganMs = t.clock.now();
  const holdMs = HOLD_MS + Math.round(roundTripMs * EXCHANGES);
  const { jobs, held, queued } = await fillQueue(t, { count: 2, dedicated: true, busy: true, holdMs });
  const [waits, dropped] = queued;
  if (!waits || !dropped || held.length === 0) t.notObservable('an endpoint with workers and without other users');
  const looks = { waits: [] as Seen[], dropped: [] as Seen[] };
  const look = async (): Promise<void> => {
    looks.waits.push(seenIn(await jobs.status(waits.id)));
    looks.dropped.push(seenIn(await jobs.status(dropped.id)));
  };
  const before = await jobs.health();
  await look();
  const waiting = Promise.all([
    follow(waits, 'GET', roundTripMs),
    follow(dropped, 'GET', roundTripMs),
    jobs.stream(waits.id, 'GET', { query: `wait=${WAITED_MS}` }),
  ]);
  waiting.catch(() => undefined);
  await t.sleep(WAITED_MS);
  await look();
  const beforeCancel = looks.dropped.length;
  const cancels = [await jobs.cancel(dropped.id)];
  await look();
  const between = await jobs.health();
  for (const job of held) cancels.push(await jobs.cancel(job.id));
  await look();
  looks.waits.push(await endOf(t, waits, holdMs * 2));
  const after = await jobs.health();
  await t.sleep(AFTER_MS);
  await look();
  const [waiter, droppedWaiter, streamed] = await waiting;
  const heldUntilMs = beganMs + holdMs;
  const queuedMs = looks.waits.findLast(({ state }) => state === 'queued')?.reply.sentMs ?? waits.reply.endMs;
  const waitedMs = Math.floor(queuedMs - waits.reply.endMs);
  const all = { looks, beforeCancel, waiter, droppedWaiter, cancels, waitedMs, heldUntilMs, streamed };
  return { ...all, health: [before, between, after] };
}

/** Lived once; the checks that look at it run alone, since it needs the endpoint's workers. */
export const queueLife = (t: CheckContext): Promise<QueueLife> => t.once('queue-life', live);

/** Ground for what is asked about the job that was cancelled while it waited: that it did, and that cancel succeeded. */
export function requireCancelled(t: CheckContext, { looks, cancels, beforeCancel }: QueueLife): Reply {
  const [answer] = cancels;
  if (answer === undefined) t.inconclusive('nothing was cancelled', 'see cancel.queued');
  t.requireOk(answer);
  const before = looks.dropped[beforeCancel - 1];
  t.ground(
    'a job is cancelled while it waits in the queue',
    'queued in the last response before it',
    before ? describe(before.reply) : 'no look',
    before?.state === 'queued',
  );
  return answer;
}

/** Ground for what is asked about the job that waited: that it ran in the end. */
export function requireRan(t: CheckContext, { looks }: QueueLife): void {
  const last = looks.waits.at(-1);
  t.ground(
    'a job that waited in the queue',
    'completed at the end',
    last ? describe(last.reply) : 'no look',
    last?.state === 'completed',
    'see cancel.frees',
  );
}
