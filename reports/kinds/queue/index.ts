/** The limit on queued jobs: at which lengths submissions were accepted and refused. */
import type { Picture, QueueFacts } from '../../../schemas/facts.ts';
import { type QueueLimit, submittingOf } from '../../../schemas/limits.ts';
import { number } from '../../../schemas/thousands.ts';
import { closest } from '../../verdicts/measure.ts';
import { nouns } from '../../words.ts';
import type { Drawing, Judges, KindOfLimit } from '../kind.ts';
import { queueDoubts } from './doubts.ts';
import { isTaken } from './evidence.ts';
import { judgeQueue } from './judge.ts';
import { measureQueue } from './measure.ts';
import { renderQueue } from './picture.ts';

export const queue: KindOfLimit<QueueLimit> = {
  word: 'queue',
  documented: ({ status, value, perWorker }) =>
    `${status} only beyond ${number(value)} jobs and beyond WorkersMax × ${number(perWorker)}`,
  amount: (amount, count) => `${nouns(amount, count, 'job')} queued`,
  /** Of the endpoint with the smallest border; the pictures of every one that was filled. */
  row(limit, _own, { facts }) {
    const operation = submittingOf(limit);
    const probes = facts.filter((one): one is QueueFacts => one.kind === 'queue').sort((a, b) => a.border - b.border);
    const least = probes.filter(({ border }) => border === probes[0]?.border);
    const smallest = closest(least, (one) => measureQueue(one, operation));
    if (!smallest) return { documented: { value: limit.value }, measured: null };
    const pictures = probes.map((one): Picture => {
      const points = one.attempts
        .filter((attempt) => attempt.operation === operation && attempt.persisted !== false)
        .filter((attempt) => isTaken(attempt) || attempt.outcome === 'refused')
        .map((attempt) => ({ queued: attempt.queuedMin, accepted: isTaken(attempt) }));
      return { kind: 'queue', instId: one.instId, border: one.border, points };
    });
    const measured = measureQueue(smallest, operation);
    return { documented: { value: smallest.border }, measured, pictures, health: smallest.health };
  },
};

export const queueJudges: Judges<'queue'> = {
  queue: { judge: (facts, context) => judgeQueue(facts, context.table.of('queue'), context), doubts: queueDoubts },
};

export const queueDrawing: Drawing<'queue'> = { queue: renderQueue };
