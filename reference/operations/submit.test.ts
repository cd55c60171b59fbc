/** run and runsync: what they take, what they refuse, what they answer. */
import { expect, test } from 'vitest';
import { limitFor, limitsOf, queueBorder } from '../../schemas/limits.ts';
import { field, harness } from '../testing/harness.ts';

const kinds = ['run', 'runsync'] as const;
const runLimit = limitFor('content-bytes', 'run');

test('run answers 200 with an id and IN_QUEUE, and the job runs', async () => {
  const { job, stateOf, clock } = harness();
  const answer = await job('run', { body: { input: { echo: 'x', delay_ms: 100 } } });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ id: expect.any(String), status: 'IN_QUEUE' });
  const id = String(field(answer.body, 'id'));
  expect(await stateOf(id)).toBe('IN_PROGRESS');
  await clock.sleep(101);
  const status = await job('status', { jobId: id });
  expect(status.body).toMatchObject({ id, status: 'COMPLETED', output: 'x', executionTime: 100 });
});

test('runsync answers with the result', async () => {
  const { job, clock } = harness();
  const before = clock.now();
  const answer = await job('runsync', { body: { input: { echo: { a: 1 }, delay_ms: 700 } } });
  expect(answer.body).toMatchObject({ status: 'COMPLETED', output: { a: 1 }, delayTime: 0, executionTime: 700 });
  expect(String(field(answer.body, 'id'))).toMatch(/^sync-/);
  expect(clock.now() - before).toBe(700);
});

test('runsync gives up waiting after ?wait=, after 90 s without it, and says what the job is doing', async () => {
  const { job, clock } = harness();
  const input = { delay_ms: 400_000 };
  for (const [query, waited] of [
    ['', 90_000],
    ['?wait=2500', 2500],
    ['?wait=0', 1],
    ['?wait=900000', 300_000],
    ['?wait=soon', 90_000],
  ] as const) {
    const before = clock.now();
    const answer = await job('runsync', { body: { input }, query });
    expect(clock.now() - before).toBe(waited);
    expect(answer.status).toBe(200);
    expect(field(answer.body, 'status')).toMatch(/^IN_(PROGRESS|QUEUE)$/);
    await job('cancel', { jobId: String(field(answer.body, 'id')) });
  }
});

test.for(kinds)('%s wants a JSON object with input', async (kind) => {
  const { job } = harness();
  for (const rawBody of ['', '{', 'null', '[]', '"x"', '{}', '{"inputs":1}', '{"input":1}x']) {
    const answer = await job(kind, { rawBody });
    expect(answer.status).toBe(400);
    expect(field(answer.body, 'error')).toEqual(expect.stringContaining('bad request'));
  }
  for (const input of [null, 0, '', [], {}, { prompt: 'x' }]) {
    expect((await job(kind, { body: { input, anything: 'else' } })).status).toBe(200);
  }
});

function bodyOf(bytes: number): string {
  const empty = '{"input":{"echo":1,"pad":""}}';
  return `${empty.slice(0, -3)}${'x'.repeat(bytes - empty.length)}"}}`;
}

