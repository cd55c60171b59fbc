/** Every mutant has to be a mutant: planted where it says, visible from outside, and harmless elsewhere. */
import { expect, test } from 'vitest';
import { clauseById } from '../schemas/clauses/index.ts';
import { limits } from '../schemas/limits.ts';
import { loadChecks } from '../schemas/load-checks.ts';
import { applyMutants, mutantNamed, mutants } from './mutants.ts';
import { BROKE_KEY, field, type Harness, harness, KEY } from './testing/harness.ts';

const SLOW = { delay_ms: 3_600_000 };

/** The reference with one mutant, or without any. */
function with_(name: string | null): Harness {
  return harness(name === null ? {} : applyMutants(harness().options, [name]));
}

test('names are unique, and each says what it does and what it must turn red', () => {
  expect(new Set(mutants.map((one) => one.name)).size).toBe(mutants.length);
  expect(mutants.length).toBeGreaterThanOrEqual(20);
  for (const one of mutants) {
    expect(one.does).toMatch(/^[a-z].*[^.]$/);
    expect(one.clauses.length).toBeGreaterThan(0);
    expect([...one.turnsRed, ...(one.warns ?? [])].length).toBeGreaterThan(0);
  }
});

test('where a load check is named, it exists', () => {
  const known = new Set(loadChecks.map((check) => check.id));
  const limitIds = new Set(limits.map((limit) => limit.id));
  for (const id of mutants.flatMap((one) => one.turnsRed)) {
    const isLoad = limitIds.has(id.split('.').slice(0, 2).join('.')) && !id.includes('.retention.');
    if (isLoad) expect(known).toContain(id);
  }
});

test('every clause a mutant breaks is one of the catalogue', () => {
  for (const id of mutants.flatMap((one) => one.clauses)) expect(clauseById(id)?.id).toBe(id);
});

test('every limit has a mutant', () => {
  const broken = new Set(mutants.flatMap((one) => one.clauses));
  for (const limit of limits) expect(broken).toContain(limit.id);
});

test('an unknown name is an error that lists the known ones', () => {
  expect(mutantNamed('nothing')).toBeUndefined();
  expect(() => applyMutants(harness().options, ['nothing'])).toThrow(/no mutant 'nothing'; there are: .*queue-or/);
});

test('mutants can be planted together', () => {
  const options = applyMutants(harness().options, ['run-rate-lowered', 'payload-8mb', 'queue-or']);
  expect(options.limits).toEqual({ 'run.rate': 900, 'run.payload': 7_999_999 });
  expect(options.rules.queueRefuses(51, 1, { value: 50, perWorker: 500 } as never)).toBe(true);
});

