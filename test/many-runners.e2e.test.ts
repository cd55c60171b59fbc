/** What more runners would leave than any machine at hand could start: how large it is, and that it still is one verdict. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Amounts, parametersOf, playRunners } from '../scenarios/testing/many-runners.ts';
import { analysed, type Cost } from '../scripts/bench/analysis.ts';

const directories: string[] = [];
const missing = { algorithm: 'unknown', value: { lower: Number.NaN, upper: Number.NaN } };
afterAll(() => {
  for (const one of directories) rmSync(one, { recursive: true, force: true });
});

async function played(amounts: Amounts) {
  const directory = mkdtempSync(join(tmpdir(), 'proofload-many-'));
  directories.push(directory);
  const { files, lines } = playRunners(directory, amounts);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const analysis = await analysed(directory, parametersOf(amounts), files);
  const said = ({ seconds, megabytes }: Cost): string =>
    `${seconds.toFixed(1)} s, ${Math.round(megabytes)} MB of memory`;
  console.log(
    `${amounts.runners} runners, ${amounts.limit} in ${amounts.windowMs / 1000} s: ${lines} lines, ${Math.round(bytes / 1e6)} MB; ` +
      `merged after ${said(analysis.merged)}; analysed after ${said(analysis.analysed)}`,
  );
  expect(analysis).toMatchObject({ burst: amounts.limit, refusedWithin: 0, health: { runners: { faults: [] } } });
  expect(analysis.health.runners?.count).toBe(amounts.runners);
  return { lines, ...analysis };
}

test('100 ledgers of 10,000,000 lines in all are merged within a minute and 500 MB', { timeout: 300_000 }, async () => {
  const { lines, merged, survivors } = await played({
    runners: 100,
    limit: 10_000,
    windowMs: 10_000,
    paceWindows: 1017,
  });
  expect(lines).toBeGreaterThan(10_000_000);
  expect(merged.seconds).toBeLessThan(60);
  expect(merged.megabytes).toBeLessThan(500);
  // While a pace goes on, some come back at times that are known no better than the clocks.
  const [{ algorithm, value } = missing, ...others] = survivors;
  expect([algorithm, others]).toEqual(['sliding-log', []]);
  expect(Math.abs(value.lower - 10_000) + Math.abs(value.upper - 10_000)).toBeLessThan(100);
});

test('200 runners measure 50,000 requests/s to the unit', { timeout: 300_000 }, async () => {
  const { survivors } = await played({ runners: 200, limit: 500_000, windowMs: 10_000, paceWindows: 0 });
  expect(survivors).toMatchObject([{ algorithm: 'sliding-log', value: { lower: 500_000, upper: 500_000 } }]);
});
