/** The whole path of a probe that needs no k6: planned, sent to the reference over a socket, analysed. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultOptions } from '../reference/options.ts';
import { serve } from '../reference/server.ts';
import { limitFor } from '../schemas/limits.ts';
import { silent } from '../schemas/progress.ts';
import type { TargetConfig } from '../schemas/target.ts';
import { planLoad, runLoad } from './index.ts';

const KEY = 'run-e2e-key';
let dir = '';
let server: Awaited<ReturnType<typeof serve>>;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'proofload-run-'));
  server = await serve({ ...defaultOptions({}), accessKeys: [KEY] });
});
afterEach(async () => {
  await server.close();
  rmSync(dir, { recursive: true });
});

function run(only: readonly string[], signal: AbortSignal) {
  const endpoints = [{ instId: 'inst-1', workersMax: 3, dedicated: true }];
  const target: TargetConfig = { kind: 'reference', baseUrl: null, jobBaseUrl: server.url, endpoints, model: null };
  const plan = planLoad({ target, profile: 'gate', only, calibration: null });
  const credentials = { accessKey: null, jobKey: KEY, brokeKey: null, otherKey: null };
  return runLoad({ plan, credentials, runId: 'run-1', k6Bin: 'not-needed', dir, progress: silent, signal });
}

test('requests held open find the limit to the unit, and the ledger is kept', async () => {
  const facts = await run(['cancel.concurrency.*'], new AbortController().signal);
  const limit = limitFor('concurrent-requests', 'cancel')?.value ?? 0;
  expect(facts).toHaveLength(1);
  expect(facts[0]).toMatchObject({
    kind: 'concurrency',
    within: { opened: limit, held: limit, refusedEarly: 0 },
    beyond: { held: 0, refusedEarly: 3 },
    health: { complete: true },
  });
  expect(existsSync(join(dir, 'ledger', 'cancel.concurrency.ndjson.gz'))).toBe(true);
});

test('stopped in the middle, it says so for every check', async () => {
  const controller = new AbortController();
  const running = run(['cancel.concurrency.*', 'requests.concurrency.*'], controller.signal);
  controller.abort();
  const facts = await running;
  expect(facts.map((one) => one.kind === 'missing' && one.outcome)).toEqual(
    facts.map(() => expect.objectContaining({ kind: 'skipped', by: 'interrupt' })),
  );
});
