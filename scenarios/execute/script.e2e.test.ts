/** What becomes of a script's output, with a stand-in for k6 that writes what it is told to. */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { decodeLedger, encodeMark } from '../../schemas/ledger.ts';
import type { Probe } from '../probe.ts';
import type { ProbeEnvironment } from './environment.ts';
import { executeProbe } from './index.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proofload-test-'));
  await mkdir(join(folder, 'scripts'));
  await writeFile(join(folder, 'scripts', 'unlimited.js'), '');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const probe: Probe = {
  id: 'health.unlimited',
  title: '',
  checkIds: [],
  parameters: {
    kind: 'unlimited',
    instId: 'inst-1',
    operation: 'health',
    vus: 1,
    periodMs: 1,
    durationMs: 1,
    windowMs: 1,
  },
  requests: 1,
  bytes: 0,
  estimateMs: 1000,
  floorMs: 0,
  exclusive: [],
};

const start = encodeMark({ mark: 'start', wallMs: 5000, monotonicMs: 0 });
const end = encodeMark({ mark: 'end', wallMs: 6000, monotonicMs: 1000 });

/** Writes the lines to the ledger file it was given, copies what it knows into the log, and ends with the code. */
async function execute(
  lines: readonly string[],
  exitCode: number,
  changes: Partial<ProbeEnvironment> = {},
  says: readonly string[] = [],
) {
  const standIn = join(folder, 'stand-in');
  const body = [
    '#!/bin/sh',
    'while [ $# -gt 1 ]; do [ "$1" = --console-output ] && file=$2; shift; done',
    ...lines.map((line) => `echo '${line}' >> "$file"`),
    ...says.map((line) => `echo '${line}' >&2`),
    'cat "$PARAMETERS_FILE"; echo; echo "$PARAMETERS_FILE $file"',
    `exit ${exitCode}`,
  ];
  await writeFile(standIn, body.join('\n'));
  await chmod(standIn, 0o755);
  const env: ProbeEnvironment = {
    target: {
      kind: 'remote',
      baseUrl: null,
      jobBaseUrl: 'http://127.0.0.1:9',
      endpoints: [{ instId: 'inst-1', workersMax: 3, dedicated: true }],
      model: null,
    },
    credentials: { accessKey: 'secret-1', jobKey: 'secret-2', brokeKey: 'secret-3', otherKey: 'secret-4' },
    runId: 'run-1',
    k6Bin: standIn,
    dir: join(folder, 'run'),
    signal: new AbortController().signal,
    progress: () => {},
    ...changes,
  };
  return executeProbe(probe, env, join(folder, 'scripts'));
}

const log = () => readFile(join(folder, 'run', 'k6', 'health.unlimited.log'), 'utf8');

test('the ledger is returned, kept packed, and the log stands next to it', async () => {
  const text = await execute([start, end], 0);
  expect(decodeLedger(text).marks.map(({ mark }) => mark)).toEqual(['start', 'end']);
  const packed = await readFile(join(folder, 'run', 'ledger', 'health.unlimited.ndjson.gz'));
  expect(gunzipSync(packed).toString()).toBe(text);
  expect(await log()).toContain('k6 ended with exit code 0');
});

test.each([99, 105, 107, 108])('an end mark does not stand when k6 ended with %i', async (exitCode) => {
  const text = await execute([start, end], exitCode);
  expect(decodeLedger(text).marks.map(({ mark }) => mark)).toEqual(['start']);
});

test('lines that k6 could not write are counted in the ledger, though it ended as if all were well', async () => {
  const complaint = 'Failed to write to log, write /tmp/ledger: no space left on device';
  const ledger = decodeLedger(await execute([start, end], 0, {}, [complaint, 'something else', complaint]));
  expect(ledger).toMatchObject({ lost: { lines: 2, why: 'no space left on device' }, unreadable: 0 });
});

test('the machine that sent it is in the ledger, and nothing lost where nothing was', async () => {
  const { machine, lost } = decodeLedger(await execute([start, end], 0, {}, ['something else']));
  expect(machine).toMatchObject({ loopLagMs: null });
  expect(lost).toBeUndefined();
});

test('a script that wrote nothing gives an empty ledger', async () => {
  expect(decodeLedger(await execute([], 107))).toMatchObject({ entries: [], marks: [], unreadable: 0 });
});

test('the script gets everything but the keys, and of those its own through the environment', async () => {
  await execute([start, end], 0);
  const said = await log();
  const reported = JSON.parse(said.split('\n')[0] ?? '');
  expect(reported).toMatchObject({ probe: probe.parameters, workersMax: 3, addresses: { instId: 'inst-1' } });
  expect(reported.patienceMs).toBeGreaterThan(probe.estimateMs);
  expect(said).not.toContain('secret');
});

test('nothing is left in the temporary folder', async () => {
  const own = join(folder, 'tmp');
  await mkdir(own);
  vi.stubEnv('TMPDIR', own);
  try {
    await execute([start, end], 0);
    expect(await log()).toContain(own);
    expect(await readdir(own)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
  }
});

test('after an abort nothing is started', async () => {
  expect(await execute([start, end], 0, { signal: AbortSignal.abort() })).toBe('');
});

test('a missing script says what to do', async () => {
  await rm(join(folder, 'scripts'), { recursive: true });
  await expect(execute([], 0)).rejects.toThrow(/unlimited\.js is missing.*npm run build/);
});
