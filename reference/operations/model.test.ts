/**
 * Interface B as a state machine: random submissions, cancels, purges, reads and waits through the whole service, and
 * after every step everything that can be seen of the endpoint must be what a plain model says. A history that fails is
 * shrunk to a short one.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitFor } from '../../schemas/limits.ts';
import { type Expected, Model, type Plan } from '../jobs/testing/model.ts';
import type { ReferenceOptions } from '../options.ts';
import { type Answer, field, type Harness, harness } from '../testing/harness.ts';

const retentionOf = (kind: 'run' | 'runsync'): number => limitFor('retention', kind)?.value ?? 0;
const retentionMs = { run: retentionOf('run'), runsync: retentionOf('runsync') };

const plan: fc.Arbitrary<Plan> = fc.record({
  kind: fc.constantFrom('run' as const, 'run' as const, 'runsync' as const),
  delayMs: fc.oneof(fc.constant(0), fc.nat(2000), fc.nat(12_000)),
  chunks: fc.nat(4),
  chunkDelayMs: fc.oneof(fc.constant(0), fc.nat(1500)),
  fails: fc.boolean(),
  executionMs: fc.constantFrom(5000, 8000, 600_000),
  ttlMs: fc.constantFrom(10_000, 11_000, 300_000, 86_400_000),
  low: fc.boolean(),
});

/** Counted from the newest job: those are the ones that still change. */
const which = fc.nat(5);
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('submit' as const), plan }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('purge' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('stream' as const), which }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('status' as const), which, ttl: fc.option(fc.nat(70_000), { freq: 3 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.oneof(fc.nat(3000), fc.nat(15_000), fc.constantFrom(59_999, 60_000, retentionMs.run - 1, retentionMs.run)),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const world = fc.record({
  workers: fc.nat(3),
  forgetsExpired: fc.boolean(),
  forgetsPurged: fc.boolean(),
  offset: fc.nat(6),
  limit: fc.integer({ min: 1, max: 6 }),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

const optionsOf = ({ workers, forgetsExpired, forgetsPurged }: World): Partial<ReferenceOptions> => ({
  limiter: 'off',
  instances: [{ instId: 'inst-1', workersMax: workers }],
  ttlWhileRunning: forgetsExpired ? 'forget' : 'time-out',
  purgedJobs: forgetsPurged ? 'forgotten' : 'cancelled',
});

const inputOf = ({ delayMs, chunks, chunkDelayMs, fails }: Plan): object => ({
  delay_ms: delayMs,
  chunks,
  chunk_delay_ms: chunkDelayMs,
  echo: 'done',
  ...(fails ? { fail: 'no' } : {}),
});

const policyOf = ({ executionMs, ttlMs, low }: Plan): object => ({
  executionTimeout: executionMs,
  ttl: ttlMs,
  lowPriority: low,
});

/** What is due at this very moment takes no time, but it does take a turn of the event loop. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The record of a job in the model. */
function recordOf(job: Expected): Record<string, unknown> {
  const { id, state, createdAt, startedAt, finishedAt } = job;
  const started = startedAt !== null;
  return {
    id,
    status: state,
    ...(started ? { delayTime: startedAt - createdAt, workerId: expect.any(String) } : {}),
    ...(started && finishedAt !== null ? { executionTime: finishedAt - startedAt } : {}),
    ...(state === 'COMPLETED' ? { output: 'done' } : {}),
    ...(state === 'FAILED' ? { error: 'no' } : {}),
    ...(state === 'TIMED_OUT' ? { error: expect.stringContaining('timed out') } : {}),
  };
}

async function submit(real: Harness, model: Model, one: Plan): Promise<void> {
  const answer = await real.job(one.kind, { body: { input: inputOf(one), policy: policyOf(one) }, query: '?wait=1' });
  expect(answer.status).toBe(200);
  model.submit(String(field(answer.body, 'id')), one);
}

async function act(real: Harness, model: Model, one: Step): Promise<void> {
  const { job, clock } = real;
  if (one.do === 'submit') return submit(real, model, one.plan);
  if (one.do === 'purge') {
    expect((await job('purge-queue')).body).toEqual({ removed: model.purge(), status: 'completed' });
    return;
  }
  if (one.do === 'wait') return clock.sleep(one.ms);
  const target = model.jobs.at(-1 - one.which);
  if (!target) return;
  const known = model.known().includes(target);
  const jobId = target.id;
  const judged = (answer: Answer, body: () => unknown): void => {
    if (known) expect(answer.body).toEqual(body());
    else expect([answer.status, answer.body]).toEqual([404, { error: 'job not found' }]);
  };
  if (one.do === 'cancel') {
    const answer = await job('cancel', { jobId });
    if (known) model.cancel(target);
    judged(answer, () => recordOf(target));
  } else if (one.do === 'status') {
    judged(await job('status', { jobId, query: one.ttl === null ? '' : `?ttl=${one.ttl}` }), () => recordOf(target));
    if (known && one.ttl !== null) model.shorten(target, one.ttl);
  } else {
    const stream = (): unknown => model.drain(target).map((chunk) => ({ output: { chunk } }));
    const answer = await job('stream', { jobId, query: '?wait=0' });
    judged(answer, () => ({ id: jobId, status: target.state, stream: stream() }));
  }
}

async function compare({ job }: Harness, model: Model, { workers, offset, limit }: World): Promise<void> {
  const running = model.count('IN_PROGRESS');
  const idle = workers - running;
  expect((await job('health')).body).toEqual({
    jobs: {
      completed: model.count('COMPLETED'),
      failed: model.count('FAILED', 'TIMED_OUT'),
      inProgress: running,
      inQueue: model.count('IN_QUEUE'),
      retried: 0,
    },
    workers: { idle, initializing: 0, ready: idle, running, throttled: 0, unhealthy: 0 },
  });
  const known = model.known();
  const rows = known.slice(offset, offset + limit);
  expect((await job('requests', { query: `?offset=${offset}&limit=${limit}` })).body).toEqual({
    requests: rows.map(({ id, state }) => expect.objectContaining({ id, status: state })),
    total: known.length,
    offset,
    limit,
    hasMore: offset + rows.length < known.length,
  });
}

const RUNS = 150;
const LONGEST = 40;

test('every history through the whole service leads where the model says', { timeout: 60_000 }, async () => {
  let steps = 0;
  const histories = fc.array(step, { maxLength: LONGEST, size: 'max' });
  const property = fc.asyncProperty(world, histories, async (one, history) => {
    const real = harness(optionsOf(one));
    const start = real.clock.now();
    const model = new Model({ ...one, retentionMs });
    for (const next of history) {
      await act(real, model, next);
      await turn();
      model.advance(real.clock.now() - start - model.now);
      await compare(real, model, one);
      steps += 1;
    }
    real.service.close();
    expect(real.clock.sleeping).toBe(0);
  });
  // All of them, whatever share of the sweeps is run.
  await fc.assert(property, { numRuns: RUNS, interruptAfterTimeLimit: 120_000 });
  expect(steps).toBeGreaterThan(RUNS * 10);
});
