/**
 * Trouble as whoever starts the command sees it: the report is there, the exit code is right, and a verdict that lost its
 * evidence says so in a line.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli, type ServedReference, serveReference, temporaryDirectory } from './support/cli.ts';
import { readReport } from './support/report.ts';
import { type K6Conditions, k6Under } from './support/trouble/k6.ts';

const cwd = temporaryDirectory();
let sound: ServedReference;
let without: ServedReference;
beforeAll(async () => {
  sound = await serveReference();
  without = await serveReference(['--set', 'limits.cancel.rate=off']);
  writeFileSync(join(cwd, 'sound.yaml'), sound.config);
  writeFileSync(join(cwd, 'without.yaml'), without.config);
});
afterAll(async () => {
  await sound.stop();
  await without.stop();
});

const onlyOf = (operation: string) => ['--only', `${operation}.rate.{guarantee,enforced}`];
const only = onlyOf('cancel');

/** A load whose k6 fares so. */
async function load(name: string, config: string, conditions: K6Conditions, more = only) {
  const env = { ...sound.env, K6_BIN: k6Under(cwd, name, conditions) };
  return cli(['load', '--config', config, ...more, '--out', name], { cwd, env });
}

const killed: K6Conditions = { beside: 'sleep 2; kill -KILL $k6' };

test.concurrent.for(['sound.yaml', 'without.yaml'])('k6 is killed: %s', async (config, { expect }) => {
  const run = await load(`killed-${config}`, config, killed);
  const results = await readReport(join(cwd, `killed-${config}`));
  // Nothing at all was decided, which is no success either.
  expect(run).toMatchObject({ code: 2, stderr: '' });
  expect(results).toMatchObject({ complete: true, verdict: 'inconclusive' });
  expect(results.checks.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive']);
  expect(run.stdout).toMatch(/cut off after \d+ of \d+ requests/);
  expect(run.stdout).toMatch(/load generator shortfall: cancel\.rate: /);
  expect(existsSync(join(cwd, `killed-${config}`, 'report.html'))).toBe(true);
});

test.concurrent('with --once it is left open', async ({ expect }) => {
  const run = await load('once', 'sound.yaml', killed, [...only, '--once']);
  const results = await readReport(join(cwd, 'once'));
  expect(run.code).toBe(2);
  expect(results.run.generator?.probes).toHaveLength(1);
});

test.concurrent('k6 cannot write a line', async ({ expect }) => {
  const run = await load('no-line', 'sound.yaml', { before: 'ulimit -f 0', beside: 'sleep 4; kill -TERM $k6' });
  const results = await readReport(join(cwd, 'no-line'));
  expect(results.checks.filter(({ verdict }) => verdict !== 'inconclusive')).toEqual([]);
  expect(run.code).toBe(2);
});

test.concurrent('a report that can be written nowhere is exit code 2', async ({ expect }) => {
  const out = join(cwd, 'gone');
  const env = { ...sound.env, K6_BIN: k6Under(cwd, 'gone', killed) };
  const replace = () => {
    rmSync(out, { recursive: true });
    writeFileSync(out, 'a file stands where the directory was');
  };
  const when = { text: /k6 v2/, act: () => void setTimeout(replace, 1500) };
  const run = await cli(['load', '--config', 'sound.yaml', ...only, '--out', 'gone'], { cwd, env, when });
  expect(run.code).toBe(2);
  expect(run.stderr).toMatch(/gone/);
});

test('k6 is killed the first time only: what that left open is retried', async () => {
  const served = await serveReference();
  writeFileSync(join(cwd, 'own.yaml'), served.config);
  const flag = join(cwd, 'killed-before');
  // The wiring check's k6 has ended by then: it can't be killed, and leaves the flag alone.
  const beside = `sleep 2; [ -e ${flag} ] || { kill -KILL $k6 && touch ${flag}; }`;
  // At a slow pace: beside other tests, a fast one is not always kept to the unit.
  const run = await load('once-more', 'own.yaml', { beside }, onlyOf('requests'));
  await served.stop();
  const { checks, limits, verdict, run: about } = await readReport(join(cwd, 'once-more'));
  expect({ run, verdict }).toMatchObject({ run: { code: 0, stderr: '' }, verdict: 'pass' });
  for (const check of checks) {
    expect(check).toMatchObject({
      verdict: 'pass',
      firstTime: expect.stringMatching(/cut off after \d+ of \d+ requests/),
    });
  }
  expect(limits.map(({ measured }) => measured)).toEqual([{ lower: 10, upper: 10 }]);
  expect(about.generator?.probes.map(({ probe }) => probe)).toEqual(['requests.rate', 'requests.rate.retry']);
  const { announced, sent } = about.traffic?.load ?? {};
  expect(sent?.requests).toBeLessThanOrEqual(announced?.requests ?? 0);
});

test('what these runs did is none of the target, which still answers', async () => {
  const answer = await fetch(`${sound.url}/api/v1/sl/inst-1/health`, {
    headers: { authorization: `Bearer ${sound.env.PROOFLOAD_ACCESS_KEY}` },
  });
  expect(answer.status).toBe(200);
});
