/**
 * Faults that only load shows have to be faults all the same: each can be told from outside, by the same question to the
 * sound and to the faulty reference. Which checks notice them is found out with k6.
 */
import { expect, test } from 'vitest';
import { limitsOf } from '../../schemas/limits.ts';
import { operation, operationPath } from '../../schemas/operations.ts';
import { applyMutants, mutantNamed, mutantThemes } from '../mutants.ts';
import { field, type Harness, harness, KEY } from '../testing/harness.ts';

const SLOW = { delay_ms: 3_600_000 };
const ONE_WINDOW = 1200;

/** The reference with one mutant, or without any. */
function with_(name: string | null): Harness {
  return harness(name === null ? {} : applyMutants(harness().options, [name]));
}

type Look = (one: Harness) => Promise<unknown>;

/** The status of a run over a connection of its own. */
async function runOver({ service }: Harness, connection: string, key = KEY): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const url = `http://reference${operationPath('run', { instId: 'inst-1' })}`;
  const request = new Request(url, { method: 'POST', headers, body: '{"input":1}' });
  return (await service.handle(request, { address: '192.0.2.1', connection })).status;
}

/** The statuses of so many requests one after the other, each once. */
async function statuses(count: number, request: (index: number) => Promise<number>): Promise<number[]> {
  const seen = new Set<number>();
  for (let index = 0; index < count; index += 1) seen.add(await request(index));
  return [...seen];
}

/** How many runs an endpoint without workers takes, and what becomes of a runsync after so many. */
const queueOf =
  (filled: number): Look =>
  async ({ job }) => {
    let accepted = 0;
    while (accepted < filled && (await job('run', { instId: 'inst-none', body: { input: 1 } })).status === 200) {
      accepted += 1;
    }
    const runsync = await job('runsync', { instId: 'inst-none', body: { input: 1 }, query: '?wait=1' });
    return [accepted, runsync.status];
  };

/** How many runs wait on an endpoint whose one worker is busy, when the first is refused. */
const oneWorker: Look = async (one) => {
  await one.submit(SLOW, { instId: 'inst-queue' });
  const run = () => one.job('run', { instId: 'inst-queue', body: { input: 1 } });
  let accepted = 0;
  while (accepted < 600 && (await run()).status === 200) accepted += 1;
  return accepted;
};

/** What becomes of a run when one job was taken out of a queue that had refused. */
const afterRoom: Look = async (one) => {
  const jobId = await one.submit({ echo: 1 }, { instId: 'inst-none' });
  await queueOf(60)(one);
  await one.job('cancel', { instId: 'inst-none', jobId });
  return (await one.job('run', { instId: 'inst-none', body: { input: 1 } })).status;
};

/** What is left right after the purge of a queue of thirty. */
const afterPurge: Look = async (one) => {
  const jobId = await one.submit({ echo: 1 }, { instId: 'inst-none' });
  await queueOf(29)(one);
  await one.job('purge-queue', { instId: 'inst-none' });
  const { body } = await one.job('health', { instId: 'inst-none' });
  return [field(body, 'jobs'), field((await one.job('status', { instId: 'inst-none', jobId })).body, 'status')];
};

/** The answer to a request beyond its rate. */
const refusedRate: Look = async ({ job }) => {
  let last = await job('purge-queue');
  for (let count = 0; count < 2; count += 1) last = await job('purge-queue');
  return [last.status, last.headers.get('retry-after'), last.headers.get('ratelimit')];
};

/** The answer to a request beyond what may be in flight. */
const refusedConcurrency: Look = async ({ job }) => {
  const gone = new AbortController();
  const open = Array.from({ length: 2 }, () =>
    job('requests', { received: new Promise(() => undefined), signal: gone.signal }).catch(() => null),
  );
  const { status, headers } = await job('requests');
  gone.abort();
  await Promise.all(open);
  return [status, headers.get('retry-after')];
};

const refusedQueue: Look = async ({ job }) => {
  let status = 0;
  for (let count = 0; count < 52; count += 1) {
    status = (await job('run', { instId: 'inst-none', body: { input: 1 } })).status;
  }
  return status;
};

