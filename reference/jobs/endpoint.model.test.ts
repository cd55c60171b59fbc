/**
 * The job state machine against a model: random submissions, cancels, purges and waits, and after every step the
 * endpoint must look as a plain re-computation from the same history says.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { virtualClock } from '../clock.ts';
import { seeded } from '../inference/random.ts';
import { Endpoint } from './endpoint.ts';
import { workloadHandler } from './handler.ts';
import type { Job, JobPolicy } from './job.ts';
import { canMove, isFinal, type JobState } from './states.ts';

const RETENTION = 1000;
const TTL = 2000;

type Step =
  | { readonly do: 'submit'; readonly delayMs: number; readonly fail: boolean }
  | { readonly do: 'cancel'; readonly which: number }
  | { readonly do: 'purge' }
  | { readonly do: 'wait'; readonly ms: number };

const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constant('submit' as const), delayMs: fc.nat(400), fail: fc.boolean() }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('purge' as const) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 700 }) }) },
  ) as fc.Arbitrary<Step>,
  { maxLength: 40 },
);

interface Expected {
  readonly createdAt: number;
  readonly delayMs: number;
  readonly fail: boolean;
  state: JobState;
  startedAt: number | null;
  finishedAt: number | null;
}

/** The endpoint again, as a simulation that is told when time passes: no promises, no laziness. */
class Model {
  readonly jobs: Expected[] = [];
  readonly #workers: number;
  now = 0;

  constructor(workers: number) {
    this.#workers = workers;
  }

  #in(state: JobState): Expected[] {
    return this.jobs.filter((job) => job.state === state);
  }

  #end(job: Expected, state: JobState, at: number): void {
    job.state = state;
    job.finishedAt = at;
  }

  #endOf(job: Expected): number {
    return Math.min((job.startedAt ?? 0) + job.delayMs, job.createdAt + TTL);
  }

  fill(): void {
    for (const job of this.#in('IN_QUEUE')) {
      if (this.#in('IN_PROGRESS').length >= this.#workers) return;
      job.state = 'IN_PROGRESS';
      job.startedAt = this.now;
    }
  }

  submit(delayMs: number, fail: boolean): void {
    this.jobs.push({ createdAt: this.now, delayMs, fail, state: 'IN_QUEUE', startedAt: null, finishedAt: null });
    this.fill();
  }

  cancel(job: Expected | undefined): void {
    if (job && !isFinal(job.state)) this.#end(job, 'CANCELLED', this.now);
    this.fill();
  }

  purge(): number {
    const queued = this.#in('IN_QUEUE');
    for (const job of queued) this.#end(job, 'CANCELLED', this.now);
    return queued.length;
  }

  /** One millisecond at a time: works, times out, starts the next. */
  advance(ms: number): void {
    this.settle();
    for (const end = this.now + ms; this.now < end; ) {
      this.now += 1;
      this.settle();
    }
  }

  settle(): void {
    let changed = true;
    while (changed) {
      const due = this.#in('IN_PROGRESS').filter((job) => this.#endOf(job) <= this.now);
      for (const job of due) {
        const expired = this.#endOf(job) === job.createdAt + TTL;
        this.#end(job, expired ? 'TIMED_OUT' : job.fail ? 'FAILED' : 'COMPLETED', this.now);
      }
      for (const job of this.#in('IN_QUEUE')) {
        if (job.createdAt + TTL <= this.now) this.#end(job, 'TIMED_OUT', this.now);
      }
      this.fill();
      changed = due.length > 0;
    }
  }
}

function check(endpoint: Endpoint, jobs: readonly Job[], model: Model): void {
  const health = endpoint.health();
  const count = (state: JobState): number => model.jobs.filter((job) => job.state === state).length;
  expect(health.jobs).toEqual({
    inQueue: count('IN_QUEUE'),
    inProgress: count('IN_PROGRESS'),
    completed: count('COMPLETED'),
    failed: count('FAILED') + count('TIMED_OUT'),
    retried: 0,
  });
  expect(jobs.map(({ state, startedAt, finishedAt }) => ({ state, startedAt, finishedAt }))).toEqual(
    model.jobs.map(({ state, startedAt, finishedAt }) => ({ state, startedAt, finishedAt })),
  );
}

test('every history of submissions, cancels, purges and waits leads where the model says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 3 }), steps, async (workersMax, history) => {
      const clock = virtualClock({ startMs: 0, quietTurns: 3 });
      const policy: JobPolicy = { executionTimeoutMs: 10_000, ttlMs: TTL, lowPriority: false };
      const endpoint = new Endpoint(
        {
          workersMax,
          retentionMs: { run: RETENTION, runsync: RETENTION },
          ttlWhileRunning: 'time-out',
          purgedJobs: 'cancelled',
        },
        { clock, random: seeded(1), handler: workloadHandler },
      );
      const model = new Model(workersMax);
      const jobs: Job[] = [];
      for (const step of history) {
        switch (step.do) {
          case 'submit':
            jobs.push(endpoint.submit('run', { delay_ms: step.delayMs, ...(step.fail ? { fail: 'x' } : {}) }, policy));
            model.submit(step.delayMs, step.fail);
            break;
          case 'cancel': {
            const job = jobs[step.which];
            if (job) endpoint.cancel(job);
            model.cancel(model.jobs[step.which]);
            break;
          }
          case 'purge':
            expect(endpoint.purge((state) => state === 'IN_QUEUE')).toBe(model.purge());
            break;
          case 'wait':
            await clock.sleep(step.ms);
            model.advance(step.ms);
        }
        // What is due at this very moment takes no time, but it does take a turn of the event loop.
        await new Promise<void>((resolve) => setImmediate(resolve));
        model.settle();
        check(endpoint, jobs, model);
      }
      endpoint.close();
    }),
    { numRuns: 60 },
  );
});

test('a job seen again and again only ever makes moves that the table allows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(300), fc.nat(400), async (delayMs, cancelAt) => {
      const clock = virtualClock({ startMs: 0, quietTurns: 3 });
      const policy: JobPolicy = { executionTimeoutMs: 200, ttlMs: TTL, lowPriority: false };
      const endpoint = new Endpoint(
        {
          workersMax: 1,
          retentionMs: { run: RETENTION, runsync: RETENTION },
          ttlWhileRunning: 'forget',
          purgedJobs: 'cancelled',
        },
        { clock, random: seeded(1), handler: workloadHandler },
      );
      const first = endpoint.submit('run', { delay_ms: delayMs }, policy);
      const job = endpoint.submit('run', { delay_ms: delayMs }, policy);
      const seen: JobState[] = [job.state];
      job.watchers.add(() => seen.push(job.state));
      first.watchers.add(() => seen.push(job.state));
      await clock.sleep(cancelAt);
      endpoint.cancel(job);
      await clock.sleep(1000);
      const moves = seen.filter((state, at) => state !== seen[at - 1]);
      moves.slice(1).forEach((to, at) => {
        const from = moves[at];
        if (from === 'IN_QUEUE' && isFinal(to)) expect(['CANCELLED', 'TIMED_OUT', 'COMPLETED', 'FAILED']).toContain(to);
        else if (from) expect(canMove(from, to)).toBe(true);
      });
      expect(isFinal(job.state)).toBe(true);
    }),
    { numRuns: 40 },
  );
});
