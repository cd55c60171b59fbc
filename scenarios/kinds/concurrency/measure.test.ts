/** What shows that the waves of a concurrency probe were in the target together, from ledgers made by hand. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeLedger, encodeEntry, encodeMark, type LedgerEntry } from '../../../schemas/ledger.ts';
import type { OperationId } from '../../../schemas/operations.ts';
import { analyseConcurrency } from './measure.ts';

const parameters = {
  kind: 'concurrency',
  limitId: 'status.concurrency',
  instId: 'inst-a',
  operations: ['status-sync'],
  technique: 'long-poll',
  limit: 2,
  extra: 1,
  holdMs: 100,
} as const;

function at(phase: string, sentMs: number, firstByteMs: number, status = 200, operation = 'status-sync'): LedgerEntry {
  const note = phase === 'control' ? '' : status === 429 ? 'early' : 'released';
  return { phase, operation, sentMs, firstByteMs, endMs: firstByteMs, status, error: '', note };
}

const control = (sentMs: number, firstByteMs: number, status = 200, operation = 'health') =>
  at('control', sentMs, firstByteMs, status, operation);

function analysed(entries: readonly LedgerEntry[], planned = 3) {
  const mark = (name: 'start' | 'end', ms: number) => encodeMark({ mark: name, wallMs: 1000 + ms, monotonicMs: ms });
  const lines = [mark('start', 0), ...entries.map(encodeEntry), mark('end', 200)];
  return analyseConcurrency(parameters, decodeLedger(lines.join('\n')), planned);
}

/** Three wait together from 10 on until 100, as a target without the limit lets them. */
const waiting = [at('within', 1, 100), at('within', 1, 101), at('beyond', 10, 102)];

test('three control requests between the last sending and the first answer show it', () => {
  const facts = analysed([...waiting, control(20, 22), control(23, 25), control(26, 28)]);
  expect(facts).toMatchObject({ arrivedTogether: true, overlapInner: 3, fewestAtRefusal: null });
});

test('a refused control request is an answer too, and so is any status', () => {
  expect(analysed([...waiting, control(20, 22, 429), control(23, 25, 404), control(26, 28, 500)]).arrivedTogether).toBe(
    true,
  );
});

test.each([
  ['there are none', []],
  ['there are only two', [control(20, 22), control(23, 25)]],
  ['one got no answer', [control(20, 22), control(23, 25), control(26, 99, 0)]],
  ['one was sent before the last of the waves', [control(9, 22), control(23, 25), control(26, 28)]],
  ['one was answered after the first of the waves', [control(20, 22), control(23, 25), control(26, 100.5)]],
  ['a target that caught up answered all at once', [control(20, 103), control(104, 105), control(106, 107)]],
])('nothing shows it when %s', (_, controls) => {
  const facts = analysed([...waiting, ...controls]);
  expect(facts).toMatchObject({ arrivedTogether: false, overlapInner: 3 });
});

test('requests that were refused during it were answered before, and show nothing else', () => {
  const refused = [at('within', 1, 100), at('within', 1, 101), at('beyond', 10, 12, 429)];
  expect(analysed([...refused, control(20, 22), control(23, 25), control(26, 28)]).arrivedTogether).toBe(true);
});

test('where a poll waited in vain, others may wait as well, although controls overtake them', () => {
  const controls = [control(20, 22), control(23, 25), control(26, 28)];
  const poll = (sentMs: number, status: number) => at('timing', sentMs, sentMs + 2, status, 'health');
  expect(analysed([...waiting, poll(5, 0), ...controls]).arrivedTogether).toBe(false);
  expect(analysed([...waiting, poll(5, 200), ...controls, poll(110, 0)]).arrivedTogether).toBe(true);
});

