/** Whatever border, reading, latency or mischief a target has: the steps find the border, and never send too much. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ModelTarget, type Played, play } from '../../testing/queue-model.ts';
import { mostSteps, type QueueRule, type Submission, type SubmissionFate, startFilling } from './queue-state.ts';

const anyRule: fc.Arbitrary<QueueRule> = fc.constantFrom<QueueRule>(
  { border: 50, together: 20 },
  { border: 60, runsyncAt: 52, together: 20 },
  { border: 200, runsyncAt: 52, together: 20 },
  { border: 200, runsyncAt: 119, together: 20 },
);

const lengths = (log: readonly Played[], operation: Submission, fate: SubmissionFate): number[] =>
  log
    .filter(({ step, fates }) => step.kind === 'submit' && step.operation === operation && fates.includes(fate))
    .map(({ really }) => really);

function sentBy(log: readonly Played[], what: Submission | 'free'): number {
  const own = log.filter(({ step }) => (step.kind === 'submit' ? step.operation === what : step.kind === what));
  return own.reduce((sum, { fates }) => sum + fates.length, 0);
}

function expectWithinAnnounced(log: readonly Played[], { border }: QueueRule): void {
  const most = mostSteps(border);
  for (const what of ['run', 'runsync', 'free'] as const) expect(sentBy(log, what)).toBeLessThanOrEqual(most[what]);
}

function expectBounds(log: readonly Played[]): void {
  expect(log.filter(({ min, max, really }) => min > really || max < really)).toEqual([]);
}

test('a border of either reading is found exactly, for both operations, at any latency, without an idle window', () => {
  const latency = fc.double({ min: 0, max: 400, noNaN: true });
  fc.assert(
    fc.property(anyRule, fc.constantFrom(0, 1), latency, (rule, reading, latencyMs) => {
      const answer: ModelTarget['answer'] = ({ queued }) => (queued + reading > rule.border ? 'refused' : 'accepted');
      const { log } = play(rule, { answer, latencyMs });
      for (const operation of ['run', 'runsync'] as const) {
        expect(Math.max(...lengths(log, operation, 'accepted'))).toBe(rule.border - reading);
        expect(Math.min(...lengths(log, operation, 'refused'))).toBe(rule.border - reading + 1);
        expect(lengths(log, operation, 'accepted')).toContain(rule.border - 1);
      }
      expect(log.some(({ step }) => step.kind === 'idle')).toBe(false);
      expectBounds(log);
      expectWithinAnnounced(log, rule);
    }),
  );
});

test('a border of any other length is found exactly for run, and never taken for the right one for runsync', () => {
  const off = fc.integer({ min: -40, max: 8 });
  fc.assert(
    fc.property(anyRule, off, off, (rule, offRun, offRunsync) => {
      const borders = { run: rule.border + offRun, runsync: rule.border + offRunsync };
      const { log } = play(rule, {
        answer: ({ queued, operation }) => (queued > borders[operation] ? 'refused' : 'accepted'),
      });
      expectWithinAnnounced(log, rule);
      expectBounds(log);
      // Two more are right: the border itself, and one less, which counts the new job too.
      if (offRun < -1) expect(Math.min(...lengths(log, 'run', 'refused'))).toBeLessThan(rule.border);
      if (offRun > 0) expect(Math.max(...lengths(log, 'run', 'accepted'))).toBeGreaterThan(rule.border);
      if (offRun >= -1 && offRunsync < -1) {
        expect(Math.min(...lengths(log, 'runsync', 'refused'))).toBeLessThan(rule.border);
      }
      if (offRun >= -1 && offRunsync > 0) {
        expect(Math.max(...lengths(log, 'runsync', 'accepted'))).toBeGreaterThan(rule.border);
      }
    }),
  );
});

test('for any responses, the queue is within the bounds and no more is sent than was announced', () => {
  const fates: readonly SubmissionFate[] = [
    'accepted',
    'accepted',
    'accepted',
    'refused',
    'done',
    'other',
    'unanswered',
  ];
  const anyFates = fc.infiniteStream(fc.constantFrom(...fates));
  const anyRoom = fc.infiniteStream(fc.boolean());
  const anyFrom = fc.record({ held: fc.boolean(), waiting: fc.constantFrom(0, 2, Number.POSITIVE_INFINITY) });
  fc.assert(
    fc.property(anyFates, anyRoom, anyRule, anyFrom, (stream, rooms, rule, { held, waiting }) => {
      const next = stream[Symbol.iterator]();
      const room = rooms[Symbol.iterator]();
      const target: ModelTarget = {
        answer: () => next.next().value ?? 'other',
        cancels: () => room.next().value ?? false,
        latencyMs: 50,
      };
      const { log } = play(rule, target, startFilling(held, waiting));
      expectWithinAnnounced(log, rule);
      expectBounds(log);
    }),
  );
});

test('workers that take jobs after a while never make the queue seem longer than it is', () => {
  fc.assert(
    fc.property(anyRule, fc.integer({ min: 0, max: 250 }), (rule, holdsFor) => {
      const { log } = play(rule, { answer: ({ queued }) => (queued > rule.border ? 'refused' : 'accepted'), holdsFor });
      expectBounds(log);
      expect(log.slice(holdsFor + 30).filter(({ min }) => min > 0)).toEqual([]);
    }),
  );
});
