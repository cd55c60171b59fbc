import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { latencyRows, latencyRowsOf } from './rows.ts';
import { mergedSamples, readSamples, SAMPLES_FILE, samplesOf, writeSamples } from './samples.ts';
import { streamRows, streamRowsOf } from './streams.ts';
import { facts, requests, streamFacts } from './testing/paced.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'proofload-samples-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const times = Array.from({ length: 150 }, (_, index) => 1 + index * 0.123456);
const own = requests('run', { dueToEndMs: times, sentToEndMs: times, sentToFirstByteMs: times });
const load = [
  facts([{ phase: 'pace', periodMs: 10, planned: { run: 150 }, tookMs: 1490, requests: [own] }]),
  streamFacts([{ status: 200, tokensMs: [1.2345, 2.3456, 9], wholeMs: 10 }]),
];

test('what is read again makes the same rows', async () => {
  await writeSamples(samplesOf(load), dir);
  const samples = await readSamples(dir);
  expect(latencyRowsOf(samples?.latency ?? [])).toEqual(latencyRows(load));
  expect(streamRowsOf(samples?.streams ?? [])).toEqual(streamRows(load));
});

test('equal samples are equal files, and small ones', async () => {
  await writeSamples(samplesOf(load), dir);
  const first = await readFile(join(dir, SAMPLES_FILE));
  await writeSamples(samplesOf(load), dir);
  expect(await readFile(join(dir, SAMPLES_FILE))).toEqual(first);
  expect(first.length).toBeLessThan(2000);
});

test('a run without any leaves no file, and a directory without a file has none', async () => {
  await writeSamples(samplesOf([]), dir);
  expect(await readdir(dir)).toEqual([]);
  expect(await readSamples(dir)).toBeNull();
});

test('those of several runs are all of them', () => {
  const one = samplesOf(load);
  expect(latencyRowsOf(mergedSamples([one, one]).latency)[0]?.requests).toBe(300);
});

test.each([
  ['cut short', (bytes: Buffer) => bytes.subarray(0, 40), /is cut short or was written by something else/],
  ["somebody else's", () => Buffer.from('hello'), /is cut short or was written by something else/],
])('a file that is %s is reported', async (_, change, message) => {
  await writeSamples(samplesOf(load), dir);
  const path = join(dir, SAMPLES_FILE);
  await writeFile(path, change(await readFile(path)));
  await expect(readSamples(dir)).rejects.toThrow(message);
});

test('a file that cannot be read is reported, and not mistaken for none', async () => {
  await mkdir(join(dir, SAMPLES_FILE));
  await expect(readSamples(dir)).rejects.toThrow(/samples\.json\.gz cannot be read \(EISDIR\)/);
});
