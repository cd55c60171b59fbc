/** When jobs are looked at, for any documented time. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { termsFor } from './terms.ts';

const times = fc.integer({ min: 1000, max: 86_400_000 });

test('ages double up to half of the time, then come as near to its end; none is too young to be met', () => {
  fc.assert(
    fc.property(times, (documentedMs) => {
      const { ages } = termsFor('run', documentedMs);
      expect(ages).toContain(documentedMs / 2);
      for (const [index, age] of ages.entries()) {
        expect(age).toBeGreaterThanOrEqual(500);
        const before = ages[index - 1];
        if (before === undefined) continue;
        if (age <= documentedMs / 2) expect(age).toBe(before * 2);
        else {
          expect((documentedMs - before) / (documentedMs - age)).toBeCloseTo(2);
          expect(documentedMs - age).toBeGreaterThanOrEqual(1500);
        }
      }
    }),
  );
});

test('a look before the end comes in time for its answer, and not sooner than it has to', () => {
  fc.assert(
    fc.property(times, fc.integer({ min: 0, max: 400 }), (documentedMs, answerMs) => {
      const early = termsFor('run', documentedMs).earlyMs(answerMs);
      expect(early).toBeGreaterThanOrEqual(answerMs * 5);
      expect(early).toBeLessThanOrEqual(2000 + documentedMs * 0.001);
    }),
  );
});

test('looks afterwards come one after the other, the last one a tenth later', () => {
  fc.assert(
    fc.property(times, (documentedMs) => {
      const { lateMs } = termsFor('runsync', documentedMs);
      expect([...lateMs].sort((a, b) => a - b)).toEqual(lateMs);
      expect(lateMs.at(-1)).toBe(Math.max(100, documentedMs * 0.1));
    }),
  );
});

test('a long job runs for longer than looks are off', () => {
  for (const documentedMs of [2000, 60_000, 1_800_000]) {
    const { longMs, earlyMs } = termsFor('run', documentedMs);
    expect(longMs / 2).toBeGreaterThan(earlyMs(0));
    expect(longMs).toBeLessThanOrEqual(15_000);
  }
});
