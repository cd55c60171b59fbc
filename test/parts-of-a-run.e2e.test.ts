/** Parts of a run on a served reference: what was asked for is all that is sent. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

test('--only runs what it names and nothing else', async () => {
  const args = ['verify', '--config', 'proofload.yaml', '--only', 'cancel.concurrency.*,models.*', '--out', 'some'];
  const { code, stderr } = await cli(args, { cwd, env: served.env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const results = await readReport(join(cwd, 'some'));
  expect(results.checks.length).toBeGreaterThan(2);
  for (const { id } of results.checks) expect(id).toMatch(/^(cancel\.concurrency|models)\./);
});

test('an interface that is not configured is skipped, and says so', async () => {
  const args = ['verify', '--base-url', served.url, '--only', 'cancel.*,models.*', '--out', 'one-interface'];
  await cli(args, { cwd, env: served.env });
  const results = await readReport(join(cwd, 'one-interface'));
  const cancel = results.checks.filter((check) => check.id.startsWith('cancel.'));
  expect(new Set(cancel.map((check) => check.verdict))).toEqual(new Set(['skipped']));
  for (const check of cancel) expect(check.reason).toBeTruthy();
});
