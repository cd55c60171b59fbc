import { describe, expect, test } from 'vitest';
import type { ConcurrencyFacts, LoadFacts } from '../../../schemas/facts.ts';
import { limitsOf } from '../../../schemas/limits.ts';
import { judgingContext } from '../../verdicts/context.ts';
import { exactConcurrency, filledQueue, soundHealth, wave } from '../../verdicts/testing/facts.ts';
import { judgeConcurrency } from './judge.ts';
import { measureConcurrency } from './measure.ts';

const dedicated = [{ instId: 'inst-a', workersMax: 3, dedicated: true }];
const run = limitsOf('concurrent-requests').find((one) => one.id === 'run.concurrency');
if (!run) throw new Error('run has a concurrency limit');

function judged(facts: ConcurrencyFacts, others: readonly LoadFacts[] = [], endpoints = dedicated) {
  const claims = judgeConcurrency(facts, run ?? never(), judgingContext([facts, ...others], endpoints));
  const word = (aspect: string) => claims[`run.concurrency.${aspect}`]?.verdict;
  return { guarantee: word('guarantee'), enforced: word('enforced'), freed: word('freed'), refusal: word('refusal') };
}

function never(): never {
  throw new Error('unreachable');
}

const exact = (changes: Partial<ConcurrencyFacts> = {}) => exactConcurrency('run.concurrency', run.value, changes);

test('exactly the limit held, one more refused: conforms, measured to the unit', () => {
  expect(judged(exact())).toEqual({ guarantee: 'holds', enforced: 'holds', freed: 'holds', refusal: 'holds' });
  expect(measureConcurrency(exact())).toEqual({ lower: run.value, upper: run.value });
});

test('submissions without an input show a limit that refused some, and nothing where none was refused', () => {
  const withoutInput = 'its workers need about 116 s for 436 jobs';
  expect(judged(exact({ withoutInput }))).toEqual(judged(exact()));
  const none = { beyond: wave(3), fewestAtRefusal: null, overlapInner: run.value + 3, overlapOuter: run.value + 3 };
  const whole = exact({ ...none, technique: 'whole' });
  expect(judged(whole).enforced).toBe('broken');
  const open = { guarantee: 'inconclusive', enforced: 'inconclusive' };
  expect(judged({ ...whole, withoutInput })).toMatchObject(open);
  expect(judged(exact({ ...none, withoutInput }))).toMatchObject(open);
});

test('a refusal among the first is a broken guarantee', () => {
  const facts = exact({ within: wave(run.value, { refusedEarly: 1 }) });
  expect(judged(facts).guarantee).toBe('broken');
  expect(measureConcurrency(facts)).toEqual({ lower: run.value - 1, upper: run.value - 1 });
});

test('where not one is taken, it is no limit on requests at once that refuses', () => {
  const all = { within: wave(run.value, { refusedEarly: run.value }), beyond: wave(3, { refusedEarly: 3 }) };
  const facts = exact({ ...all, overlapInner: 0, overlapOuter: 0, fewestAtRefusal: 0, refusedWithinLimit: run.value });
  expect(judged(facts)).toMatchObject({ guarantee: 'inconclusive', enforced: 'inconclusive' });
});

test('nor where not one of those held is taken when they are complete', () => {
  const all = { within: wave(run.value, { refusedLate: run.value }), beyond: wave(3, { refusedLate: 3 }) };
  const released = { releasedTogether: { count: run.value + 3, refused: run.value + 3 } };
  const facts = exact({ ...all, ...released, overlapInner: 0, fewestAtRefusal: null, refusedWithinLimit: 0 });
  expect(judged(facts)).toMatchObject({ guarantee: 'inconclusive', enforced: 'inconclusive' });
});

test('a refusal among the first that another request may explain leaves the guarantee open', () => {
  const facts = exact({ within: wave(run.value, { refusedEarly: 1 }), refusedWithinLimit: 0 });
  expect(judged(facts)).toMatchObject({ guarantee: 'inconclusive', enforced: 'holds' });
});

test('one more than the limit served is a broken enforcement', () => {
  const facts = exact({ beyond: wave(3, { refusedEarly: 2 }) });
  expect(judged(facts)).toMatchObject({ guarantee: 'holds', enforced: 'broken', freed: 'inconclusive' });
});

test('what refuses one after the other, and takes more than the limit at the same moment, does not enforce it', () => {
  const taken = (count: number) => exact({ refill: { requested: 60, taken: count }, overlapInner: count });
  expect(judged(taken(run.value)).enforced).toBe('holds');
  expect(judged(taken(run.value + 1))).toMatchObject({ guarantee: 'holds', enforced: 'broken', freed: 'holds' });
});