test('a service that takes longer to answer the first wave than that had to arrive may not have counted all of it', () => {
  const controls = [control(20, 22), control(23, 25), control(26, 28)];
  const slow = [at('within', 1, 100), at('within', 1, 128), at('beyond', 10, 102)];
  expect(analysed([...slow, ...controls]).arrivedTogether).toBe(false);
  const counted = (queued: string) => controls.map((one) => ({ ...one, note: queued }));
  expect(analysed([...slow, ...counted('2')]).arrivedTogether).toBe(false);
  expect(analysed([...slow, ...counted('3')]).arrivedTogether).toBe(true);
  expect(analysed([...slow, at('beyond', 10, 12, 429), ...controls]).arrivedTogether).toBe(true);
});

test('one that was lost before the controls were answered may never have arrived', () => {
  const lost = [...waiting, at('beyond', 10, 21, 0)];
  expect(analysed([...lost, control(20, 22), control(23, 25), control(26, 28)], 4).arrivedTogether).toBe(false);
});

test('control requests are in no count', () => {
  const controls = [control(20, 22), control(23, 25), control(26, 28)];
  const [without, having] = [analysed(waiting, 6), analysed([...waiting, ...controls], 6)];
  expect(having).toEqual({ ...without, arrivedTogether: true });
  expect(having.health).toMatchObject({ sent: 3, planned: 6 });
});

test('a control request that takes a slot may be why another got none', () => {
  const crowded = [at('within', 1, 100), at('within', 15, 30, 429)];
  expect(analysed(crowded).refusedWithinLimit).toBe(1);
  const same = control(20, 22, 200, 'status');
  expect(analysed([...crowded, same])).toMatchObject({ refusedWithinLimit: 0, fewestAtRefusal: 2 });
  for (const other of ['health', 'models']) {
    const facts = analysed([...crowded, control(20, 22, 200, other)]);
    expect(facts).toMatchObject({ refusedWithinLimit: 1, fewestAtRefusal: 1 });
  }
});

const held = (phase: string, note: string, sentMs: number, firstByteMs: number, status = 200): LedgerEntry => ({
  ...at(phase, sentMs, firstByteMs, status),
  note,
});

test('requests that were opened further and dropped were held, are in both bounds, and are no fault', () => {
  const further = [held('further', 'dropped', 5, 90, 0), held('further', 'early retry-after=1', 6, 8, 429)];
  const facts = analysed([...waiting, ...further]);
  expect(facts.further).toMatchObject({ opened: 2, held: 1, refusedEarly: 1, lost: 0 });
  expect(facts).toMatchObject({ overlapInner: 4, overlapOuter: 4, fewestAtRefusal: 3 });
  expect(facts.statuses).not.toHaveProperty('0');
  expect(facts.health).toMatchObject({ sent: 4, unanswered: 0 });
});

test.each<[string, readonly (readonly [sentMs: number, firstByteMs: number, status?: number])[], boolean]>([
  [
    'the first get in, and all later ones are refused before any of those is answered',
    [
      [1, 20],
      [2, 21],
      [3, 9, 429],
      [4, 8, 429],
    ],
    true,
  ],
  [
    'a later one gets in',
    [
      [1, 20],
      [2, 9, 429],
      [3, 22],
    ],
    false,
  ],
  [
    'one is refused after another was answered',
    [
      [1, 20],
      [2, 21],
      [3, 19, 429],
    ],
    false,
  ],
  [
    'one gets no answer',
    [
      [1, 20],
      [2, 21],
      [3, 9, 429],
      [4, 90, 0],
    ],
    false,
  ],
  [
    'none is refused',
    [
      [1, 20],
      [2, 21],
    ],
    false,
  ],
  ['none gets in', [[1, 5, 429]], false],
])('in one moment, where %s', (_, sent, isTogether) => {
  const poll = at('timing', 0, 4, 200, 'health');
  const further = sent.map(([sentMs, firstByteMs, status]) => held('further', 'whole', sentMs, firstByteMs, status));
  expect(analysed([poll, ...further.toReversed()]).arrivedTogether).toBe(isTogether);
  // Of those that are held back, no order is known.
  expect(analysed([poll, ...further.map((one) => ({ ...one, note: 'early' }))]).arrivedTogether).toBe(false);
});

