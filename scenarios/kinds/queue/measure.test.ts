/** Ledgers of queue probes, line by line, and what is made of them. */
import { describe, expect, test } from 'vitest';
import { decodeLedger, encodeEntry, encodeMark, type LedgerEntry } from '../../../schemas/ledger.ts';
import { queueParameters as parameters } from '../../testing/queue-parameters.ts';
import { analyseQueue } from './measure.ts';

type Line = Partial<LedgerEntry>;

/** Lines a millisecond apart, unless they say when they were sent. */
function facts(...lines: readonly Line[]) {
  const entries = lines.map((line, index): LedgerEntry => {
    const sentMs = line.sentMs ?? 10 * index;
    const times = { sentMs, firstByteMs: sentMs + 1, endMs: sentMs + 1 };
    return { phase: '', operation: 'run', ...times, status: 200, error: '', note: '', ...line };
  });
  const marks = (['start', 'end'] as const).map((mark) => encodeMark({ mark, wallMs: 0, monotonicMs: 0 }));
  return analyseQueue(parameters, decodeLedger([marks[0], ...entries.map(encodeEntry), marks[1], ''].join('\n')), 1);
}

const requested = (phase: string, note: string, status: number, operation = 'run'): Line => ({
  phase,
  operation,
  note,
  status,
  error: status === 0 ? 'timeout' : '',
});
const health = (phase: string, note: string): Line => ({ phase, operation: 'health', note });
const freed = (before: string, after: string): Line[] => [
  health('count', before),
  { phase: 'free', operation: 'cancel' },
  health('count', after),
];
const persisted = (...lines: readonly Line[]) =>
  facts(...lines).attempts.map((one) => [one.operation, one.queuedMin, one.outcome, one.persisted]);

describe('what a refusal was a matter of', () => {
  test('with room it was taken, and refused again at the same length: the queue’s', () => {
    const { attempts, reopenings } = facts(
      requested('fill', '501:501', 429),
      ...freed('501', '500'),
      ...freed('500', '499'),
      requested('reopen', '499:499', 200),
      requested('full', '500:500', 200),
      requested('full', '501:501', 429),
    );
    expect(attempts.map(({ persisted: still, reopened }) => [still, reopened])).toEqual([
      [true, true],
      [null, false],
      [null, false],
      [true, true],
    ]);
    expect(reopenings).toMatchObject([
      { refusedAt: { min: 501, max: 501 }, freed: 2, countAfter: 499, refusedAgain: true },
    ]);
  });

  test('still refused after an idle window: the queue’s; taken by then: not', () => {
    expect(
      persisted(
        requested('fill', '300:301', 429),
        requested('retry', '300:301', 200),
        requested('fill', '500:501', 429),
        requested('retry', '500:501', 429),
        requested('retry', '500:501', 429, 'runsync'),
      ),
    ).toEqual([
      ['run', 300, 'refused', false],
      ['run', 300, 'accepted', null],
      ['run', 500, 'refused', true],
      ['run', 500, 'refused', true],
      ['runsync', 500, 'refused', true],
    ]);
  });

  test('taken later at the same length or beyond: not the queue’s, whatever else was seen', () => {
    expect(persisted(requested('fill', '80:80', 429), requested('full', '80:80', 200))[0]).toEqual([
      'run',
      80,
      'refused',
      false,
    ]);
  });

  test('not retried: unknown', () => {
    expect(persisted(requested('fill', '80:80', 429))).toEqual([['run', 80, 'refused', null]]);
  });

  test('taken with room, but then also where it had been refused: nothing is shown', () => {
    const { reopenings, attempts } = facts(
      requested('fill', '60:60', 429),
      ...freed('60', '59'),
      requested('reopen', '59:59', 200),
      requested('full', '60:60', 200),
    );
    expect(reopenings[0]?.refusedAgain).toBe(false);
    expect(attempts[0]?.persisted).toBe(false);
  });

  test('refused with room, and still after an idle window', () => {
    const { reopenings } = facts(
      requested('fill', '501:501', 429),
      ...freed('501', '500'),
      requested('reopen', '500:500', 429),
      requested('retry', '500:500', 429),
    );
    expect(reopenings).toMatchObject([{ attempt: { outcome: 'refused', persisted: true, reopened: false } }]);
  });

  test('room that a refused runsync left is that of the run after it', () => {
    const { reopenings } = facts(
      requested('full', '501:501', 429, 'runsync'),
      ...freed('501', '500'),
      requested('reopen', '500:500', 429, 'runsync'),
      requested('reopen', '500:500', 200),
    );
    expect(reopenings.map(({ operation, freed: count }) => [operation, count])).toEqual([
      ['runsync', 1],
      ['run', 1],
    ]);
  });
});

