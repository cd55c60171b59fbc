import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleResults } from '../../reports/testing/fixtures.ts';
import { githubJob } from './github.ts';

function recorder() {
  const texts: string[] = [];
  const stream = { write: (text: string) => texts.push(text) > 0 } as unknown as NodeJS.WriteStream;
  return { stream, lines: () => texts.join('').split('\n').slice(0, -1) };
}

test('nothing is said elsewhere than in GitHub Actions', async () => {
  const { stream, lines } = recorder();
  const job = githubJob({ env: {}, stderr: stream }, stream);
  await job.tell(sampleResults('failing'), '/nowhere');
  job.close();
  expect(lines()).toEqual([]);
});

test('commands are off until the annotations, which are commands, and the summary is added to the page', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'proofload-job-'));
  const [summary, page] = [join(dir, 'summary.md'), join(dir, 'page.md')];
  await writeFile(summary, '## ✕ Does not conform\n');
  await writeFile(page, 'before\n');
  const { stream, lines } = recorder();
  const job = githubJob({ env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: page }, stderr: stream }, stream);
  stream.write('::error::sent by a target\n');
  await job.tell(sampleResults('failing'), summary);
  job.close();
  const [begin = '', , end, ...rest] = lines();
  const word = /^::stop-commands::([\w-]{20,})$/.exec(begin)?.[1];
  expect(word).toBeDefined();
  expect(end).toBe(`::${word}::`);
  expect(rest).toHaveLength(5);
  for (const line of rest) expect(line).toMatch(/^::(error|warning) title=/);
  expect(await readFile(page, 'utf8')).toBe('before\n## ✕ Does not conform\n\n');
  await rm(dir, { recursive: true, force: true });
});

test('a page that cannot be written is said', async () => {
  const { stream, lines } = recorder();
  const job = githubJob(
    { env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: '/no/such/page' }, stderr: stream },
    stream,
  );
  await job.tell(sampleResults('passing'), '/no/such/summary.md');
  expect(lines().at(-1)).toMatch(/^proofload: the job summary could not be written \(ENOENT/);
});