/** What runsync waiting in a crowd of that many do to a status asked meanwhile. */
const inCrowd: Look = async (one) => {
  const jobId = await one.submit({ echo: 1 });
  await one.clock.sleep(1);
  const gone = new AbortController();
  const crowd = Array.from({ length: 120 }, () =>
    one.job('runsync', { body: { input: SLOW }, signal: gone.signal }).catch(() => null),
  );
  await one.clock.sleep(5);
  const { status, body } = await one.job('status', { jobId });
  gone.abort();
  await Promise.all(crowd);
  return [status, field(body, 'status')];
};

const chat = { model: 'acme/base-70b', messages: [{ role: 'user', content: 'x' }] };
const chatWith = ({ request }: Harness, more: object = {}) =>
  request('/v1/chat/completions', { method: 'POST', body: { ...chat, ...more } });

/** Whether an operation is refused after clients of it went away, where one request at once is allowed. */
const leaks: Readonly<Record<string, Look>> = Object.fromEntries(
  limitsOf('concurrent-requests').map(({ id, budget, operations: [requested = 'run'] }): [string, Look] => [
    `${budget}-slot-leaked`,
    async ({ options }) => {
      const narrow = harness({ ...options, limits: { [id]: 1 } });
      const gone = new AbortController();
      const received = new Promise<void>(() => undefined);
      const path = operationPath(requested, { instId: 'inst-1', jobId: 'nobody' });
      const { methods } = operation(requested);
      const request = (more: object) => narrow.request(path, { method: methods[0] ?? 'GET', ...more });
      const body = methods.includes('GET') ? { received } : { rawBody: new ReadableStream<Uint8Array>() };
      const left = request({ ...body, signal: gone.signal }).catch(() => null);
      await narrow.clock.sleep(1);
      gone.abort();
      await left;
      return (await request(methods.includes('GET') ? {} : { body: {} })).status;
    },
  ]),
);

/** What becomes of a job that waited while another endpoint was purged, when its worker is free. */
const afterPurgeElsewhere: Look = async (one) => {
  const instId = 'inst-queue';
  const held = await one.submit(SLOW, { instId });
  const jobId = await one.submit({ echo: 1 }, { instId });
  const state = async () => field((await one.job('status', { instId, jobId })).body, 'status');
  const before = await state();
  await one.job('purge-queue');
  await one.job('cancel', { instId, jobId: held });
  await one.clock.sleep(1000);
  return [before, await state()];
};

const visible: Readonly<Record<string, Look>> = {
  'purge-strands-others': afterPurgeElsewhere,
  'health-rate-limited': ({ job }) => statuses(ONE_WINDOW, async () => (await job('health')).status),
  'health-limited-at-the-highest': ({ job }) => statuses(2100, async () => (await job('health')).status),
  'status-rate-not-shared': (one) => shared(one, 1001),
  'stream-rate-apart': (one) => shared(one, 1001),
  'run-rate-per-connection': (one) => statuses(ONE_WINDOW, (index) => runOver(one, String(index % 2))),
  'run-rate-per-key': (one) => {
    const other = harness({ ...one.options, accessKeys: [KEY, 'another'] });
    return statuses(ONE_WINDOW, (index) => runOver(other, '1', index % 2 === 0 ? KEY : 'another'));
  },
  ...Object.fromEntries(limitsOf('requests').map(({ budget }) => [refusedWith(budget), besideExhausted(budget)])),
  'run-concurrency-per-connection': held,
  'inference-concurrency-per-key': async ({ options }) => {
    const two = harness({ ...options, accessKeys: [KEY, 'another'], limits: { 'inference.concurrency': 1 } });
    const first = chatWith(two, { max_tokens: 50 });
    const second = two.request('/v1/models', { headers: { authorization: 'Bearer another' } });
    return [(await first).status, (await second).status];
  },
  ...leaks,
  'run-slot-leaked-in-100': async ({ options }) => {
    const narrow = harness({ ...options, limits: { 'run.concurrency': 1 } });
    return statuses(150, async () => (await narrow.job('run', { body: { input: 1 } })).status);
  },
  'queue-or': queueOf(60),
  'queue-never-refuses': queueOf(60),
  'queue-border-early': queueOf(60),
  'queue-border-late': queueOf(60),
  'run-queue-early': queueOf(60),
  'run-queue-late': queueOf(60),
  'runsync-queue-early': queueOf(49),
  'runsync-queue-late': queueOf(51),
  'run-queue-one-early': queueOf(60),
  'run-queue-one-late': queueOf(60),
  'runsync-queue-one-early': queueOf(49),
  'runsync-queue-one-late': queueOf(51),
  'queue-0-workers-one-early': queueOf(60),
  'queue-0-workers-one-late': queueOf(60),
  'queue-1-workers-one-early': oneWorker,
  'queue-1-workers-one-late': oneWorker,
  'queue-stays-shut': afterRoom,
  'queue-border-each': queueOf(51),
  'queue-over-endpoints': async (one) => {
    await oneWorker(one);
    return (await one.job('run', { instId: 'inst-none', body: { input: 1 } })).status;
  },
  'purge-every-tenth-stays': afterPurge,
  'purge-late': afterPurge,
  'refusal-503': async (one) => [await refusedRate(one), await refusedConcurrency(one)],
  'rate-refusal-403': refusedRate,
  'rate-refusal-200': refusedRate,
  'rate-retry-after-now': refusedRate,
  'rate-fields-left': refusedRate,
  'refusal-without-retry-after': async (one) => [await refusedRate(one), await refusedConcurrency(one)],
  'run-queue-refusal-503': refusedQueue,
  'queue-refusal-200': refusedQueue,
  'status-500-in-a-crowd': inCrowd,
  'status-state-wrong-in-a-crowd': inCrowd,
  'chat-answers-of-others': async (one) => {
    const requested = (seed: number) => chatWith(one, { seed });
    const alone = field((await requested(2)).body, 'choices');
    await requested(3);
    const [together] = await Promise.all([requested(2), requested(3)]);
    return JSON.stringify(field(together.body, 'choices')) === JSON.stringify(alone);
  },
};

