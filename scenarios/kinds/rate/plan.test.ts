import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitFor, limitsOf, type RateLimit } from '../../../schemas/limits.ts';
import type { DocumentedBudgetId } from '../../../schemas/operations.ts';
import type { Calibration } from '../../../schemas/target.ts';
import { IDLE_CONNECTION_MS, pollTimes, slotsIn, UNEVEN } from '../../k6/lib/schedule.ts';
import type { PlanContext } from '../../plan/context.ts';
import type { Reason } from '../../plan/reasons.ts';
import { contextFor, endpoint, quick } from '../../plan/testing/targets.ts';
import type { PlannedProbe } from '../../plan/types.ts';
import type { RateParameters } from '../../probe.ts';
import { rateCandidates } from './plan.ts';
import { lastPaced, pacePeriodMs, reconnects, refilled } from './timeline.ts';

const usual = contextFor([endpoint('big', 3), endpoint('one', 1), endpoint('none', 0)]);

function rowOf(budget: DocumentedBudgetId): RateLimit {
  const limit = limitFor('requests', budget);
  if (!limit) throw new Error(`no rate limit for ${budget}`);
  return limit;
}

function probeOf(
  budget: DocumentedBudgetId,
  context: PlanContext = usual,
): PlannedProbe & { parameters: RateParameters } {
  const [{ probe } = {}] = rateCandidates(rowOf(budget), context);
  if (probe?.parameters.kind !== 'rate') throw new Error(`no rate probe for ${budget}`);
  return { ...probe, parameters: probe.parameters };
}

test('what is sent without a refusal is more than twice the limit', () => {
  for (const limit of limitsOf('requests')) {
    const { parameters } = probeOf(limit.budget);
    expect(parameters.limit).toBe(limit.value);
    expect(limit.value + parameters.vus * parameters.overflowCap).toBeGreaterThan(2 * limit.value + 4);
  }
});

test('no burst may have more in flight than half of what its operation allows', () => {
  const calibrations = fc.record({
    roundTripMs: fc.double({ min: 0.1, max: 300, noNaN: true }),
    quickJobMs: fc.double({ min: 0.1, max: 300, noNaN: true }),
    chatMs: fc.constant(null),
  });
  fc.assert(
    fc.property(calibrations, (calibration) => {
      const context = contextFor([endpoint('huge', 500)], calibration);
      for (const limit of limitsOf('requests')) {
        const [{ probe } = {}] = rateCandidates(limit, context);
        if (probe?.parameters.kind !== 'rate') continue;
        const allowed = limitFor('concurrent-requests', limit.budget)?.value ?? 2;
        expect(probe.parameters.vus).toBeLessThanOrEqual(Math.max(1, allowed / 2));
      }
    }),
  );
});

test('connections: usual for a quick target, more for a distant one, one where concurrency is small', () => {
  expect(
    ['run', 'cancel', 'requests', 'purge-queue'].map((id) => probeOf(id as DocumentedBudgetId).parameters.vus),
  ).toEqual([50, 6, 1, 1]);
  const distant = contextFor([endpoint('big', 3)], { ...quick, roundTripMs: 150 });
  expect(probeOf('status', distant).parameters.vus).toBeGreaterThan(50);
});

test('connections are kept busy where a burst over so few is short enough, or no longer than with one for each request', () => {
  const reconnecting = (roundTripMs: number, requestMs = {}) => {
    const context = contextFor([endpoint('big', 3)], { ...quick, roundTripMs, requestMs, quickJobMs: 200 });
    const of = (id: DocumentedBudgetId): boolean => reconnects(probeOf(id, context).parameters);
    return (['run', 'status', 'cancel', 'requests', 'purge-queue'] as const).filter(of);
  };
  expect(reconnecting(1)).toEqual(['requests', 'purge-queue']);
  expect(reconnecting(150)).toEqual(['requests', 'purge-queue']);
  expect(reconnecting(400)).toEqual(['requests', 'purge-queue']);
  expect(reconnecting(1, { run: 400, status: 400 })).toEqual(['run', 'status', 'requests', 'purge-queue']);
  const burstMs = (roundTripMs: number): number => {
    const {
      burstAtMs,
      secondBurstAtMs = 0,
      paces,
    } = probeOf('requests', contextFor([endpoint('big', 3)], { ...quick, roundTripMs })).parameters;
    return (paces[0]?.fromMs ?? 0) - secondBurstAtMs - (secondBurstAtMs - burstAtMs);
  };
  expect(burstMs(50)).toBe(10 * 4 * 50);
});

test('an operation that takes longer than a round trip gets more connections, and its burst the time', () => {
  const slow = contextFor([endpoint('big', 3)], { ...quick, requestMs: { run: 80 } });
  expect(probeOf('run', slow).parameters.vus).toBe(
    Math.floor(IDLE_CONNECTION_MS / pacePeriodMs(1000, 10_000) - UNEVEN),
  );
  expect(probeOf('status', slow).parameters).toEqual(probeOf('status').parameters);
  const { paces, secondBurstAtMs = 0, windowMs } = probeOf('run', slow).parameters;
  expect((paces[0]?.fromMs ?? 0) - secondBurstAtMs).toBeGreaterThan(windowMs + 1000);
});

