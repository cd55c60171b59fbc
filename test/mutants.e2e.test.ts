/**
 * A service with one planted fault: exit 1, the checks that the fault must turn red are red, and nothing else is. Each
 * run asks the whole family of the fault; the runs over everything are the reference's own matrix.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { mutantNamed } from '../reference/mutants.ts';
import { cli, serveReference, temporaryDirectory } from './support/cli.ts';
import { idsWith, readReport } from './support/report.ts';

test.concurrent.for([
  ['run-rate-lowered', 'run.rate.*,cancel.rate.*,models.*'],
  ['queue-or', '*.queue.*,purge-queue.load.*'],
  ['payload-8mb', '*.payload.*'],
])('%s', async ([name = '', only = ''], { expect }) => {
  const expected = mutantNamed(name)?.turnsRed ?? [];
  const cwd = temporaryDirectory();
  const served = await serveReference(['--mutant', name]);
  writeFileSync(join(cwd, 'proofload.yaml'), served.config);
  const args = ['verify', '--config', 'proofload.yaml', '--only', only, '--out', 'out'];
  const run = await cli(args, { cwd, env: served.env });
  await served.stop();
  const results = await readReport(join(cwd, 'out'));
  expect(idsWith(results, 'fail')).toEqual([...expected].sort());
  expect(idsWith(results, 'error')).toEqual([]);
  expect({ code: run.code, complete: results.complete, verdict: results.verdict }).toEqual({
    code: 1,
    complete: true,
    verdict: 'fail',
  });
  for (const id of expected) expect(run.stdout).toContain(id);
});
