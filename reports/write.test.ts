import { mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { clauses } from '../schemas/clauses/index.ts';
import { UsageError } from '../schemas/target.ts';
import { MASK } from './redact.ts';
import { exchange, sampleResults } from './testing/fixtures.ts';
import { readResults, rerender, writeReport } from './write.ts';

const KEY = 'pl_live+a&b<c|d_0123456789';
const options = { secrets: [KEY, null], clauses };
const FILES = ['junit.xml', 'report.html', 'results.json', 'summary.md'];

let out = '';
beforeEach(async () => {
  out = await mkdtemp(join(tmpdir(), 'proofload-'));
});
afterEach(() => rm(out, { recursive: true, force: true }));

const read = (...path: string[]): Promise<string> => readFile(join(out, ...path), 'utf8');

test('a run leaves four files and the pointer to it', async () => {
  const kept = { ...options, latest: true };
  const { paths, results } = await writeReport(sampleResults('failing'), join(out, 'run-1'), kept);
  expect((await readdir(join(out, 'run-1'))).sort()).toEqual(FILES);
  expect(await readlink(join(out, 'latest'))).toBe('run-1');
  expect(paths).toMatchObject({ html: join(out, 'run-1', 'report.html'), latest: join(out, 'latest') });
  expect(results.exitCode).toBe(1);
  expect(await readResults(join(out, 'latest'))).toEqual(results);
});

test('a directory of its own gets nothing next to it', async () => {
  const { paths } = await writeReport(sampleResults('failing'), join(out, 'chosen'), options);
  expect(paths.latest).toBeNull();
  expect(await readdir(out)).toEqual(['chosen']);
});

test('a key that the target sends back is in no file, in no wrapping', async () => {
  const sample = sampleResults('failing');
  const wrappings = [KEY, `Bearer ${KEY}`, encodeURIComponent(KEY), Buffer.from(`Bearer ${KEY}`).toString('base64')];
  const leaking = {
    ...sample,
    target: { ...sample.target, baseUrl: `http://u:${encodeURIComponent(KEY)}@x` },
    checks: sample.checks.map((one, index) => {
      const text = `seen ${wrappings[index % wrappings.length]} here ${'x'.repeat(280)}${KEY}`;
      const exchanges = [
        exchange({
          url: `http://x/?key=${encodeURIComponent(KEY)}`,
          requestHeaders: { [KEY]: text },
          responseBody: text,
        }),
      ];
      return { ...one, observed: text, reason: text, evidence: { exchanges } };
    }),
  };
  await writeReport(leaking, join(out, 'run-1'), options);
  for (const file of FILES) {
    const text = await read('run-1', file);
    expect(text).toContain(file === 'summary.md' ? 'masked' : MASK);
    expect(text).not.toContain('0123456789');
    for (const wrapping of wrappings) expect(text).not.toContain(wrapping);
    expect(text).not.toContain('pl_live');
    expect(text).not.toContain('pl\\_live');
  }
});

test('results that break their own schema are written, as an error of ours', async () => {
  const sample = sampleResults('passing');
  const broken = { ...sample, run: { ...sample.run, startedAt: 'yesterday' } };
  const { results } = await writeReport(broken, join(out, 'run-1'), options);
  expect(results).toMatchObject({ complete: false, verdict: 'error', exitCode: 2 });
  expect(JSON.parse(await read('run-1', 'results.json'))).toMatchObject({ exitCode: 2, verdict: 'error' });
  expect(await read('run-1', 'report.html')).toContain('breaks its own schema (/run/startedAt');
  expect(await read('run-1', 'junit.xml')).toContain('<error type="incomplete"');
});

test('a broken promise stays broken when the file is broken too', async () => {
  const sample = sampleResults('failing');
  const { results } = await writeReport({ ...sample, run: { ...sample.run, startedAt: 'x' } }, join(out, 'r'), options);
  expect(results).toMatchObject({ verdict: 'fail', exitCode: 1, complete: false });
});

test('a place that cannot be written is reported with --out', async () => {
  await writeFile(join(out, 'file'), '');
  const writing = writeReport(sampleResults('passing'), join(out, 'file', 'run-1'), options);
  await expect(writing).rejects.toThrow(UsageError);
  await expect(writing).rejects.toThrow('--out');
});

test('rendering again gives the same files', async () => {
  await writeReport(sampleResults('failing'), join(out, 'run-1'), options);
  const before = await Promise.all(FILES.map((file) => read('run-1', file)));
  await writeFile(join(out, 'run-1', 'report.html'), 'old');
  await rerender(join(out, 'run-1'), options);
  expect(await Promise.all(FILES.map((file) => read('run-1', file)))).toEqual(before);
});

test('rendering again masks a key that an older report still held', async () => {
  const sample = sampleResults('passing');
  const [first, ...others] = sample.checks;
  const old = { ...sample, schemaVersion: 1, checks: [{ ...first, observed: `got ${KEY}` }, ...others] };
  await writeFile(join(out, 'results.json'), JSON.stringify(old));
  const { results } = await rerender(out, options);
  expect(results.checks[0]?.observed).toBe(`got ${MASK}`);
  for (const file of FILES) expect(await read(file)).not.toContain('pl_live');
});

test('rendering again does not move the pointer to the newest run', async () => {
  for (const run of ['run-1', 'run-2']) {
    await writeReport(sampleResults('passing'), join(out, run), { ...options, latest: true });
  }
  const { paths } = await rerender(join(out, 'run-1'), options);
  expect(paths.latest).toBeNull();
  expect(await readlink(join(out, 'latest'))).toBe('run-2');
});

test('a run whose files cannot be replaced is reported with --out', async () => {
  await writeReport(sampleResults('passing'), join(out, 'run-1'), options);
  await rm(join(out, 'run-1', 'report.html'));
  await mkdir(join(out, 'run-1', 'report.html'));
  await expect(rerender(join(out, 'run-1'), options)).rejects.toThrow('--out');
});

test.each([
  ['nothing', null, 'there is no'],
  ['no JSON', '{"schemaVersion": 1, ', 'is not JSON'],
  ['another version', '{"schemaVersion": 99}', 'schemaVersion 99'],
  ['another thing', '[]', 'schemaVersion null'],
  ['a broken file', '{"schemaVersion": 2}', 'breaks the schema'],
  ['a broken file of an earlier version', '{"schemaVersion": 1}', 'breaks the schema'],
])('a directory with %s is refused with the reason', async (_, text, message) => {
  if (text !== null) await writeFile(join(out, 'results.json'), text);
  const again = rerender(out, options);
  await expect(again).rejects.toThrow(UsageError);
  await expect(again).rejects.toThrow(message);
});
