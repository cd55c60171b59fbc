import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeEntry, encodeMark } from '../../schemas/ledger.ts';
import { limitFor } from '../../schemas/limits.ts';
import { slots } from '../k6/lib/schedule.ts';
import { planLoad } from '../plan/index.ts';
import { isRate } from '../plan/stages.ts';
import { quick, usual } from '../plan/testing/targets.ts';
import { IDLE_MARGIN_MS } from '../plan/timeline.ts';
import { type FirstBurst, isComplete, secondBursts } from './second-burst.ts';

const { probes } = planLoad({ target: usual, profile: 'gate', only: ['*.rate.*'], calibration: quick });
const rates = probes.filter(isRate);
const WINDOW_MS = limitFor('requests', 'run')?.windowMs ?? 0;
const PROCESS_MS = 700;

/** A ledger with one burst request, of a sender that began `PROCESS_MS` after it was called at `launchedAtMs`. */
function firstOf(index: number, launchedAtMs: number): FirstBurst {
  const probe = rates[index];
  if (!probe) throw new Error('no such probe');
  const times = { sentMs: probe.parameters.burstAtMs, firstByteMs: probe.parameters.burstAtMs + 5 };
  const entry = {
    phase: 'burst',
    operation: 'run',
    ...times,
    endMs: times.firstByteMs,
    status: 200,
    error: '',
    note: '',
  };
  const start = encodeMark({ mark: 'start', wallMs: launchedAtMs + PROCESS_MS + 50, monotonicMs: 50 });
  return { probe, ledger: `${start}\n${encodeEntry(entry)}\n`, launchedAtMs, whole: false };
}

const anyFirsts = fc
  .record({
    launchedAtMs: fc.integer({ min: 0, max: 100_000 }),
    which: fc.subarray([...rates.keys()], { minLength: 1 }),
  })
  .map(({ launchedAtMs, which }) => which.map((index) => firstOf(index, launchedAtMs)));

test('each second burst falls a third of a window behind where its first one was', () => {
  fc.assert(
    fc.property(anyFirsts, fc.integer({ min: 200_000, max: 400_000 }), (firsts, nowMs) => {
      for (const [index, { parameters }] of secondBursts(firsts, nowMs).entries()) {
        const first = firsts[index];
        if (!first) throw new Error('a burst from nowhere');
        const firstMs = first.launchedAtMs + PROCESS_MS + first.probe.parameters.burstAtMs;
        const secondMs = nowMs + PROCESS_MS + parameters.burstAtMs;
        const phase = (secondMs - firstMs - 0.337 * WINDOW_MS) % WINDOW_MS;
        expect(Math.min(Math.abs(phase), WINDOW_MS - Math.abs(phase))).toBeLessThanOrEqual(1);
        expect(parameters.zeroAtMs).toBe(nowMs + PROCESS_MS);
      }
    }),
  );
});

test('each comes after an idle window, and no two together', () => {
  fc.assert(
    fc.property(anyFirsts, fc.integer({ min: 200_000, max: 400_000 }), (firsts, nowMs) => {
      const seconds = secondBursts(firsts, nowMs).map(({ parameters }) => parameters);
      for (const one of seconds) {
        expect(one.burstAtMs).toBeGreaterThanOrEqual(WINDOW_MS + IDLE_MARGIN_MS - 1);
        for (const other of seconds) {
          if (one === other || other.burstAtMs < one.burstAtMs) continue;
          expect(other.burstAtMs).toBeGreaterThan(one.overAtMs);
        }
      }
    }),
  );
});

test('it is the same burst without what came after it, under a name of its own', () => {
  const [second] = secondBursts([firstOf(0, 0)], 100_000);
  expect(second?.id).toBe(`${rates[0]?.id}.second-burst`);
  expect(second?.checkIds).toEqual(rates[0]?.checkIds);
  if (!second) throw new Error('no second burst');
  expect(slots(second.parameters.recovery) + slots(second.parameters.pace)).toBe(0);
  expect(second.parameters.overAtMs - second.parameters.burstAtMs).toBe(
    (rates[0]?.parameters.overAtMs ?? 0) - (rates[0]?.parameters.burstAtMs ?? 0),
  );
});

test('what has to be seen once more is the whole probe, but for who shares the budget', () => {
  const first = firstOf(0, 0);
  const [second] = secondBursts([{ ...first, whole: true }], 100_000);
  if (!second) throw new Error('no second burst');
  const [asked, before] = [second.parameters, first.probe.parameters];
  expect(slots(asked.pace)).toBe(slots(before.pace));
  expect(asked.pace.fromMs - asked.burstAtMs).toBe(before.pace.fromMs - before.burstAtMs);
  expect(asked.siblings).toEqual([]);
});

test('a first burst that cannot be placed on the wall clock gets no second one', () => {
  const first = firstOf(0, 0);
  expect(secondBursts([{ ...first, ledger: '' }], 0)).toEqual([]);
  expect(secondBursts([{ ...first, ledger: first.ledger.split('\n')[0] ?? '' }], 0)).toEqual([]);
});

test('only a ledger with its end mark is complete', () => {
  const { ledger } = firstOf(0, 0);
  expect(isComplete(ledger)).toBe(false);
  expect(isComplete(ledger + encodeMark({ mark: 'end', wallMs: 1, monotonicMs: 1 }))).toBe(true);
});
