import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  advance,
  advanceTogether,
  loseHold,
  type QueueRule,
  type QueueState,
  type QueueStep,
  type Submission,
  type SubmissionFate,
  startFilling,
  submitTogether,
} from './queue-steps.ts';

interface Log {
  readonly step: QueueStep;
  readonly fate: SubmissionFate | null;
  readonly min: number;
  readonly max: number;
  /** The queue as it really was before the step. */
  readonly really: number;
}

/** A queue of its own behind the steps; `answer` decides by its real length and the number of submissions so far. */
function play(
  rule: QueueRule,
  answer: (queued: number, sent: number, operation: Submission) => SubmissionFate,
  from: QueueState = startFilling(true, 0),
): Log[] {
  const log: Log[] = [];
  let [state, queued, sent] = [from, 0, 0];
  while (state.next.kind !== 'stop') {
    const step = state.next;
    const fate = step.kind === 'submit' ? answer(queued, sent, step.operation) : null;
    log.push({ step, fate, min: state.min, max: state.max, really: queued });
    if (fate !== null) sent += 1;
    const waits = fate === 'unanswered' && step.kind === 'submit' && step.operation === 'runsync';
    if (fate === 'accepted' || waits) queued += 1;
    state = advance(state, rule, fate ?? 'other');
    if (log.length > 5000) throw new Error('it never ends');
  }
  return log;
}

const refuseBeyond =
  (border: number) =>
  (queued: number): SubmissionFate =>
    queued > border ? 'refused' : 'accepted';
const brief = ({ step, fate }: Log): string =>
  step.kind === 'submit' ? `${step.phase} ${step.operation} ${fate}` : step.kind;
const rule: QueueRule = { border: 500, smallBorder: 50 };

describe('a target that keeps the rule', () => {
  const log = play(rule, refuseBeyond(500));

  test('is filled until it refuses, and the refusal is tried again after an idle window, with both operations', () => {
    expect(log.slice(-4).map(brief)).toEqual([
      'fill run refused',
      'idle',
      'retry run refused',
      'retry runsync refused',
    ]);
    expect(log.filter(({ fate }) => fate === 'accepted')).toHaveLength(501);
  });

  test('gets one runsync when the queue is just beyond the small border, and one just below the large one', () => {
    const early = log.filter(
      ({ step, fate }) => step.kind === 'submit' && step.operation === 'runsync' && fate !== 'refused',
    );
    expect(early.map(({ min, max }) => [min, max])).toEqual([
      [52, 52],
      [498, 498],
    ]);
  });

  test('has a queue of known length all the time', () => {
    for (const { min, max, really } of log) expect([min, max]).toEqual([really, really]);
  });
});

test('with WorkersMax 0 the small border is the border: one runsync before the refusal, just below it', () => {
  const log = play({ border: 50, smallBorder: 50 }, refuseBeyond(50));
  const syncs = log.filter(
    ({ step }) => step.kind === 'submit' && step.phase === 'fill' && step.operation === 'runsync',
  );
  expect(syncs.map(({ min, fate }) => [min, fate])).toEqual([[48, 'accepted']]);
  expect(log.filter(({ fate }) => fate === 'accepted')).toHaveLength(51);
  expect(log.slice(-4).map(brief)).toEqual(['fill run refused', 'idle', 'retry run refused', 'retry runsync refused']);
});

test('a target that counts the new job too refuses one earlier, which is found as well', () => {
  const log = play({ border: 50, smallBorder: 50 }, refuseBeyond(49));
  expect(log.at(-3)?.min).toBe(50);
});

test('a target without the limit is asked a little beyond it, last with a runsync', () => {
  const log = play(rule, () => 'accepted');
  expect(log.slice(-2).map(brief)).toEqual(['fill run accepted', 'fill runsync accepted']);
  expect(log.at(-1)?.min).toBe(506);
});

test('a refusal that is gone after an idle window was the rate limit: filling goes on, slower', () => {
  const log = play(rule, (queued, sent) => (sent === 200 ? 'refused' : refuseBeyond(500)(queued)));
  expect(log.filter(({ step }) => step.kind === 'idle')).toHaveLength(2);
  expect(log.slice(200, 204).map(brief)).toEqual([
    'fill run refused',
    'idle',
    'retry run accepted',
    'fill run accepted',
  ]);
  expect(
    advance({ ...startFilling(true, 0), next: { kind: 'submit', phase: 'retry', operation: 'run' } }, rule, 'accepted'),
  ).toMatchObject({ slowdown: 2, idleWaits: 1 });
});