/** A body without a declared length, in pieces. */
function inPieces(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const size = 1_000_003;
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

test.for(limitsOf('content-bytes'))(
  '$id: the documented size is taken, a byte beyond its upper reading is not',
  async (limit) => {
    const { job } = harness();
    const kind = limit.budget === 'run' ? 'run' : 'runsync';
    for (const bytes of [limit.value, limit.upperReading]) {
      expect((await job(kind, { rawBody: inPieces(bodyOf(bytes)) })).status).toBe(200);
    }
    const refused = await job(kind, { rawBody: inPieces(bodyOf(limit.upperReading + 1)) });
    expect(refused.status).toBe(413);
    expect((await job('health')).body).toMatchObject({ jobs: { completed: 2, inQueue: 0, inProgress: 0 } });
  },
);

test('the size is refused by its declaration alone, before any byte of the body', async () => {
  const { job } = harness();
  const headers = { 'content-length': String((runLimit?.upperReading ?? 0) + 1) };
  expect((await job('run', { rawBody: new ReadableStream<Uint8Array>(), headers })).status).toBe(413);
});

test('the decimal reading and another status can be chosen', async () => {
  const { job } = harness({ payloadReading: 'decimal', oversizeStatus: 400 });
  const bytes = runLimit?.value ?? 0;
  expect((await job('run', { rawBody: bodyOf(bytes) })).status).toBe(200);
  expect((await job('run', { rawBody: bodyOf(bytes + 1) })).status).toBe(400);
});

/** A queue filled to `queued` jobs while all workers are busy; what the next submission gets. */
async function statusAt(kind: 'run' | 'runsync', workersMax: number, queued: number, measured: 'before' | 'after') {
  // Filling goes through run, so run's own rule is off where runsync's is looked at.
  const off = { 'run.rate': 'off', 'run.queue': 'off' } as const;
  const filled = harness({
    instances: [{ instId: 'inst-1', workersMax }],
    limits: kind === 'run' ? { 'run.rate': 'off' } : off,
    queueMeasured: measured,
  });
  for (let count = 0; count < workersMax + queued; count += 1) await filled.submit({ delay_ms: 60_000 });
  const health = await filled.job('health');
  const answer = await filled.job(kind, { body: { input: {} }, query: '?wait=1' });
  filled.service.close();
  return { status: answer.status, inQueue: field(health.body, 'jobs', 'inQueue'), answer };
}

const table = kinds.flatMap((kind) => [0, 1, 2].map((workersMax) => ({ kind, workersMax })));

test.for(table)(
  '$kind with WorkersMax $workersMax: refused only beyond the border of the queue',
  async ({ kind, workersMax }) => {
    const limit = limitFor('queue', kind);
    if (!limit) throw new Error('the table has no such row');
    const border = queueBorder(limit, workersMax);
    // The job that comes to a queue of `border` jobs is let in; the next one finds border + 1.
    const at = await statusAt(kind, workersMax, border, 'before');
    expect(at).toMatchObject({ inQueue: border, status: 200 });
    const beyond = await statusAt(kind, workersMax, border + 1, 'before');
    expect(beyond).toMatchObject({ inQueue: border + 1, status: limit.status });
    expect(beyond.answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  },
);

test('measured after insertion the border comes one job earlier', async () => {
  const limit = limitFor('queue', 'run');
  const border = limit ? queueBorder(limit, 0) : 0;
  expect((await statusAt('run', 0, border - 1, 'after')).status).toBe(200);
  expect((await statusAt('run', 0, border, 'after')).status).toBe(429);
});

test('after a purge of a full queue jobs are taken again', async () => {
  const { job, submit } = harness();
  const limit = limitFor('queue', 'run');
  const full = limit ? queueBorder(limit, 0) + 1 : 0;
  for (let count = 0; count < full; count += 1) await submit({}, { instId: 'inst-none' });
  expect((await job('run', { instId: 'inst-none', body: { input: 1 } })).status).toBe(429);
  expect((await job('purge-queue', { instId: 'inst-none' })).body).toEqual({ removed: full, status: 'completed' });
  expect((await job('run', { instId: 'inst-none', body: { input: 1 } })).status).toBe(200);
});

test('the policy of a job is kept within its bounds', async () => {
  const { job, submit, clock, stateOf } = harness();
  const id = await submit({ delay_ms: 60_000 }, { policy: { executionTimeout: 6000, ttl: 20_000 } });
  await clock.sleep(6001);
  expect(await stateOf(id)).toBe('TIMED_OUT');
  const short = await submit({ delay_ms: 60_000 }, { policy: { executionTimeout: 1 } });
  await clock.sleep(4999);
  expect(await stateOf(short)).toBe('IN_PROGRESS');
  await clock.sleep(2);
  expect(await stateOf(short)).toBe('TIMED_OUT');
  const odd = await job('runsync', { body: { input: { echo: 1 }, policy: 'fast' } });
  expect(field(odd.body, 'status')).toBe('COMPLETED');
});
