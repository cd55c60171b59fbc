/** Three runners whose clocks are 50 ms off, and known to be no better: the value of a limit comes out all the same. */
import { expect, test } from 'vitest';
import { hullOf } from '../../../../schemas/intervals.ts';
import { decodeLedger, encodeEntry, encodeMark } from '../../../../schemas/ledger.ts';
import { plainEntry } from '../../../../schemas/ledger-rows.ts';
import { encodeRunner } from '../../../../schemas/ledger-runner.ts';
import {
  fixedWindow,
  type Limiter,
  rateParameters,
  simulateRate,
  slidingLog,
  tokenBucket,
} from '../../../testing/rate-simulation.ts';
import { analyseRate } from './index.ts';

const WINDOW_MS = 10_000;
const ERROR_MS = 50;
const OFF_MS = [-ERROR_MS, 0, ERROR_MS];

/** What one process saw, as three saw it that each sent every third request. */
function byThree(text: string): string {
  const { entries, marks } = decodeLedger(text);
  const zeroMs = marks[0]?.wallMs ?? 0;
  return OFF_MS.map((offMs, index) => {
    const own = entries.filter((_, place) => place % OFF_MS.length === index).map(plainEntry);
    const runner = { index, count: OFF_MS.length, runId: 'one', startAtMs: zeroMs, offsetMs: 0, errorMs: ERROR_MS };
    return [
      encodeMark({ mark: 'start', wallMs: zeroMs + offMs, monotonicMs: 0 }),
      encodeRunner(runner),
      ...own.map(encodeEntry),
      encodeMark({ mark: 'end', wallMs: zeroMs + offMs + 60_000, monotonicMs: 60_000 }),
    ].join('\n');
  }).join('\n');
}

/** How wide the value may be: a bucket gets more back in the time that is not known. */
const limiters: Readonly<Record<string, readonly [(limit: number) => Limiter, (limit: number) => number]>> = {
  'a log': [(limit) => slidingLog(limit, WINDOW_MS), () => 0],
  'fixed windows': [(limit) => fixedWindow(limit, WINDOW_MS, 3700), () => 1],
  'a bucket': [(limit) => tokenBucket(limit, limit, WINDOW_MS), (limit) => 1 + (4 * ERROR_MS * limit) / WINDOW_MS],
};

for (const [name, [make, mostApart]] of Object.entries(limiters)) {
  test.each([10, 100, 1000, 2000])(`${name} of %i`, (limit) => {
    for (const really of [limit - 1, limit, limit + 1]) {
      const parameters = rateParameters(limit, WINDOW_MS);
      const text = byThree(simulateRate(parameters, make(really), { beginsAtMs: 123 }));
      const { survivors, within } = analyseRate(parameters, decodeLedger(text), 0);
      if (really >= limit) expect(within.refused).toBe(0);
      const { lower, upper } = hullOf(survivors.map(({ value }) => value));
      expect(lower).toBeLessThanOrEqual(really);
      expect(upper).toBeGreaterThanOrEqual(really);
      expect(upper - lower).toBeLessThanOrEqual(mostApart(limit));
    }
  });
}
