import { describe, expect, test } from 'vitest';
import { brief, type ModelTarget, type Played, play } from '../../testing/queue-model.ts';
import {
  loseHold,
  type QueueRule,
  type QueueState,
  STOP,
  type SubmissionFate,
  startFilling,
  submit,
} from './queue-state.ts';
import { advance, advanceTogether, submitTogether } from './queue-steps.ts';

const rule: QueueRule = { border: 500, runsyncAt: 52, together: 20 };
const small: QueueRule = { border: 50, together: 20 };

const refusingBeyond = (border: number): ModelTarget => ({
  answer: ({ queued }) => (queued > border ? 'refused' : 'accepted'),
});
const at = (log: readonly Played[], word: string): readonly [number, number][] =>
  log.filter((one) => brief(one) === word).map(({ min, max }) => [min, max]);

const IN_ORDER = [
  'fill run refused',
  'full runsync refused',
  'free freed',
  'free freed',
  'reopen runsync accepted',
  'full runsync accepted',
  'full runsync refused',
  'full run refused',
  'free freed',
  'free freed',
  'reopen run accepted',
  'full run accepted',
  'full run refused',
];

describe('a target that keeps the rule', () => {
  const { log } = play(rule, refusingBeyond(500));

  test('is filled until it refuses; then both are given room, and are refused again: nothing is waited for', () => {
    expect(log.slice(-IN_ORDER.length).map(brief)).toEqual(IN_ORDER);
    expect(log.some(({ step }) => step.kind === 'idle')).toBe(false);
  });

  test('gets submissions one below, at and one above the border by both operations', () => {
    for (const operation of ['run', 'runsync']) {
      expect(at(log, `reopen ${operation} accepted`)).toEqual([[499, 499]]);
      expect(at(log, `full ${operation} accepted`)).toEqual([[500, 500]]);
      expect(at(log, `full ${operation} refused`).at(-1)).toEqual([501, 501]);
    }
  });

  test('gets one runsync when the queue is just beyond the small border', () => {
    expect(at(log, 'fill runsync accepted')).toEqual([[52, 52]]);
  });

  test('has a queue of known length all the time', () => {
    for (const { min, max, really } of log) expect([min, max]).toEqual([really, really]);
  });
});

test('a target that counts the new job too refuses one earlier, and gets submissions one below, at and one above as well', () => {
  const { log } = play(small, refusingBeyond(49));
  expect(at(log, 'fill run refused')).toEqual([[50, 50]]);
  for (const operation of ['run', 'runsync']) {
    expect(at(log, `reopen ${operation} accepted`)).toEqual([[49, 49]]);
    expect(at(log, `full ${operation} refused`)).toContainEqual([50, 50]);
  }
});

test('a target without the limit gets a few beyond it, last with a runsync', () => {
  const { log } = play(rule, { answer: () => 'accepted' });
  expect(log.slice(-2).map((one) => [brief(one), one.min])).toEqual([
    ['fill run accepted', 505],
    ['full runsync accepted', 506],
  ]);
});

test('where run is never refused, runsync is given room all the same and its own border is found', () => {
  const { log } = play(rule, {
    answer: ({ queued, operation }) => (operation === 'runsync' && queued > 500 ? 'refused' : 'accepted'),
  });
  expect(at(log, 'reopen runsync accepted')).toEqual([[499, 499]]);
  expect(at(log, 'full runsync refused')).toEqual([
    [506, 506],
    [501, 501],
  ]);
});

test('where runsync has another border, run is sent up to its own', () => {
  const { log } = play(rule, {
    answer: ({ queued, operation }) => (queued > (operation === 'runsync' ? 497 : 500) ? 'refused' : 'accepted'),
  });
  expect(at(log, 'reopen runsync refused')).toEqual([[499, 499]]);
  expect(log.slice(-2).map(brief)).toEqual(['idle', 'retry runsync refused']);
});

test('an early refusal is tried with room too, one below where it came, by both operations', () => {
  const { log } = play(rule, refusingBeyond(50));
  expect(log.slice(51).map(brief)).toEqual([
    'fill run refused',
    'full runsync refused',
    'free freed',
    'reopen runsync accepted',
    'full runsync refused',
    'full run refused',
    'free freed',
    'reopen run accepted',
    'full run refused',
  ]);
});

test('a run that is refused too late is followed to its own border', () => {
  const { log } = play(rule, {
    answer: ({ queued, operation }) => (queued > (operation === 'run' ? 504 : 500) ? 'refused' : 'accepted'),
  });
  expect(at(log, 'full runsync refused').at(-1)).toEqual([501, 501]);
  expect(at(log, 'full run refused')).toEqual([
    [505, 505],
    [505, 505],
  ]);
});

describe('a refusal that is not the queue’s', () => {
  /** So many are let through between two idle windows. */
  const rateOf = (most: number): ModelTarget => ({
    answer: ({ queued, sinceIdle, operation }) =>
      queued > 500 || (operation === 'run' && sinceIdle >= most) ? 'refused' : 'accepted',
  });

  test('doesn’t go away with room but with an idle window: filling goes on, slower', () => {
    const { log, end } = play(rule, rateOf(200));
    expect(log.slice(200, 208).map(brief)).toEqual([
      'fill run refused',
      'full runsync accepted',
      'full run refused',
      'free freed',
      'free freed',
      'reopen run refused',
      'idle',
      'retry run accepted',
    ]);
    expect(end.setbacks).toBe(2);
    expect(end.slowdown).toBe(4);
    expect(log.slice(-IN_ORDER.length).map(brief)).toEqual(IN_ORDER);
  });

  test('again and again ends the filling', () => {
    const { log } = play(rule, rateOf(20));
    expect(log.filter(({ step }) => step.kind === 'idle')).toHaveLength(3);
  });

  test('but that of requests at once: the next ones are submitted alone, and nothing is waited for', () => {
    const { log, end } = play(rule, {
      answer: ({ queued, together, index }) => (queued > 500 || (together > 1 && index > 0) ? 'refused' : 'accepted'),
      latencyMs: 80,
    });
    expect(end.setbacks).toBe(1);
    expect(log.some(({ step }) => step.kind === 'idle')).toBe(false);
    expect(log.slice(-IN_ORDER.length).map(brief)).toEqual(IN_ORDER);
  });
});

