/** Ctrl-C in the middle of a run: the load stops, own jobs are cancelled, what was seen is reported as incomplete. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli, type ServedReference, serveReference, temporaryDirectory } from './support/cli.ts';
import { readReport } from './support/report.ts';

const cwd = temporaryDirectory();
let served: ServedReference;
beforeAll(async () => {
  served = await serveReference();
  writeFileSync(join(cwd, 'proofload.yaml'), served.config);
});
afterAll(() => served.stop());

async function get(path: string): Promise<unknown> {
  const answer = await fetch(`${served.url}/api/v1/sl/${path}`, {
    headers: { authorization: `Bearer ${served.env.PROOFLOAD_ACCESS_KEY}` },
  });
  return answer.json();
}

interface Health {
  readonly jobs: { readonly inQueue: number; readonly inProgress: number };
}

async function outstanding(instId: string): Promise<number> {
  const { jobs } = (await get(`${instId}/health`)) as Health;
  return jobs.inQueue + jobs.inProgress;
}

interface Listed {
  readonly requests: readonly { readonly id: string; readonly status: string }[];
}

async function runningJob(instId: string): Promise<string | undefined> {
  const { requests } = (await get(`${instId}/requests`)) as Listed;
  return requests.find((one) => one.status === 'IN_PROGRESS')?.id;
}

const after = (ms: number, act: (child: ChildProcess) => void) => (child: ChildProcess) =>
  void setTimeout(() => act(child), ms);

test('the first one stops the load, cleans up and still reports', async () => {
  const args = ['load', '--config', 'proofload.yaml', '--only', 'run.queue.*,run.rate.*', '--out', 'stopped'];
  // The queue probe has jobs running and waiting a few seconds after the load began.
  const when = { text: /k6 v2/, act: after(5000, (child) => child.kill('SIGINT')) };
  const started = performance.now();
  const run = await cli(args, { cwd, env: served.env, when });
  expect(run.code).toBe(130);
  expect(run.stderr).toBe('');
  expect(performance.now() - started).toBeLessThan(30_000);
  expect(await readReport(join(cwd, 'stopped'))).toMatchObject({ complete: false, exitCode: 130 });
  expect(existsSync(join(cwd, 'stopped', 'report.html'))).toBe(true);
  for (const instId of ['inst-1', 'inst-queue', 'inst-none']) expect(await outstanding(instId)).toBe(0);
});

test('the contract checks cancel the jobs that they had running', async () => {
  let running: string | undefined;
  const stopWhenBusy = async (child: ChildProcess): Promise<void> => {
    while (child.exitCode === null && running === undefined) {
      await sleep(100);
      running = (await outstanding('inst-queue')) > 0 ? await runningJob('inst-queue') : undefined;
    }
    child.kill('SIGINT');
  };
  const when = { text: /^proofload: /, act: (child: ChildProcess) => void stopWhenBusy(child) };
  // The job that runs during a purge goes on for three seconds.
  const args = ['conformance', '--config', 'proofload.yaml', '--only', 'purge-queue.*', '--out', 'contract'];
  const run = await cli(args, { cwd, env: served.env, when });
  expect(run).toMatchObject({ code: 130, stderr: '' });
  expect(await readReport(join(cwd, 'contract'))).toMatchObject({ complete: false, exitCode: 130 });
  expect(await get(`inst-queue/status/${running}`)).toMatchObject({ status: 'CANCELLED' });
  expect(await outstanding('inst-queue')).toBe(0);
});

test('the second one leaves at once, whatever is left to clean up', async () => {
  const stopTwice = (child: ChildProcess): void => {
    served.hold();
    child.stdout?.on('data', (text: string) => text.includes('Ctrl-C again') && child.kill('SIGINT'));
    child.kill('SIGINT');
  };
  const args = ['load', '--config', 'proofload.yaml', '--only', 'run.rate.*', '--out', 'left'];
  const run = await cli(args, { cwd, env: served.env, when: { text: /k6 v2/, act: after(2000, stopTwice) } });
  served.goOn();
  expect(run).toMatchObject({ code: 130, stderr: '' });
  expect(existsSync(join(cwd, 'left', 'results.json'))).toBe(false);
});