describe('without a sign that all had reached the target before the first was answered', () => {
  const apart = (changes: Partial<ConcurrencyFacts>) => exact({ arrivedTogether: false, ...changes });
  const reason = (facts: ConcurrencyFacts, others: readonly LoadFacts[] = []) =>
    judgeConcurrency(facts, run, judgingContext([facts, ...others], dedicated))['run.concurrency.enforced']?.reason;
  const silent = { beyond: wave(3), refusals: { statuses: {}, withRetryAfter: 0 } };

  test('one more than the limit served may have come late', () => {
    const facts = apart({ beyond: wave(3, { refusedEarly: 2 }) });
    expect(judged(facts)).toMatchObject({ guarantee: 'holds', enforced: 'inconclusive', freed: 'inconclusive' });
    expect(reason(facts)).toContain('had reached the target');
    expect(measureConcurrency(facts)).toEqual({ lower: run.value, upper: run.value + 1 });
  });

  test('so may long-polls of which none was refused', () => {
    const facts = apart({ ...silent, technique: 'long-poll', overlapInner: run.value + 3 });
    expect(judged(facts)).toMatchObject({ guarantee: 'holds', enforced: 'inconclusive' });
    expect(reason(facts)).toContain('had reached the target');
    expect(measureConcurrency(facts)).toEqual({ lower: run.value, upper: null });
  });

  test('so may held bodies of which none was refused, where other operations refuse them', () => {
    const sibling = exactConcurrency('cancel.concurrency', 20);
    expect(judged(apart(silent), [sibling]).enforced).toBe('inconclusive');
    expect(reason(apart(silent), [sibling])).toContain('had reached the target');
  });

  test('a target that refused what was beyond the limit keeps it all the same', () => {
    expect(judged(apart({}))).toMatchObject({ guarantee: 'holds', enforced: 'holds', freed: 'holds' });
    expect(measureConcurrency(apart({}))).toEqual({ lower: run.value, upper: run.value });
  });

  test('a refusal within the limit breaks the guarantee all the same: late reading only makes others fewer', () => {
    expect(judged(apart({ within: wave(run.value, { refusedEarly: 1 }) })).guarantee).toBe('broken');
  });
});

describe('nothing refused while held', () => {
  const silent = exact({ beyond: wave(3), refusals: { statuses: {}, withRetryAfter: 0 } });

  test('says nothing alone: the target may count complete requests only', () => {
    expect(judged(silent)).toMatchObject({ guarantee: 'inconclusive', enforced: 'inconclusive' });
  });

  test('is a missing limit where the same target counts held requests elsewhere', () => {
    const sibling = exactConcurrency('cancel.concurrency', 20);
    expect(judged(silent, [sibling])).toMatchObject({ guarantee: 'holds', enforced: 'broken' });
  });

  test('is no missing limit because another interface counts held requests', () => {
    const other = exactConcurrency('inference.concurrency', 1000);
    expect(judged(silent, [other]).enforced).toBe('inconclusive');
  });

  test('with refusals after the release, as many as were too many, conforms', () => {
    const late = exact({ beyond: wave(3, { refusedLate: 3 }) });
    expect(judged(late)).toMatchObject({ enforced: 'holds', guarantee: 'inconclusive' });
  });

  test('with fewer refusals after the release than were too many, says nothing: the others may not have overlapped', () => {
    const late = exact({ beyond: wave(3), afterAbort: wave(1, { refusedLate: 1 }) });
    expect(judged(late)).toMatchObject({ enforced: 'inconclusive', guarantee: 'inconclusive', freed: 'inconclusive' });
  });

  test('with refusals after the release that the queue explains, is no limit of its own', () => {
    const late = exact({ beyond: wave(3, { refusedLate: 3 }) });
    expect(judged(late, [filledQueue(1, 500, 51)]).enforced).toBe('inconclusive');
  });

  test('with more refusals after the release than were too many, is broken', () => {
    const late = exact({ within: wave(run.value, { refusedLate: 50 }), beyond: wave(3, { refusedLate: 3 }) });
    expect(judged(late).guarantee).toBe('broken');
  });

  test('unless the queue explains them', () => {
    const late = exact({ within: wave(run.value, { refusedLate: 50 }), beyond: wave(3, { refusedLate: 3 }) });
    expect(judged(late, [filledQueue(1, 500, 51)]).guarantee).toBe('inconclusive');
  });
});

describe('long-polls', () => {
  const polled = (changes: Partial<ConcurrencyFacts>) => exact({ technique: 'long-poll', ...changes });

  test('proven overlap beyond the limit without a refusal is a missing limit', () => {
    const facts = polled({ beyond: wave(3), overlapInner: run.value + 3 });
    expect(judged(facts)).toMatchObject({ guarantee: 'holds', enforced: 'broken' });
  });

  test('show freed slots that were taken again, and nothing where none was tried', () => {
    expect(judged(polled({})).freed).toBe('holds');
    const { afterFree: _, afterAbort: __, slotTakers: ___, ...none } = polled({});
    expect(judged(none).freed).toBeUndefined();
  });

  test('leave open whether a slot is kept whose client left, since a proxy may hide that it did', () => {
    expect(judged(polled({ afterAbort: wave(1, { refusedEarly: 1 }) })).freed).toBe('inconclusive');
  });

  test('that arrive out of order break nothing: others held the slots when the first wave was refused', () => {
    const disordered = { within: wave(run.value, { refusedEarly: 50 }), beyond: wave(50), refusedWithinLimit: 0 };
    expect(judged(polled(disordered))).toMatchObject({ guarantee: 'holds', enforced: 'holds' });
  });

  test('that fill a queue with a broken rule are refused by the queue', () => {
    const queued = polled({ within: wave(run.value, { refusedEarly: 150 }), beyond: wave(3, { refusedEarly: 3 }) });
    expect(judged(queued, [filledQueue(1, 500, 51)]).guarantee).toBe('inconclusive');
    expect(judged(queued, [filledQueue(1, 500, 501)]).guarantee).toBe('broken');
  });

  test('too little overlap says nothing', () => {
    const facts = polled({ beyond: wave(3), overlapInner: 17 });
    expect(judged(facts)).toMatchObject({ guarantee: 'inconclusive', enforced: 'inconclusive' });
  });
});

