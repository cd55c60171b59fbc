/** One purge, looked at from all sides: its budget is so small that all checks share it. */
import type { CheckContext } from '../context.ts';
import type { Reply } from '../target/reply.ts';
import { fillQueue } from './queue.ts';
import { hasEnded, poll, type Seen } from './submit.ts';

const QUEUED = 2;
/** The running job must outlast everything up to the purge, which is some thirty exchanges. */
const HOLD_MS = 3000;
const EXCHANGES = 30;
const SETTLE_MS = 300;

export interface Purge {
  readonly answer: Reply;
  /** The queued jobs afterwards. */
  readonly queued: readonly Seen[];
  /** A job that ran while its endpoint was purged, when it had ended or should have; null where none could be had. */
  readonly running: Seen | null;
  /** A submission afterwards. */
  readonly next: Reply;
}

export function purge(t: CheckContext): Promise<Purge> {
  return t.once('purge', async (own) => {
    await own.room('purge-queue', 1);
    const health = await own.jobs.health();
    const holdMs = HOLD_MS + Math.round((health.endMs - health.sentMs) * EXCHANGES);
    const queue = await fillQueue(own, { count: QUEUED, dedicated: true, busy: true, holdMs });
    const answer = await queue.jobs.purgeQueue();
    await own.sleep(SETTLE_MS);
    const queued: Seen[] = [];
    for (const job of queue.queued) queued.push(await poll(own, job, () => true));
    const [held] = queue.held;
    const running = held ? await poll(own, held, hasEnded, holdMs * 2) : null;
    const next = await queue.jobs.run({ echo: t.word() });
    return { answer, queued, running, next };
  });
}
