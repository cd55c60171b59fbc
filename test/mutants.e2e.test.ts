/**
 * A service with a planted fault: exit 1, the checks that the fault must turn red are red, and nothing else is. Three
 * are tried here; `MUTANTS=GLOB` tries all that load can tell and whose name matches, which takes half an hour.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ExpectStatic, expect as sequentially, test } from 'vitest';
import { mutantNamed } from '../reference/mutants.ts';
import { cli, serveReference, temporaryDirectory } from './support/cli.ts';
import { idsWith, readReport } from './support/report.ts';
import { type Group, sweep } from './support/sweep.ts';

const FULL_RUN_MS = 240_000;
const { MUTANTS } = process.env;

async function runAgainst(group: Group, expect: ExpectStatic): Promise<void> {
  const cwd = temporaryDirectory();
  const served = await serveReference(group.mutants.flatMap((name) => ['--mutant', name]));
  writeFileSync(join(cwd, 'proofload.yaml'), served.config);
  // Several faults at once would throttle the contract checks, which are held against each alone elsewhere.
  const what = group.only.length > 0 ? ['verify', '--only', group.only.join(',')] : ['load'];
  // What a fault turns red shows the first time; how the load asks once more has tests of its own.
  const run = await cli([...what, '--once', '--config', 'proofload.yaml', '--out', 'out'], { cwd, env: served.env });
  await served.stop();
  const results = await readReport(join(cwd, 'out'));
  const perhaps = (id: string): boolean => group.perhaps.includes(id);
  const seen = {
    fail: idsWith(results, 'fail').filter((id) => !perhaps(id)),
    warn: idsWith(results, 'warn'),
    error: idsWith(results, 'error'),
  };
  expect(seen).toEqual({ fail: group.fail, warn: group.warn, error: [] });
  const broken = group.fail.length > 0;
  expect({ code: run.code, complete: results.complete, verdict: results.verdict }).toEqual({
    code: broken ? 1 : 0,
    complete: true,
    verdict: broken ? 'fail' : 'pass',
  });
  // A long list is cut on the terminal.
  if (broken) expect(group.fail.filter((id) => run.stdout.includes(id))).not.toEqual([]);
}

if (MUTANTS === undefined) {
  test.concurrent.for([
    ['run-rate-lowered', 'run.rate.*,cancel.rate.*,models.*'],
    ['queue-or', '*.queue.*,purge-queue.load.*'],
    ['payload-8mb', '*.payload.*'],
  ])('%s', { timeout: FULL_RUN_MS }, async ([name = '', only = ''], { expect }) => {
    const fail = [...(mutantNamed(name)?.killedBy ?? [])].sort();
    await runAgainst({ mutants: [name], only: only.split(','), fail, perhaps: [], warn: [] }, expect);
  });
} else {
  const groups = sweep(MUTANTS).map((group) => [group.mutants.join(' '), group] as const);
  test.for(groups)('%s', { timeout: FULL_RUN_MS }, async ([, group]) => {
    await runAgainst(group, sequentially);
  });
}
