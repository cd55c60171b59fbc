/**
 * The comparison with the reference as a user gets it: over sockets, in real time, with ids and words of its own, the
 * reference differs from itself in nothing. Of a service that differs, exactly that is told, and what of it is wrong.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cli, type ServedReference, serveReference, temporaryDirectory } from './support/cli.ts';
import { readReport } from './support/report.ts';

/** They wait for windows most of the time, side by side, so each has its own and all are stopped in the end. */
const all: ServedReference[] = [];
afterAll(() => Promise.all(all.map((one) => one.stop())));

async function conformance(serve: readonly string[], ...args: readonly string[]) {
  const served = await serveReference(serve);
  all.push(served);
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'proofload.yaml'), served.config);
  await cli(['conformance', '--config', 'proofload.yaml', '--out', 'out', ...args], { cwd, env: served.env });
  return readReport(join(cwd, 'out'));
}

test.concurrent.each([1, 2, 3])('run %i of the reference over a socket differs from it in nothing', async () => {
  const results = await conformance([]);
  expect(results.reference).toEqual({ contract: 'asked', differences: [], more: 0 });
  // In-process it waits out what a socket can't: only there its verdict differs, and is quoted.
  const alike = results.checks.filter(({ verdict, reference }) => reference?.verdict === verdict);
  expect(alike.map(({ id }) => id)).toEqual([]);
});

test('a fault and another habit are reported, the one as a broken promise and the other as a broken convention', async () => {
  const serve = ['--mutant', 'chat-without-key', '--set', 'requestsShape=array'];
  const { reference, checks } = await conformance(serve, '--only', 'chat.*,requests.*');
  const reported = (reference?.differences ?? []).map(({ kind, request, text }) => `${kind} ${request} ${text}`);
  expect(reported).toContain('spec POST chat answers 200 where the reference answers 401');
  expect(reported).toContain("convention GET requests the body is an array, the reference's is an object");
  const failed = checks.find(({ verdict }) => verdict === 'fail');
  expect(failed?.reference).toMatchObject({
    verdict: 'pass',
    differences: expect.arrayContaining([expect.any(String)]),
  });
});

test('in-process the target is the reference itself', async () => {
  const cwd = temporaryDirectory();
  await cli(['conformance', '--reference', '--only', 'models.*', '--out', 'out'], { cwd });
  const { reference } = await readReport(join(cwd, 'out'));
  expect(reference).toEqual({ contract: 'itself', differences: [], more: 0 });
});