test('a silent runsync is seen in the queue where its state or the count of health says so', () => {
  const seen = (...lines: readonly Line[]) => facts(requested('fill', '51:52', 0, 'runsync'), ...lines).attempts[0];
  expect(seen()).toMatchObject({ outcome: 'unanswered-yet', seenQueued: false });
  expect(seen(health('counted', '53'))).toMatchObject({ seenQueued: true });
  expect(seen(health('counted', '52'))).toMatchObject({ seenQueued: false });
  expect(seen(health('counted', ''))).toMatchObject({ seenQueued: false });
  expect(seen({ phase: 'counted', operation: 'status', note: 'queued' })).toMatchObject({ seenQueued: true });
});

test('requests of the same operation that may still be open are counted', () => {
  const { attempts } = facts(
    requested('fill', '50:50', 0, 'runsync'),
    requested('fill', '50:51', 200),
    requested('fill', '51:52', 0, 'runsync'),
    requested('fill', '51:53', 429, 'runsync'),
    { ...requested('fill', '51:53', 200), sentMs: 100, endMs: 120 },
    { ...requested('fill', '51:53', 429), sentMs: 100, endMs: 120 },
  );
  expect(attempts.map(({ open }) => open)).toEqual([0, 0, 1, 2, 1, 1]);
});

describe('whether the length of the queue is known', () => {
  test.each<readonly [string, boolean, readonly Line[]]>([
    ['health says empty and agrees later', true, [health('before', '0'), health('full', '9:9:9')]],
    ['health says empty and contradicts itself later', false, [health('before', '0'), health('full', '9:9:12')]],
    ['health says later that fewer wait than were taken', false, [health('before', '0'), health('full', '9:9:0')]],
    ['health says nothing later', true, [health('before', '0'), health('full', '9:9:')]],
    ['health tells what a purge left', true, [health('before', '7'), health('before', '2'), health('full', '9:11:10')]],
    ['nothing emptied it', false, [health('before', '')]],
    [
      'a purge is believed where health is silent',
      true,
      [health('before', ''), { phase: 'purge-before', operation: 'purge-queue' }, health('before', '')],
    ],
    [
      'a purge that did not work the second time is not',
      false,
      [
        health('before', ''),
        { phase: 'purge-before', operation: 'purge-queue' },
        { phase: 'purge', operation: 'purge-queue', note: '3' },
        { phase: 'cleared', operation: 'status', note: 'queued' },
      ],
    ],
  ])('%s: %s', (_, known, lines) => {
    expect(facts(...lines).lengthKnown).toBe(known);
  });
});

test('workers held, and accepted jobs that left the queue by themselves', () => {
  const readStatus = (phase: string, note: string): Line => ({ phase, operation: 'status', note });
  expect(
    facts(
      readStatus('held', 'busy'),
      readStatus('waiting', 'queued'),
      readStatus('waiting', 'left'),
      readStatus('waiting', 'unknown'),
    ),
  ).toMatchObject({ workersHeld: 1, waiting: { sampled: 2, left: 1 } });
});

test('what is submitted when the slow jobs may be over meets a queue of unknown length', () => {
  const hold: Line = { phase: 'hold', sentMs: 0 };
  const slow = { ...requested('fill', '501:501', 200), sentMs: parameters.slowJobMs + 1 };
  expect(facts(hold, slow).attempts[0]).toMatchObject({ queuedMin: 0, queuedMax: 501 });
  expect(facts(hold, { ...slow, firstByteMs: 0 }).attempts[0]).toMatchObject({ queuedMin: 501 });
});

test('requests that met no target are counted, and accepted jobs that it no longer knows', () => {
  const readStatus = (phase: string, status: number): Line => ({ phase, operation: 'status', status, note: 'unknown' });
  const { outage, waiting } = facts(
    requested('fill', '0:0', 0),
    readStatus('waiting', 404),
    readStatus('count', 0),
    readStatus('count', 502),
  );
  expect(outage).toEqual({ requests: 2, statuses: { 0: 1, 502: 1 } });
  expect(waiting).toEqual({ sampled: 0, left: 0, forgotten: 1 });
});

test('refusals of health are counted, and those of submissions are not among them', () => {
  const refused = { ...health('count', ''), status: 429 };
  expect(facts(requested('fill', '0:0', 429), refused, health('count', '3')).refusedHealth).toBe(1);
});

test('another status is the same after an idle window, or it is not', () => {
  const still = (status: number) =>
    facts(requested('fill', '502:502', 503), requested('retry', '502:503', status)).attempts[0]?.persisted;
  expect([still(503), still(200), still(429)]).toEqual([true, false, false]);
});
