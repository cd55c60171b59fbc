/** What of a plan is carried out once more: the probes of open checks, arranged by the rules of every plan. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planLoad } from './index.ts';
import { repeatOf } from './repeat.ts';
import { anyInput, quick, usual } from './testing/targets.ts';

const plan = planLoad({ target: usual, profile: 'gate', only: [], calibration: quick });
const none = new Set<string>();

test('nothing open, nothing to retry', () => {
  expect(repeatOf(plan, none, none)).toBeNull();
  expect(repeatOf(plan, new Set(['run.no-such-check']), none)).toBeNull();
});

test('an open check brings back its probes and no other, under names of their own', () => {
  const again = repeatOf(plan, new Set(['run.concurrency.guarantee', 'cancel.rate.enforced']), none);
  expect(again?.probes.map(({ id }) => id).sort()).toEqual(['cancel.rate.retry', 'run.concurrency.retry']);
  expect(again?.probes.every(({ title }) => title.endsWith(', retry'))).toBe(true);
  expect(again?.schedule.map(({ probeId }) => probeId).sort()).toEqual(['cancel.rate.retry', 'run.concurrency.retry']);
  expect(again?.durationMs).toBeLessThan(plan.durationMs);
});

test('two limits that could not be distinguished are retried together, such that they can be', () => {
  const again = repeatOf(plan, new Set(['run.rate.independent', 'requests.rate.independent']), none);
  const [one, other] = again?.schedule ?? [];
  expect(again?.probes.map(({ id }) => id).sort()).toEqual(['requests.rate.retry', 'run.rate.retry']);
  expect(other?.startMs).toBeLessThan((one?.startMs ?? 0) + 2000);
});

test('a probe that has shown a break is not retried, whatever else it left open', () => {
  const open = new Set(['cancel.rate.guarantee', 'run.rate.guarantee']);
  const again = repeatOf(plan, open, new Set(['cancel.rate.enforced']));
  expect(again?.probes.map(({ id }) => id)).toEqual(['run.rate.retry']);
});

test('a probe whose jobs may still be in the queue is not retried', () => {
  const slow = planLoad({ target: usual, profile: 'gate', only: [], calibration: { ...quick, quickJobMs: 2000 } });
  const open = new Set(['run.rate.guarantee', 'cancel.rate.guarantee']);
  expect(repeatOf(slow, open, none)?.probes.map(({ id }) => id)).toEqual(['cancel.rate.retry']);
});

test('any part of any plan costs no more than the whole, and each probe of it once', () => {
  fc.assert(
    fc.property(anyInput, fc.func(fc.boolean()), (input, isOpen) => {
      const whole = planLoad(input);
      const open = new Set(whole.declared.map(({ id }) => id).filter((id) => isOpen(id)));
      const again = repeatOf(whole, open, none);
      const requested = again?.probes ?? [];
      expect(new Set(requested.map(({ id }) => id)).size).toBe(requested.length);
      expect(requested.flatMap(({ checkIds }) => checkIds).filter((id) => open.has(id)).length > 0).toBe(
        requested.length > 0,
      );
      expect(again?.requests ?? 0).toBeLessThanOrEqual(whole.requests);
      expect(again?.bytes ?? 0).toBeLessThanOrEqual(whole.bytes);
      expect(again?.schedule.map(({ probeId }) => probeId) ?? []).toHaveLength(requested.length);
    }),
    { numRuns: 40 },
  );
}, 30_000);