test('the bounds differ where an answer takes long to come, or says nothing', () => {
  const slow = { ...at('within', 1, 50), endMs: 100 };
  expect(analysed([slow, at('within', 60, 101)])).toMatchObject({ overlapInner: 1, overlapOuter: 2 });
  expect(analysed([at('within', 1, 100), at('within', 1, 90, 0)])).toMatchObject({ overlapInner: 1, overlapOuter: 2 });
});

test('the inner bound is never above the outer one', () => {
  const entry = fc
    .record({
      sentMs: fc.integer({ min: 0, max: 50 }),
      waitMs: fc.integer({ min: 0, max: 50 }),
      readMs: fc.integer({ min: 0, max: 20 }),
      status: fc.constantFrom(0, 200, 404, 408, 429, 503),
      phase: fc.constantFrom('within', 'beyond', 'further', 'after-free'),
      note: fc.constantFrom('early', 'released', 'freed'),
    })
    .map(({ sentMs, waitMs, readMs, status, phase, note }) => ({
      ...held(phase, note, sentMs, sentMs + waitMs, status),
      endMs: sentMs + waitMs + readMs,
    }));
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 30 }), (entries) => {
      const { overlapInner, overlapOuter, within } = analysed(entries);
      expect(overlapInner).toBeLessThanOrEqual(overlapOuter);
      const { opened, ...fates } = within;
      expect(Object.values(fates).reduce((sum, count) => sum + count, 0)).toBe(opened);
    }),
  );
});

test('those completed together are not those that were freed before, and what was lost is no answer', () => {
  const parts = [
    held('within', 'freed', 1, 20),
    held('within', 'released', 1, 100),
    held('beyond', 'released', 10, 101, 429),
    held('after-free', 'released attempts=2', 30, 102),
    held('beyond', 'released', 10, 103, 0),
  ];
  const text = (technique: 'held-body' | 'long-poll') =>
    analyseConcurrency({ ...parameters, technique }, decodeLedger(parts.map(encodeEntry).join('\n')), 3)
      .releasedTogether;
  expect(text('held-body')).toEqual({ count: 3, refused: 1 });
  expect(text('long-poll')).toBeUndefined();
});

test('whole requests that can have waited for one another are no more at once than the others', () => {
  const whole = (ms: readonly number[]) => ms.map((answeredMs) => held('within', 'whole', 0, answeredMs));
  const controls = [control(1, 11), control(12, 22), control(23, 33)];
  const facts = analysed([...whole([100, 104, 140, 196]), held('beyond', 'whole', 2, 12, 429), ...controls]);
  // The way takes 10 of the 100, so that a second one in the same slot takes 190, and one that may be is left out from 145 on.
  expect(facts).toMatchObject({ technique: 'whole', sideBySide: 3, overlapInner: 4, within: { held: 4 } });
  expect(facts.beyond).toMatchObject({ opened: 1, refusedEarly: 1 });
  expect(analysed(whole([100, 104]))).toMatchObject({ sideBySide: 0 });
  expect(analysed(waiting)).not.toHaveProperty('sideBySide');
});

test('a GET that was answered at once is reported, one that waited or was refused is not', () => {
  const scout = (note: string, status: number) => analysed([...waiting, held('scout', note, 0, 1, status)]);
  expect(scout('early', 400).getAnsweredAtOnce).toBe(400);
  expect(scout('released', 200)).not.toHaveProperty('getAnsweredAtOnce');
  expect(scout('early retry-after=1', 429)).not.toHaveProperty('getAnsweredAtOnce');
  expect(scout('early', 400).within).toEqual(analysed(waiting).within);
});

