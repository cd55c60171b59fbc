/**
 * purge-queue: queued jobs are removed, running ones stay. Only on a dedicated endpoint: a purge removes the jobs of
 * all users.
 */
import type { CheckDefinition } from '../check.ts';
import { purge, purged, purgeInTime } from '../fixtures/purge.ts';
import { requireFit } from '../fixtures/quick.ts';
import { isAlive, isCompleted } from '../fixtures/submit.ts';
import { describe } from '../target/reply.ts';

const needs = ['dedicated'] as const;
const alone = true;

export const checks: readonly CheckDefinition[] = [
  {
    id: 'purge-queue.route',
    title: 'POST purge-queue returns 2xx',
    clauses: ['purge-queue.route', 'jobs.operations'],
    needs,
    alone,
    first: true,
    run: async (t) => t.expectOk(await purged(t)),
  },
  {
    id: 'purge-queue.result',
    title: 'purge-queue reports the result of the purge',
    clauses: ['purge-queue.result'],
    needs,
    alone,
    async run(t) {
      const answer = await purged(t);
      t.requireOk(answer, 'assertion');
      t.expectContent('purge-queue', answer);
    },
  },
  {
    id: 'purge-queue.clears-queued',
    title: 'purge-queue removes every queued job',
    clauses: ['purge-queue.clears-queued'],
    needs,
    alone,
    async run(t) {
      t.requireOk((await purge(t)).answer, 'assertion');
      const { after } = await purgeInTime(t);
      for (const [index, seen] of after.queued.entries()) {
        const gone = !isAlive(seen) && !isCompleted(seen);
        t.expect(`queued job ${index + 1}`, 'neither in the queue nor completed', describe(seen.reply), gone);
      }
    },
  },
  {
    id: 'purge-queue.keeps-running',
    title: 'purge-queue does not affect a running job',
    clauses: ['purge-queue.keeps-running'],
    needs,
    alone,
    async run(t) {
      const { answer, running } = await purge(t);
      t.requireOk(answer);
      if (!running) return t.notObservable('a dedicated endpoint with few workers (--dedicated, --workers-max)');
      await requireFit(t, running);
      const kept = running.state === 'running' || running.state === 'completed';
      t.expect('the running job', 'still running or completed', describe(running.reply), kept);
    },
  },
  {
    id: 'purge-queue.accepts-after',
    title: 'run accepts jobs after a purge',
    clauses: ['purge-queue.result'],
    needs,
    alone,
    level: 'convention',
    because: 'the documentation does not say so',
    async run(t) {
      const { answer, next } = await purge(t);
      t.requireOk(answer);
      t.expectOk(next);
    },
  },
];