test('a rate limit that refuses again and again ends the filling', () => {
  const log = play(rule, (_, sent) => (sent % 5 === 4 ? 'refused' : 'accepted'));
  expect(log.filter(({ step }) => step.kind === 'idle')).toHaveLength(3);
  expect(log.at(-1)?.fate).toBe('refused');
});

test('a refused runsync is tried again by itself, and the filling goes on', () => {
  const log = play(rule, (queued, _, operation) => (operation === 'runsync' ? 'refused' : refuseBeyond(500)(queued)));
  const refused = log.findIndex(({ fate }) => fate === 'refused');
  expect(log.slice(refused, refused + 4).map(brief)).toEqual([
    'fill runsync refused',
    'idle',
    'retry runsync refused',
    'fill run accepted',
  ]);
  expect(log.at(-1)?.fate).toBe('refused');
});

test('a silent runsync is left open and so stays in the queue', () => {
  const log = play(rule, (queued, _, operation) =>
    operation === 'runsync' && queued < 100 ? 'unanswered' : refuseBeyond(500)(queued),
  );
  const after = log[log.findIndex(({ fate }) => fate === 'unanswered') + 1];
  expect([after?.min, after?.max]).toEqual([53, 53]);
});

test('a silent run may or may not be in the queue', () => {
  const log = play(rule, (queued, sent) => (sent === 20 ? 'unanswered' : refuseBeyond(500)(queued)));
  const after = log[log.findIndex(({ fate }) => fate === 'unanswered') + 1];
  expect([after?.min, after?.max]).toEqual([20, 21]);
});

test.each(['other', 'unanswered'] as const)('a target that only gives "%s" is left alone soon', (fate) => {
  expect(play(rule, () => fate)).toHaveLength(3);
});

test('with a worker that is not held the lower bound stays 0', () => {
  const log = play(rule, refuseBeyond(500), startFilling(false, 1));
  expect(log.every(({ min, max, really }) => min === 0 && max === really + 1)).toBe(true);
});

test('a hold that ends makes the queue unknown from below', () => {
  const state: QueueState = { ...startFilling(true, 0), min: 40, max: 41 };
  expect(loseHold(state)).toMatchObject({ min: 0, max: 41, workersHeld: false });
});

test('whatever a target answers, the queue is within the bounds and the course ends', () => {
  const fates = fc.constantFrom<SubmissionFate>(
    'accepted',
    'accepted',
    'accepted',
    'refused',
    'done',
    'other',
    'unanswered',
  );
  fc.assert(
    fc.property(fc.infiniteStream(fates), fc.integer({ min: 0, max: 80 }), (stream, border) => {
      const next = stream[Symbol.iterator]();
      const log = play({ border, smallBorder: 50 }, () => next.next().value ?? 'other');
      for (const { min, max, really } of log) {
        expect(min).toBeLessThanOrEqual(really);
        expect(max).toBeGreaterThanOrEqual(really);
      }
      expect(log.filter(({ fate }) => fate === 'accepted').length).toBeLessThanOrEqual(border + 10);
    }),
  );
});

describe('several at the same time', () => {
  const filling = (max: number): QueueState => ({ ...startFilling(true, 0), min: max, max, runsyncTried: true });

  test('as many as the latency asks for, within bounds', () => {
    expect(submitTogether(filling(100), rule, 1, 11)).toBe(1);
    expect(submitTogether(filling(100), rule, 84, 11)).toBe(8);
    expect(submitTogether(filling(100), rule, 5000, 11)).toBe(20);
    expect(submitTogether({ ...filling(100), slowdown: 4 }, rule, 84, 11)).toBe(2);
  });

  test('one by one near the border, before runsync was asked, after an unclear answer, and for a retry', () => {
    expect(submitTogether(filling(485), rule, 84, 11)).toBe(5);
    expect(submitTogether(filling(490), rule, 84, 11)).toBe(1);
    expect(submitTogether({ ...filling(100), runsyncTried: false }, rule, 84, 11)).toBe(1);
    expect(submitTogether({ ...filling(100), unclear: 1 }, rule, 84, 11)).toBe(1);
    const retry: QueueStep = { kind: 'submit', phase: 'retry', operation: 'run' };
    expect(submitTogether({ ...filling(100), next: retry }, rule, 84, 11)).toBe(1);
  });

  test('accepted ones are counted, one refusal is tried again', () => {
    expect(advanceTogether(filling(100), rule, ['accepted', 'accepted', 'done'])).toMatchObject({ min: 102, max: 102 });
    const refused = advanceTogether(filling(100), rule, ['refused', 'accepted', 'refused', 'accepted']);
    expect(refused).toMatchObject({ min: 102, max: 102, next: { kind: 'idle' }, refused: 'run' });
  });
});