test('those answered without their bodies were opened too, and spend what a rate limit allows', () => {
  expect(analysed([held('trial', 'early', 0, 2), ...waiting])).toMatchObject({ opened: 4, within: { opened: 2 } });
});

test('another address counts alone', () => {
  const elsewhere = [
    held('elsewhere-alone', 'released', 0, 1),
    held('elsewhere', 'early', 20, 21, 429),
    held('elsewhere', 'released', 20, 90),
    held('still-full', 'early', 30, 31, 429),
  ];
  const ledger = [...waiting, ...elsewhere].map(encodeEntry).join('\n');
  const facts = analyseConcurrency({ ...parameters, otherAddress: '10.0.0.2' }, decodeLedger(ledger), 3);
  expect(facts.elsewhere).toMatchObject({
    address: '10.0.0.2',
    alone: { opened: 1, held: 1 },
    meanwhile: { opened: 2, held: 1, refusedEarly: 1 },
    stillFull: { opened: 1, refusedEarly: 1 },
    statuses: { 200: 2, 429: 1 },
    error: '',
  });
  expect(facts).toMatchObject({ overlapInner: 3, overlapOuter: 3, fewestAtRefusal: null, refusals: { statuses: {} } });
  expect(analysed(waiting)).not.toHaveProperty('elsewhere');
});

test('requests that the limit does not count are reported where they were refused alike', () => {
  const waves = [at('within', 1, 100), at('beyond', 10, 12, 503)];
  expect(analysed([...waves, at('timing', 11, 13, 503, 'health')]).besides).toEqual({ 503: 1 });
  expect(analysed([...waves, at('timing', 11, 13, 200, 'health')])).not.toHaveProperty('besides');
  expect(analysed([...waves, at('timing', 11, 13, 503, 'models')]).besides).toEqual({ 503: 1 });
  // It counts like those that were refused.
  expect(analysed([...waves, at('timing', 11, 13, 503, 'status')])).not.toHaveProperty('besides');
});

describe('slots that were freed', () => {
  const full = [held('within', 'freed', 1, 30), at('within', 1, 200), at('beyond', 10, 12, 429)];
  const aborted = held('aborted', 'dropped attempts=2', 60, 80, 0);
  const controls = (ms: number) => [0, 2, 4].map((more) => control(ms + more, ms + more + 1));
  const takers = [held('after-free', 'released attempts=1', 40, 201), ...controls(45), aborted, ...controls(70)];

  test('a request that waited while control requests were answered had arrived', () => {
    const last = [held('after-abort', 'released attempts=3', 90, 202), ...controls(95)];
    expect(analysed([...full, ...takers, ...last])).toMatchObject({
      afterFree: { held: 1 },
      afterAbort: { held: 1 },
      slotTakers: { afterFree: true, aborted: true, afterAbort: true, tries: 6 },
    });
    const { slotTakers } = analysed([...full, ...takers, held('after-abort', 'released', 90, 202)]);
    expect(slotTakers).toMatchObject({ aborted: true, afterAbort: false });
    expect(analysed(full)).not.toHaveProperty('slotTakers');
  });

  test('of those that wait by themselves one is given up, and the last short ones count while the others wait', () => {
    const given = [
      held('within', 'dropped', 1, 40, 0),
      at('within', 1, 200),
      at('beyond', 10, 12, 429),
      ...controls(20),
    ];
    const short = (phase: string, ms: number, status = 200) => held(phase, 'alone attempts=1', ms, ms + 1, status);
    const tries = [short('after-abort', 45, 429), short('after-abort', 50), short('after-free', 60)];
    expect(analysed([...given, ...tries])).toMatchObject({
      within: { opened: 2, held: 2, lost: 0 },
      health: { sent: 6, unanswered: 0 },
      arrivedTogether: true,
      overlapInner: 2,
      afterAbort: { held: 1, refusedEarly: 0 },
      afterFree: { held: 1 },
      slotTakers: { afterFree: true, aborted: true, afterAbort: true },
    });
    const late = [short('after-abort', 50), short('after-free', 210)];
    expect(analysed([...given, ...late]).slotTakers).toMatchObject({ afterAbort: true, afterFree: false });
  });

  test('the one that was aborted is in no count', () => {
    const { slotTakers: _, ...having } = analysed([...full, ...takers]);
    const { slotTakers: __, ...without } = analysed([...full, ...takers.filter((one) => one !== aborted)]);
    expect(having).toEqual(without);
  });

  test('a slot that is still taken is refused like those beyond; another refusal says nothing of it', () => {
    const tried = (status: number) => analysed([...full, ...takers, held('after-abort', 'early', 90, 92, status)]);
    expect(tried(429).afterAbort).toMatchObject({ refusedEarly: 1, lost: 0 });
    expect(tried(503).afterAbort).toMatchObject({ refusedEarly: 0, lost: 1 });
  });
});

