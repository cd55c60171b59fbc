/** What each weakness of the evidence takes from a verdict, and what it leaves. */
import { describe, expect, test } from 'vitest';
import type { GeneratorHealth } from '../../schemas/facts.ts';
import type { OperationId } from '../../schemas/operations.ts';
import { brokenLedger, CLOCK_STEP_MS, generatorFault, neverServed } from './evidence.ts';
import { soundHealth } from './testing/facts.ts';

const machine = { idleShare: 0.5, leastIdleShare: 0.1, loopLagMs: null, peakBytes: null };
const late = (p95Ms: number, roomMs?: number) => ({
  scheduled: 100,
  p50Ms: 10,
  p95Ms,
  p99Ms: 9000,
  maxMs: 9000,
  ...(roomMs === undefined ? {} : { roomMs }),
});

describe('a sound generator', () => {
  test.each<[string, Partial<GeneratorHealth>]>([
    ['that did what was planned', {}],
    ['whose clock drifts a little', { clockStepMs: -CLOCK_STEP_MS }],
    ['that is as late as the way is long, all along', { lateness: late(60, 80) }],
    ['that was late where nobody minds', { lateness: late(5000) }],
    ['on a machine without any processor left', { machine: { ...machine, leastIdleShare: 0 } }],
  ])('%s', (_, changes) => {
    expect(generatorFault(soundHealth(changes))).toBeUndefined();
  });
});

describe('a stumbling one says by how much', () => {
  test.each<[Partial<GeneratorHealth>, RegExp]>([
    [{ complete: false, sent: 7, planned: 10 }, /cut off after 7 of 10 requests/],
    [{ complete: false, sent: 10, planned: 10 }, /cut off after 10 requests$/],
    [{ lost: { lines: 3, why: 'no space left on device' } }, /3 lines .* written \(no space left on device\)/],
    [{ unreadable: 2 }, /2 lines .* unreadable/],
    [{ clockStepMs: CLOCK_STEP_MS + 1 }, /stepped by 51 ms/],
    [{ sent: 9, planned: 10 }, /only 9 of 10 planned/],
    [{ lateness: late(120, 80) }, /110 ms later than usual, and the pace leaves 80 ms/],
  ])('%o', (changes, words) => {
    expect(generatorFault(soundHealth(changes))).toMatch(words);
  });

  test('and of several weaknesses names the one that leaves least', () => {
    expect(generatorFault(soundHealth({ complete: false, unreadable: 1, clockStepMs: 5000 }))).toMatch(/cut off/);
  });
});

test('less than planned is no fault of a ledger that is judged by itself', () => {
  expect(brokenLedger(soundHealth({ sent: 1, planned: 2 }))).toBeUndefined();
});

test.each<[string, string, Record<string, number>, boolean, OperationId[]?]>([
  ['run', '/run', { 400: 10 }, true],
  ['run', '/run', { 404: 5, 405: 5 }, true],
  ['run', '/run', { 400: 9, 200: 1 }, false],
  ['run', '/run', { 500: 10 }, false],
  ['run', '/run', { 429: 10, 0: 3 }, false],
  ['cancel', '/cancel/{job_id}', { 404: 10, 429: 3 }, true, ['cancel']],
  ['cancel', '/cancel/{job_id}', { 404: 10 }, false, ['stream']],
  ['cancel', '/cancel/{job_id}', { 405: 10 }, true],
  ['cancel', '/cancel/{job_id}', { 409: 10 }, false],
  ['stream', '/stream/{job_id}', { 406: 10 }, true],
  ['stream', '/stream/{job_id}', { 406: 9, 410: 1 }, false],
  ['export', '/export', { 400: 10 }, false],
  ['export', '/export', { 501: 10 }, true],
])('%s at %s that answered %o: never served is %s', (id, path, statuses, isNever, absent = []) => {
  expect(neverServed({ id: id as OperationId, path }, absent, [statuses]) !== undefined).toBe(isNever);
});