/** Whether anything was refused when status and stream got `each` requests at once. */
async function shared({ job }: Harness, each: number): Promise<number[]> {
  return statuses(each * 2, async (index) => {
    return (await job(index % 2 === 0 ? 'status' : 'stream', { jobId: 'nobody' })).status;
  });
}

/** What becomes of a run while as many as may be in flight are held open over another connection. */
async function held({ options }: Harness): Promise<number> {
  const narrow = harness({ ...options, limits: { 'run.concurrency': 1 } });
  const gone = new AbortController();
  const open = narrow.job('run', { rawBody: new ReadableStream<Uint8Array>(), signal: gone.signal }).catch(() => null);
  const status = await runOver(narrow, 'another');
  gone.abort();
  await open;
  return status;
}

function refusedWith(budget: string): string {
  return `${budget === 'cancel' ? 'requests' : 'cancel'}-refused-with-${budget}`;
}

/** What another operation is answered when the budget has just been exhausted. */
function besideExhausted(budget: string): Look {
  const [id] = limitsOf('requests').find((limit) => limit.budget === budget)?.operations ?? [];
  return async (one) => {
    if (!id) throw new Error(`no rate limit for ${budget}`);
    const narrow = harness({ ...one.options, limits: { [`${budget}.rate`]: 1 } });
    const jobId = 'unknown';
    const body = id === 'run' || id === 'runsync' ? { body: { input: 1 } } : {};
    for (let sent = 0; sent < 2; sent += 1) await narrow.job(id, { jobId, ...body });
    return (await narrow.job(budget === 'cancel' ? 'requests' : 'cancel', { jobId })).status;
  };
}

test.for(Object.entries(visible))('%s differs from the sound reference', { timeout: 30_000 }, async ([name, look]) => {
  expect(mutantNamed(name)).toBeDefined();
  expect(await look(with_(name))).not.toEqual(await look(with_(null)));
});

const byLoad = ['rates', 'concurrency', 'payload and queue', 'refusals'].flatMap((theme) => mutantThemes[theme] ?? []);

test('the others of these themes change a number of the limits table, or a window', () => {
  const rest = byLoad.filter((one) => !(one.name in visible));
  expect(rest.length).toBeGreaterThan(30);
  for (const one of rest) {
    const before = harness().options;
    const after = one.apply(before);
    expect([after.limits, after.windows]).not.toEqual([before.limits, before.windows]);
    expect(after.rules).toBe(before.rules);
    const changed = [...Object.keys(after.limits), ...Object.keys(after.windows)];
    expect(changed).toEqual(one.clauses);
    expect(one.killedBy.every((id) => id.startsWith(one.clauses[0] ?? ''))).toBe(true);
  }
});

test('a mutant that no check notices has a case here, or changes a number', () => {
  for (const one of Object.values(mutantThemes).flat()) {
    if (one.survives && !byLoad.includes(one)) expect(visible).toHaveProperty([one.name]);
  }
});