test('answers that did not wait for the body prove no overlap', () => {
  const facts = exact({ within: wave(run.value, { answeredEarly: 150 }), beyond: wave(3, { answeredEarly: 3 }) });
  expect(judged(facts)).toMatchObject({ guarantee: 'inconclusive', enforced: 'inconclusive' });
});

test('a slot that an aborted request keeps is found', () => {
  expect(judged(exact({ afterAbort: wave(1, { refusedEarly: 1 }) })).freed).toBe('broken');
});

test('a slot that an answered request keeps is found', () => {
  expect(judged(exact({ afterFree: wave(1, { refusedEarly: 1 }) })).freed).toBe('broken');
});

test('a probe that was cut off decides nothing', () => {
  const facts = exact({ health: soundHealth({ complete: false }) });
  expect(judged(facts)).toEqual({
    guarantee: 'inconclusive',
    enforced: 'inconclusive',
    freed: 'inconclusive',
    refusal: 'inconclusive',
  });
});

test('where all are refused nothing is said of a limit', () => {
  const facts = exact({ besides: { 503: 1 }, refusals: { statuses: { 503: 3 }, withRetryAfter: 0 } });
  expect(new Set(Object.values(judged(facts)))).toEqual(new Set(['inconclusive']));
});

test('where all are refused it is the limit if slots that are given back are taken again, and no more than those', () => {
  const refill = { requested: run.value / 2 + 3, taken: run.value };
  const facts = exact({ besides: { 503: 1 }, refusals: { statuses: { 503: 3 }, withRetryAfter: 0 }, refill });
  expect(judged(facts)).toMatchObject({ guarantee: 'holds', enforced: 'holds', freed: 'holds' });
  expect(judged({ ...facts, overlapOuter: run.value + 3 })).toMatchObject({ guarantee: 'inconclusive' });
});

test('where all are refused, one more than the limit at once is one too many', () => {
  const facts = exact({ besides: { 503: 1 }, beyond: wave(3, { refusedEarly: 2 }) });
  expect(judged(facts)).toMatchObject({ guarantee: 'inconclusive', enforced: 'broken' });
});

test('where all are refused, whole requests show the limit only if each one beyond it was refused', () => {
  const whole = { technique: 'whole', servesBehind: true, besides: { 503: 1 } } as const;
  const facts = exact({ ...whole, refusals: { statuses: { 503: 3 }, withRetryAfter: 0 } });
  expect(judged(facts)).toMatchObject({ guarantee: 'holds', enforced: 'holds' });
  expect(judged({ ...facts, beyond: wave(3, { refusedEarly: 2 }) }).guarantee).toBe('inconclusive');
});

test('a refusal with an overload status does not break the guarantee', () => {
  const facts = exact({
    within: wave(run.value, { refusedEarly: 9 }),
    refusals: { statuses: { 503: 12 }, withRetryAfter: 0 },
    refusesWhole: true,
    overlapOuter: run.value,
  });
  expect(judged(facts).guarantee).toBe('inconclusive');
  // Unless no more are ever let in, and each slot that is given back is taken again.
  expect(judged({ ...facts, overlapOuter: run.value - 9 }).guarantee).toBe('broken');
});

test('on an endpoint that others use a refusal within the limit proves nothing', () => {
  const facts = exact({ within: wave(run.value, { refusedEarly: 9 }) });
  expect(judged(facts, [], [{ instId: 'inst-a', workersMax: 3, dedicated: false }]).guarantee).toBe('inconclusive');
});

test.each([
  ['all of them served', { sent: 3, served: 3 }, 'broken'],
  ['one refused', { sent: 3, served: 2 }, 'holds'],
  ['too few to tell', { sent: 2, served: 2 }, 'holds'],
  ['none served', { sent: 3, served: 0 }, 'holds'],
] as const)('other operations of a limit that is full, %s', (_, seen, verdict) => {
  const inference = limitsOf('concurrent-requests').find(({ id }) => id === 'inference.concurrency');
  if (!inference) throw new Error('interface A has such a limit');
  const facts = exactConcurrency(inference.id, inference.value, { controls: { operation: 'models', ...seen } });
  const claim = judgeConcurrency(facts, inference, judgingContext([facts], dedicated))[
    'inference.concurrency.enforced'
  ];
  expect(claim?.verdict).toBe(verdict);
  if (verdict === 'broken') expect(claim?.observed).toContain('all 3 requests of models others served');
});
