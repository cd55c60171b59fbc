/** Ledgers of several runners, one after the other: one load on one clock, and by name what is wrong with it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeLedger, encodeEntry, encodeMark, zeroOf } from '../../schemas/ledger.ts';
import { encodeRunner } from '../../schemas/ledger-runner.ts';
import { runnersHealth } from '../run/analyse.ts';
import { generatorHealth } from './health.ts';

const START_MS = 1_700_000_000_000;
const MAY_BEGIN_MS = 3500;

interface Shape {
  readonly index: number;
  /** Of its own clock, ms. */
  readonly aheadMs?: number;
  readonly errorMs?: number;
  readonly lateMs?: number;
  readonly count?: number;
  readonly runId?: string;
  readonly ends?: boolean;
  /** By the common clock, from the start on. */
  readonly sentMs?: readonly number[];
}

/** What a runner leaves whose script began `lateMs` after the common start. */
function left({ index, aheadMs = 0, errorMs = 1, lateMs = 0, sentMs = [5000], ends = true, ...more }: Shape): string {
  const zeroWallMs = START_MS + lateMs + aheadMs;
  const rows = sentMs.map((atMs) => {
    const own = atMs - lateMs;
    const times = { sentMs: own, firstByteMs: own + 2, endMs: own + 3, dueMs: own, begunMs: own };
    return encodeEntry({ phase: 'burst', operation: 'run', status: 200, error: '', note: '', ...times });
  });
  const runner = { index, count: 2, runId: 'one', startAtMs: START_MS, offsetMs: -aheadMs, errorMs, ...more };
  return [
    encodeMark({ mark: 'start', wallMs: zeroWallMs + 10, monotonicMs: 10 }),
    encodeRunner(runner),
    ...rows,
    ...(ends ? [encodeMark({ mark: 'end', wallMs: zeroWallMs + 9000, monotonicMs: 9000 })] : []),
  ].join('\n');
}

const together = (...shapes: Shape[]) => decodeLedger(shapes.map(left).join('\n'));
const faultsOf = (...shapes: Shape[]) => runnersHealth(together(...shapes).runners ?? [], MAY_BEGIN_MS)?.faults;

test('their times are those of the common clock, for any clocks of their own', () => {
  const clock = fc.record({
    aheadMs: fc.integer({ min: -5000, max: 5000 }),
    lateMs: fc.integer({ min: -900, max: 900 }),
  });
  fc.assert(
    fc.property(clock, clock, (one, other) => {
      const ledger = together({ index: 0, ...one, sentMs: [5000, 7000] }, { index: 1, ...other, sentMs: [5000] });
      expect(zeroOf(ledger)).toBe(START_MS);
      for (const { sentMs, firstByteMs, endMs, dueMs } of ledger.entries) {
        const atMs = sentMs > 6000 ? 7000 : 5000;
        // No better known than a runner knows its own clock.
        expect([sentMs, firstByteMs, endMs, dueMs]).toEqual([atMs - 1, atMs + 3, atMs + 4, atMs]);
      }
      expect(generatorHealth(ledger, 0)).toMatchObject({ clockStepMs: 0, complete: true, unreadable: 0, sent: 3 });
    }),
  );
});

test('how well they agree', () => {
  const { runners = [] } = together({ index: 0, lateMs: 100 }, { index: 1, lateMs: 350, errorMs: 40 });
  expect(runnersHealth(runners, MAY_BEGIN_MS)).toEqual({ count: 2, skewMs: 250, errorMs: 40, faults: [] });
  expect(runners.map(({ rows }) => rows)).toEqual([1, 1]);
});

test('one process is no runner', () => {
  expect(decodeLedger(encodeMark({ mark: 'start', wallMs: 1, monotonicMs: 1 })).runners).toBeUndefined();
  expect(runnersHealth([], MAY_BEGIN_MS)).toBeUndefined();
});

test.each<[string, Shape[], string[]]>([
  ['all of it', [{ index: 0 }, { index: 1 }], []],
  ['in any order', [{ index: 1 }, { index: 0 }], []],
  ['a missing one', [{ index: 0 }], ['runner 2 of 2 left no ledger']],
  ['one twice', [{ index: 0 }, { index: 1 }, { index: 1 }], ['runner 2 of 2 left 2 ledgers']],
  ['one that was cut off', [{ index: 0, ends: false }, { index: 1 }], ['the ledger of runner 1 of 2 has no end']],
  ['one of another run', [{ index: 0 }, { index: 1 }, { index: 1, runId: 'other' }], ['1 ledgers are of another run']],
  ['one too late', [{ index: 0 }, { index: 1, lateMs: 6500 }], ['runner 2 of 2 came 3.0 s too late']],
])('%s', (_, shapes, faults) => {
  expect(faultsOf(...shapes)).toEqual(faults);
});