describe('what else counts towards the limit, sent while it is full', () => {
  const full = [at('within', 1, 100), at('within', 1, 101), at('beyond', 10, 12, 429)].map((one) => ({
    ...one,
    operation: 'chat',
  }));
  const models = (sentMs: number, status = 200) => control(sentMs, sentMs + 2, status, 'models');
  const controlsOf = (controls: readonly LedgerEntry[], operations: readonly OperationId[] = ['chat']) => {
    const mark = (name: 'start' | 'end', ms: number) => encodeMark({ mark: name, wallMs: 1000 + ms, monotonicMs: ms });
    const lines = [mark('start', 0), ...[...full, ...controls].map(encodeEntry), mark('end', 200)];
    return analyseConcurrency({ ...parameters, operations }, decodeLedger(lines.join('\n')), 3).controls;
  };

  test('served or refused, it is counted', () => {
    expect(controlsOf([models(20), models(30), models(40, 429)])).toEqual({ operation: 'models', sent: 3, served: 2 });
  });

  test.each([
    ['before anybody was refused', [models(5), models(9)]],
    ['when one that was held had been answered', [models(99), models(100)]],
    ['and not answered', [models(20, 0)]],
    ['but of another limit', [control(20, 22), control(30, 32)]],
  ])('sent %s it shows nothing', (_, controls) => {
    expect(controlsOf(controls)).toBeUndefined();
  });

  test('and neither does one that is sent to operations of another limit', () => {
    expect(controlsOf([models(20), models(30)], ['status-sync'])).toBeUndefined();
  });
});

describe('all slots taken again by whole requests', () => {
  const whole = (phase: string, sentMs: number, status = 200): LedgerEntry => ({
    ...at(phase, sentMs, sentMs + 20, status, 'cancel'),
    note: 'whole attempts=1',
  });
  const waves = [whole('within', 1), whole('within', 1), whole('beyond', 5, 429)];
  const again = (phase: string, ...statuses: number[]) => statuses.map((status, at) => whole(phase, 50 + at, status));

  test('a refused one among them is seen, whichever it is', () => {
    expect(analysed([...waves, ...again('after-free', 429, 200)]).afterFree).toMatchObject({ refusedEarly: 1 });
    expect(analysed([...waves, ...again('after-free', 200, 429)]).afterFree).toMatchObject({ refusedEarly: 1 });
    expect(analysed([...waves, ...again('after-free', 200, 200)]).afterFree).toMatchObject({
      refusedEarly: 0,
      held: 2,
    });
  });

  test('those that get each after an abort show that answers freed theirs, and where one is refused nothing of it', () => {
    const both = analysed([...waves, ...again('after-abort', 200, 200)]);
    expect(both).toMatchObject({ afterFree: { held: 2 }, afterAbort: { held: 2 } });
    const one = analysed([...waves, ...again('after-abort', 200, 429)]);
    expect(one.afterFree).toBeUndefined();
    expect(one.afterAbort).toMatchObject({ refusedEarly: 1 });
  });
});