test('where workers are too slow for a pace, the queue has room for all that is let through, and nothing is sent again', () => {
  for (const workers of [3, 4]) {
    const { parameters, leavesQueue } = probeOf(
      'run',
      contextFor([endpoint('big', workers)], { ...quick, quickJobMs: 2000 }),
    );
    const { vus, limit, secondBurstAtMs, refillsAtMs, refillCap, polls } = parameters;
    expect([secondBurstAtMs, leavesQueue]).toEqual([undefined, true]);
    const later = vus * refillsAtMs.length * refillCap + pollTimes(polls).length;
    expect(1.1 * limit + later).toBeLessThanOrEqual(500 * workers);
    expect(later).toBeGreaterThan(200);
  }
  expect(probeOf('run').leavesQueue).toBe(false);
});

test('jobs that are too slow or too many are not made where submissions without an input are refused', () => {
  const slow = { ...quick, quickJobMs: 57, requestMs: { run: 3 } };
  const refusing = { ...slow, refusalMs: { run: 2, runsync: 2 } };
  const of = (budget: DocumentedBudgetId, workers: number, calibration: Calibration = refusing) =>
    rateCandidates(rowOf(budget), contextFor([endpoint('one', workers)], calibration));
  const all = [{ checkIds: expect.any(Array) as string[], missing: expect.any(Object) as Reason }];
  expect([of('run', 1, slow), of('runsync', 3, slow)]).toEqual([all, all]);
  for (const [budget, workers, why] of [
    ['run', 1, 'WorkersMax >= 3'],
    ['run', 0, 'WorkersMax >= 3'],
    ['runsync', 3, 'would take about'],
    ['runsync', 0, 'without workers'],
    ['run', 3, "don't get through 1,000 jobs"],
  ] as const) {
    const [one, served] = of(budget, workers);
    const { value: limit } = rowOf(budget);
    expect(one?.probe).toMatchObject({
      parameters: {
        limit,
        secondBurstAtMs: expect.any(Number) as number,
        withoutInput: expect.stringMatching(why) as string,
      },
      leavesQueue: false,
    });
    expect(served?.checkIds).toEqual([`${budget}.rate.served`]);
  }
  expect(
    probeOf('run', contextFor([endpoint('big', 3)], { ...quick, refusalMs: { run: 2 } })).parameters.withoutInput,
  ).toBe(undefined);
});

test('without a limit on requests at once no connection sends more than a few in a row, however far the target is', () => {
  const ofOwn = (value: number, roundTripMs: number): number | undefined => {
    const context = contextFor([endpoint('big', 3)], { ...quick, roundTripMs });
    const [{ probe } = {}] = rateCandidates({ ...rowOf('purge-queue'), value, windowMs: 1000 }, context);
    return probe?.parameters.kind === 'rate' ? probe.parameters.vus : undefined;
  };
  expect([ofOwn(1, 1), ofOwn(20, 1), ofOwn(20, 200), ofOwn(20, 5000), ofOwn(1000, 1)]).toEqual([1, 10, 16, 50, 50]);
});

test('the status family: one operation is exhausted, the others are its siblings', () => {
  expect(probeOf('status').parameters).toMatchObject({ operation: 'status', siblings: ['status-sync', 'stream'] });
});

test('the first pace is more than the limit without a silence, and several times as much in a nightly', () => {
  const nightly = contextFor([endpoint('big', 3)], quick, 'nightly');
  for (const { budget } of limitsOf('requests')) {
    const { paces, limit } = probeOf(budget).parameters;
    expect(slotsIn(paces.slice(0, 1))).toBeGreaterThan(limit);
    expect(slotsIn(probeOf(budget, nightly).parameters.paces.slice(0, 1))).toBeGreaterThan(4 * limit);
  }
});

test('requests are an upper bound', () => {
  const { requests, parameters } = probeOf('run');
  const { limit, vus, overflowCap, paces } = parameters;
  expect(requests).toBeGreaterThanOrEqual(2 * limit + vus * overflowCap + slotsIn(paces));
});

test('beyond the limit more than twice of it is sent within one window', () => {
  for (const { budget } of limitsOf('requests')) {
    const { limit, vus, overflowCap, paces } = probeOf(budget).parameters;
    expect(lastPaced({ paces }) + vus * overflowCap).toBeGreaterThan(2 * limit + 1);
  }
});

test('a full bucket is exhausted also where a target answers at only twice its refill', () => {
  for (const { budget } of limitsOf('requests')) {
    const { parameters } = probeOf(budget);
    const emptyAfterMs = parameters.windowMs;
    const admitted = 2 * parameters.limit;
    const sent = parameters.vus * parameters.overflowCap + refilled(parameters, emptyAfterMs);
    expect(sent).toBeGreaterThan(admitted);
    expect(refilled(parameters, 100 * emptyAfterMs)).toBe(parameters.limit);
  }
});

test('a rate budget is its probe’s alone; purging is kept away from jobs that are to stay', () => {
  for (const { budget } of limitsOf('requests')) expect(probeOf(budget).exclusive).toContain(`budget:${budget}`);
  expect(probeOf('purge-queue').shared).toEqual(['queue:none']);
  expect(probeOf('run').shared).toEqual(['queue:big', 'workers:big']);
});