test('where no job can be taken out, an idle window is the second test', () => {
  const { log } = play(small, { ...refusingBeyond(50), cancels: () => false });
  expect(log.slice(-6).map(brief)).toEqual([
    'fill run refused',
    'full runsync refused',
    'free not-freed',
    'idle',
    'retry run refused',
    'retry runsync refused',
  ]);
});

test('a refusal that stays although there is room is tried again after an idle window', () => {
  const { log } = play(small, {
    answer: ({ queued, everRefused }) => (everRefused || queued > 50 ? 'refused' : 'accepted'),
  });
  expect(log.slice(-5).map(brief)).toEqual([
    'reopen runsync refused',
    'reopen run refused',
    'idle',
    'retry run refused',
    'retry runsync refused',
  ]);
  expect(log.at(-1)?.max).toBe(49);
});

test('a refused runsync between the borders is tried again by itself, and the filling goes on', () => {
  const { log } = play(rule, {
    answer: ({ queued, operation }) => (operation === 'runsync' || queued > 500 ? 'refused' : 'accepted'),
  });
  const refused = log.findIndex(({ fates }) => fates.includes('refused'));
  expect(log.slice(refused, refused + 4).map(brief)).toEqual([
    'fill runsync refused',
    'idle',
    'retry runsync refused',
    'fill run accepted',
  ]);
  expect(at(log, 'reopen run accepted')).toEqual([[499, 499]]);
});

test('a silent submission may or may not be in the queue', () => {
  for (const sent of [20, 52]) {
    const { log } = play(rule, {
      answer: (requested) => (requested.sent === sent ? 'unanswered' : refusingBeyond(500).answer(requested)),
    });
    expect([log[sent + 1]?.min, log[sent + 1]?.max]).toEqual([sent, sent + 1]);
  }
});

test.each(['other', 'unanswered'] as const)('a target that only gives "%s" is left alone soon', (fate) => {
  expect(play(rule, { answer: () => fate }).log).toHaveLength(3);
});

test('with a worker that is not held the lower bound stays 0, and a refusal is tried after an idle window', () => {
  const { log } = play(rule, refusingBeyond(500), startFilling(false, 1));
  expect(log.every(({ min, max, really }) => min === 0 && max === really + 1)).toBe(true);
  expect(log.slice(-3).map(brief)).toEqual(['idle', 'retry run refused', 'retry runsync refused']);
});

test('a hold that ends makes the queue unknown from below', () => {
  const state: QueueState = { ...startFilling(true, 0), min: 40, max: 41 };
  expect(loseHold(state)).toMatchObject({ min: 0, max: 41, workersHeld: false });
});

describe('several at the same time', () => {
  const filling = (max: number): QueueState => ({ ...startFilling(true, 0), min: max, max, runsyncTried: true });

  test('as many as the latency needs, within bounds', () => {
    expect(submitTogether(filling(100), rule, 1, 11)).toBe(1);
    expect(submitTogether(filling(100), rule, 84, 11)).toBe(8);
    expect(submitTogether(filling(100), rule, 5000, 11)).toBe(20);
    expect(submitTogether(filling(100), { ...rule, together: 2 }, 5000, 11)).toBe(2);
  });

  test('fewer near the border and just before runsync is sent, one by one after a setback or an unknown one, for a retry', () => {
    expect(submitTogether(filling(485), rule, 84, 11)).toBe(5);
    expect(submitTogether(filling(490), rule, 84, 11)).toBe(1);
    expect(submitTogether({ ...filling(49), accepted: 49, runsyncTried: false }, rule, 84, 11)).toBe(3);
    expect(submitTogether({ ...filling(10), runsyncTried: false }, small, 84, 11)).toBe(8);
    expect(submitTogether({ ...filling(100), setbacks: 1 }, rule, 84, 11)).toBe(1);
    expect(submitTogether({ ...filling(100), unknown: 1 }, rule, 84, 11)).toBe(1);
    expect(submitTogether({ ...filling(100), next: submit('retry', 'run') }, rule, 84, 11)).toBe(1);
  });

  test('accepted ones are counted, one refusal is examined', () => {
    const fates: SubmissionFate[] = ['accepted', 'accepted', 'done'];
    expect(advanceTogether(filling(100), rule, fates)).toMatchObject({ min: 102, max: 102 });
    const refused = advanceTogether(filling(100), rule, ['refused', 'accepted', 'refused', 'accepted']);
    expect(refused).toMatchObject({ min: 102, max: 102, next: submit('full', 'runsync'), sent: { run: 4 } });
  });
});

test('nothing follows a stop', () => {
  const stopped = { ...startFilling(true, 0), next: STOP };
  expect(advance(stopped, rule, 'accepted')).toBe(stopped);
});

test('responses that are neither, beyond the border, are retried after an idle window', () => {
  const { log } = play(rule, { answer: ({ queued }) => (queued > rule.border ? 'other' : 'accepted') });
  expect(log.slice(-5).map(brief)).toEqual([
    'fill run other',
    'fill run other',
    'fill run other',
    'idle',
    'retry run other',
  ]);
});