/** What each fault looks like from outside: the same question to the sound and to the faulty reference. */
const visible: Readonly<Record<string, (one: Harness) => Promise<unknown>>> = {
  'health-rate-limited': async ({ job }) => {
    const statuses = await Promise.all(Array.from({ length: 1200 }, async () => (await job('health')).status));
    return statuses.includes(429);
  },
  'queue-or': (one) => afterQueued(one, 'inst-queue', 60),
  'queue-never-refuses': (one) => afterQueued(one, 'inst-none', 60),
  'queue-border-early': (one) => afterQueued(one, 'inst-none', 45),
  'queue-border-late': (one) => afterQueued(one, 'inst-none', 55),
  'run-retention-20min': async (one) => {
    const id = await one.submit({ echo: 1 });
    await one.clock.sleep(25 * 60_000);
    return one.stateOf(id);
  },
  'runsync-retention-30s': async (one) => {
    const answer = await one.job('runsync', { body: { input: { echo: 1 } } });
    await one.clock.sleep(45_000);
    return one.stateOf(String(field(answer.body, 'id')));
  },
  'purge-kills-running': async (one) => {
    const id = await one.submit(SLOW);
    await one.job('purge-queue');
    return one.stateOf(id);
  },
  'purge-does-nothing': async (one) => {
    const id = await one.submit({}, { instId: 'inst-none' });
    await one.job('purge-queue', { instId: 'inst-none' });
    return one.stateOf(id, 'inst-none');
  },
  'cancel-does-nothing': (one) => afterCancel(one, 'inst-none'),
  'cancel-queued-only': (one) => afterCancel(one, 'inst-1'),
  'models-without-key': async ({ ask }) => (await ask('/v1/models', { headers: { authorization: '' } })).status,
  'chat-without-key': (one) => stranger(one, '/v1/chat/completions'),
  'completions-without-key': (one) => stranger(one, '/v1/completions'),
  'no-balance-check': async ({ ask }) =>
    (await ask('/v1/completions', { method: 'POST', headers: { authorization: `Bearer ${BROKE_KEY}` }, body: {} }))
      .status,
  'status-of-another-job': async (one) => {
    const [first, second] = [await one.submit({ echo: 1 }), await one.submit({ echo: 2 })];
    const ids = [];
    for (const jobId of [first, second]) ids.push(field((await one.job('status', { jobId })).body, 'id'));
    return ids[0] === first && ids[1] === second;
  },
  'runsync-does-not-wait': async ({ job }) =>
    field((await job('runsync', { body: { input: { delay_ms: 50 } } })).body, 'status'),
  'stream-drops-last': async (one) => {
    const jobId = await one.submit({ chunks: 3 });
    await one.clock.sleep(1);
    return (field((await one.job('stream', { jobId })).body, 'stream') as unknown[]).length;
  },
  'stream-buffered': async (one) => {
    const jobId = await one.submit({ chunks: 3, chunk_delay_ms: 1000 });
    await one.clock.sleep(1500);
    return field((await one.job('stream', { jobId, query: '?wait=10' })).body, 'stream');
  },
  'health-counts-wrong': async (one) => {
    for (let count = 0; count < 5; count += 1) await one.submit(SLOW);
    return (await one.job('health')).body;
  },
  'models-without-data': async ({ ask }) => Object.keys((await ask('/v1/models')).body ?? {}),
  'models-empty': async ({ ask }) => (field((await ask('/v1/models')).body, 'data') as unknown[]).length,
  'stream-without-done': async ({ ask }) => {
    const body = { model: 'acme/base-70b', prompt: 'x', stream: true };
    return (await ask('/v1/completions', { method: 'POST', body })).text.endsWith('data: [DONE]\n\n');
  },
  'status-rate-not-shared': (one) => statusesOf(one, 1500, 'rate'),
  'run-slot-leaked': async ({ job, options }) => {
    for (let count = 0; count < 250; count += 1) {
      const gone = new AbortController();
      const asked = job('run', { rawBody: new ReadableStream<Uint8Array>(), signal: gone.signal }).catch(() => 'gone');
      gone.abort();
      await asked;
    }
    expect(options.accessKeys).toContain(KEY);
    return (await job('run', { body: { input: 1 } })).status;
  },
};

async function stranger({ ask }: Harness, path: string): Promise<number> {
  return (await ask(path, { method: 'POST', headers: { authorization: 'Bearer wrong' }, body: {} })).status;
}

async function afterQueued(one: Harness, instId: string, count: number): Promise<number | undefined> {
  let status: number | undefined;
  for (let sent = 0; sent < count; sent += 1) status = (await one.job('run', { instId, body: { input: SLOW } })).status;
  return status;
}

async function afterCancel(one: Harness, instId: string): Promise<string | number> {
  const jobId = await one.submit(SLOW, { instId });
  await one.job('cancel', { instId, jobId });
  return one.stateOf(jobId, instId);
}

/** Whether anything was refused when status and stream got `each` requests at once. */
async function statusesOf(one: Harness, each: number, word: string): Promise<boolean> {
  let refused = false;
  for (let sent = 0; sent < each; sent += 1) {
    for (const id of ['status', 'stream'] as const) {
      const answer = await one.job(id, { jobId: 'nobody' });
      refused ||= answer.status === 429 && answer.text.includes(word);
    }
  }
  return refused;
}

test.for(Object.entries(visible))('%s can be told from the sound reference', async ([name, look]) => {
  expect(mutantNamed(name)).toBeDefined();
  expect(await look(with_(name))).not.toEqual(await look(with_(null)));
});

test('the mutants not looked at above change a number of the limits table, or a window', () => {
  const rest = mutants.filter((one) => !(one.name in visible));
  for (const one of rest) {
    const before = harness().options;
    const after = one.apply(before);
    expect([after.limits, after.windows]).not.toEqual([before.limits, before.windows]);
    expect(after.rules).toBe(before.rules);
    const changed = [...Object.keys(after.limits), ...Object.keys(after.windows)];
    expect(changed).toEqual(one.clauses);
    expect(one.turnsRed.every((id) => id.startsWith(one.clauses[0] ?? ''))).toBe(true);
  }
});
