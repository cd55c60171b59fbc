/** The main job on a served reference: a sound service passes, with every limit measured as it is documented. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Limit, limits } from '../schemas/limits.ts';
import { cli, KEY, type ServedReference, serveReference, temporaryDirectory } from './support/cli.ts';
import { RECORD, recordedLoad } from './support/recorded-load.ts';
import { allText, idsWith, readReport } from './support/report.ts';

const cwd = temporaryDirectory();
let served: ServedReference;
beforeAll(async () => {
  served = await serveReference();
  writeFileSync(join(cwd, 'proofload.yaml'), served.config);
});
afterAll(() => served.stop());

/** What the reference enforces: it reads a megabyte as 1,048,576 bytes. */
function exactValue(limit: Limit): number {
  return limit.kind === 'content-bytes' ? limit.upperReading : limit.value;
}

test('a full run: exit 0, nothing failed or broke, every limit exact, no key anywhere', {
  timeout: 240_000,
}, async () => {
  const run = await cli(['verify', '--config', 'proofload.yaml', '--out', 'full'], { cwd, env: served.env });
  const results = await readReport(join(cwd, 'full'));
  expect(idsWith(results, 'fail')).toEqual([]);
  expect(idsWith(results, 'error')).toEqual([]);
  // By name, so that a machine too busy for one of them says for which.
  const left = results.checks.filter(({ verdict }) => verdict === 'inconclusive');
  expect(left.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
  expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: '' });
  expect(results).toMatchObject({ complete: true, verdict: 'pass', exitCode: 0, target: { kind: 'remote' } });
  expect(results.counts.emitted).toBe(results.counts.declared);
  for (const limit of limits.filter(({ kind }) => kind !== 'retention')) {
    for (const aspect of ['guarantee', 'enforced']) {
      const check = results.checks.find(({ id }) => id === `${limit.id}.${aspect}`);
      expect({ id: check?.id, verdict: check?.verdict }).toEqual({ id: `${limit.id}.${aspect}`, verdict: 'pass' });
    }
    const { lower = Number.NaN, upper = Number.NaN } = results.limits.find(({ id }) => id === limit.id)?.measured ?? {};
    const exact = exactValue(limit);
    expect({ id: limit.id, lower, upper }).toEqual({ id: limit.id, lower: exact, upper: exact });
  }
  for (const text of [run.stdout, run.stderr, allText(join(cwd, 'full'))]) expect(text).not.toContain(KEY);
  // Every report shows what the reference answers under load; it is recorded, and `-u` records it again.
  await expect(recordedLoad(results)).toMatchFileSnapshot(RECORD);
  expect(results.reference).toEqual({ contract: 'asked', differences: [], more: 0 });
});
