/** The Python packages `openai` and `runpod`, unmodified, over a socket. Each script prints what its client returned. */
import { beforeAll, describe, expect, test } from 'vitest';
import { defaultModels } from '../inference/models.ts';
import type { ReferenceOptions } from '../options.ts';
import { BROKE_KEY, field, KEY } from '../testing/harness.ts';
import { countOf, overSocket, type Place } from './testing/place.ts';
import { pythonVersion, pythonWithClients, runScript } from './testing/python.ts';
import { clients } from './testing/table.ts';

const version = pythonVersion();
/** A first install fetches some forty packages. */
const INSTALL_MS = 300_000;
const WANTED = { city: expect.any(String), days: expect.any(Number) };
let python = '';

interface Told {
  /** What the script printed. */
  readonly told: unknown;
  readonly place: Place;
}

/** What a script printed, from the version that the documentation names. */
function reportedBy(name: string, printed: unknown): unknown {
  expect(field(printed, 'version')).toBe(clients.find((one) => one.python && one.name === name)?.version);
  return field(printed, 'told');
}

async function openai(scene: string, overrides: Partial<ReferenceOptions>): Promise<Told> {
  const place = await overSocket(overrides);
  const variables = { OPENAI_BASE_URL: `${place.url}/v1`, OPENAI_API_KEY: KEY, BROKE_KEY };
  return { told: reportedBy('openai', await runScript(python, ['openai_client.py', scene], variables)), place };
}

async function runpod(scene: string, overrides: Partial<ReferenceOptions> = {}): Promise<Told> {
  const place = await overSocket(overrides);
  const variables = { RUNPOD_ENDPOINT_BASE_URL: `${place.url}/api/v1/sl`, RUNPOD_API_KEY: KEY };
  return { told: reportedBy('runpod', await runScript(python, ['runpod_client.py', scene], variables)), place };
}

/** The one value that a list holds again and again. */
function only(list: unknown): unknown {
  const [first, ...others] = Array.isArray(list) ? new Set<unknown>(list) : [];
  expect(others).toEqual([]);
  return first;
}

const counts = (jobs: object, workers: object): object => ({ jobs, workers });

describe.skipIf(version === null)(version === null ? 'skipped: no python3' : 'in Python', () => {
  beforeAll(async () => {
    if (version !== null) python = await pythonWithClients(version);
  }, INSTALL_MS);

  test('openai: models, chats, streams, tools, completions, the async client, refusals', async () => {
    const { told } = await openai('everything', { inferencePayloadBytes: 100_000 });
    expect(told).toMatchObject({
      models: { ids: defaultModels.map(({ id }) => id), one: 'acme' },
      chats: { finish: 'stop', request_id: expect.stringMatching(/^req_/) },
      tools: { name: 'weather', arguments: WANTED, streamed: WANTED, shaped: WANTED },
      completions: { finish: 'length' },
      refusals: [
        ['AuthenticationError', 401, 'invalid_api_key'],
        ['APIStatusError', 402, 'insufficient_balance'],
        ['NotFoundError', 404, 'model_not_found'],
        ['BadRequestError', 400, 'invalid_value'],
        ['APIStatusError', 413, 'request_too_large'],
      ],
    });
    expect(only(field(told, 'chats', 'texts'))).toMatch(/\w/);
    expect(only(field(told, 'chats', 'usage'))).toBeGreaterThan(0);
    const completion = only(field(told, 'completions', 'texts'));
    expect(field(told, 'completions', 'echoed')).toBe(`Once${completion}`);
    expect(new Set(Object.values(field(told, 'side_by_side', 'texts') ?? {})).size).toBe(3);
    expect(field(told, 'side_by_side', 'streamed')).toBe(field(told, 'side_by_side', 'texts', 0));
  });

  test('openai: a stream that is left frees its slot', async () => {
    const { told } = await openai('given_up', { limits: { 'inference.concurrency': 1 }, interTokenMs: 20 });
    expect(told).toBe(3);
  });

  test('runpod: run, run_sync, status, output, and a job that fails', async () => {
    const { told } = await runpod('jobs');
    expect(told).toEqual({
      early: 'IN_PROGRESS',
      output: { a: [1, 'ü'] },
      late: 'COMPLETED',
      again: { a: [1, 'ü'] },
      sync: 'now',
      wrapped: 'bare',
      wrapped_twice: { input: {} },
      failed: 'FAILED',
      failed_output: null,
      failed_sync: null,
    });
  });

  test('runpod: stream yields every chunk once', async () => {
    const { told, place } = await runpod('streams');
    expect(told).toEqual({ chunks: [{ chunk: 0 }, { chunk: 1 }, { chunk: 2 }], again: [], plain: [] });
    // Every call brings a chunk or the end: at most four for the first, then two that find nothing left to bring.
    expect(countOf(place, 'stream')).toBeLessThanOrEqual(6);
  });

  test('runpod: health, cancel, purge_queue', async () => {
    const { told } = await runpod('queue');
    const workers = { idle: 0, initializing: 0, ready: 0, running: 0, throttled: 0, unhealthy: 0 };
    const jobs = { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 };
    expect(told).toEqual({
      before: counts({ ...jobs, inQueue: 1 }, workers),
      cancelled: { id: expect.any(String), status: 'CANCELLED' },
      cancelled_status: 'CANCELLED',
      purged: { removed: 1, status: 'completed' },
      purged_status: 'CANCELLED',
      after: counts(jobs, workers),
    });
  });

  test('runpod: the asynchronous endpoint', async () => {
    const { told } = await runpod('side_by_side');
    expect(told).toMatchObject({
      impatient: 'Job timed out.',
      outputs: [0, 1, 2],
      states: ['COMPLETED', 'COMPLETED', 'COMPLETED'],
      chunks: [{ chunk: 0 }, { chunk: 1 }],
      cancelled: 'CANCELLED',
      health: { jobs: { inQueue: 1 } },
      purged: { removed: 1, status: 'completed' },
    });
  });

  test('runpod: refusals are raised', async () => {
    const { told } = await runpod('refusals', { limits: { 'run.rate': 0 } });
    expect(told).toEqual([
      ['RuntimeError', null],
      ['HTTPError', 404],
      ['HTTPError', 429],
    ]);
  });

  test('runpod: a refused status is retried when Retry-After says', async () => {
    const { told, place } = await runpod('patience', {
      limits: { 'status.rate': 1 },
      windows: { 'status.rate': 1500 },
    });
    expect(told).toMatchObject({ states: ['IN_PROGRESS', 'IN_PROGRESS'], cancelled: 'CANCELLED' });
    expect(field(told, 'seconds')).toBeGreaterThanOrEqual(2);
    const requested = place.answered.filter(({ id }) => id === 'status').map(({ refusedBy }) => refusedBy);
    expect(requested).toEqual([null, 'requests', null]);
  });

  test('runpod, known bug: the stream of a cancelled job ends only when the job is forgotten', async () => {
    const { told, place } = await runpod('cancelled_stream', { limits: { 'run.retention': 3500 } });
    expect(told).toEqual({ chunks: [], status: 404 });
    expect(countOf(place, 'stream')).toBeGreaterThanOrEqual(3);
  });
});
