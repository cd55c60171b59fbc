/** What a ledger says of its own generator, beyond what it says of the target. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeLedger, encodeEntry, encodeMark } from '../../schemas/ledger.ts';
import { encodeLost, encodeMachine } from '../../schemas/ledger-machine.ts';
import { generatorHealth } from './health.ts';

const start = encodeMark({ mark: 'start', wallMs: 1000, monotonicMs: 0 });
const end = encodeMark({ mark: 'end', wallMs: 2000, monotonicMs: 1000 });

/** A request that was due at a moment and begun so much later, and on its way for another 300 ms. */
const line = (dueMs: number, lateMs: number, phase = 'pace'): string =>
  encodeEntry({
    phase,
    operation: 'run',
    sentMs: dueMs + lateMs + 300,
    firstByteMs: dueMs + lateMs + 600,
    endMs: dueMs + lateMs + 600,
    status: 200,
    error: '',
    note: '',
    dueMs,
    begunMs: dueMs + lateMs,
  });

const healthOf = (...lines: readonly string[]) => generatorHealth(decodeLedger([start, ...lines, end].join('\n')), 0);

test('says how long a request is on its way, where fewer were sent than planned', () => {
  const ledger = decodeLedger([start, line(0, 1), line(10, 1), end].join('\n'));
  expect(generatorHealth(ledger, 2)).not.toHaveProperty('exchangeMs');
  expect(generatorHealth(ledger, 3)).toMatchObject({ sent: 2, exchangeMs: 300 });
});

describe('lateness', () => {
  test('is from the planned moment to the sender, and the way to the target is none of it', () => {
    const lines = Array.from({ length: 200 }, (_, index) => line(index * 10, index < 3 ? 40 : 1));
    const { lateness, latenessMs } = healthOf(...lines);
    expect(lateness).toEqual({ scheduled: 200, p50Ms: 1, p95Ms: 1, p99Ms: 40, maxMs: 40 });
    expect(latenessMs).toBe(40);
  });

  test('is of the pace alone', () => {
    expect(healthOf(line(0, 900, 'poll'), line(10, 2)).lateness).toMatchObject({ scheduled: 1, maxMs: 2 });
    expect(healthOf(line(0, 900, 'poll')).lateness).toBeUndefined();
  });

  test('keeps its quantiles in order, and never counts what was early', () => {
    const lateMs = fc.integer({ min: -50, max: 5000 });
    fc.assert(
      fc.property(fc.array(lateMs, { minLength: 1, maxLength: 300 }), (all) => {
        const { lateness } = healthOf(...all.map((ms, index) => line(10_000 + index, ms)));
        if (!lateness) throw new Error('there was a schedule');
        const { scheduled, p50Ms, p95Ms, p99Ms, maxMs } = lateness;
        expect([scheduled, maxMs]).toEqual([all.length, Math.max(0, ...all)]);
        expect([...[0, p50Ms, p95Ms, p99Ms, maxMs]].sort((a, b) => a - b)).toEqual([0, p50Ms, p95Ms, p99Ms, maxMs]);
        expect(all.filter((ms) => ms > p50Ms).length).toBeLessThanOrEqual(all.length / 2);
      }),
    );
  });
});

test('what the machine had left and what was lost come along', () => {
  const machine = { idleShare: 0.4, leastIdleShare: 0.02, loopLagMs: null, peakBytes: 5_000_000 };
  const lost = { lines: 12, why: 'no space left on device' };
  expect(healthOf(encodeMachine(machine), encodeLost(lost))).toMatchObject({ machine, lost, unreadable: 0 });
  expect(Object.keys(healthOf())).not.toContain('machine');
});
