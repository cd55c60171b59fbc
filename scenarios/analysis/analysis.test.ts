/** Ledger text in, facts out: what each kind of entry is counted as. */
import { expect, test } from 'vitest';
import { encodeEntry, encodeMark, type LedgerEntry } from '../../schemas/ledger.ts';
import { limitFor } from '../../schemas/limits.ts';
import { analyseConcurrency, analysePayload, analyseQueue, analyseUnlimited } from './index.ts';

function entry(changes: Partial<LedgerEntry>): LedgerEntry {
  return {
    phase: '',
    operation: 'run',
    sentMs: 0,
    firstByteMs: 1,
    endMs: 1,
    status: 200,
    error: '',
    note: '',
    ...changes,
  };
}

function ledger(entries: readonly LedgerEntry[], { endWallMs = 1010, end = true } = {}): string {
  const lines = [encodeMark({ mark: 'start', wallMs: 1000, monotonicMs: 0 }), ...entries.map(encodeEntry)];
  return [...lines, ...(end ? [encodeMark({ mark: 'end', wallMs: endWallMs, monotonicMs: 10 })] : []), ''].join('\n');
}

const hold = {
  kind: 'concurrency',
  limitId: 'cancel.concurrency',
  instId: 'inst-a',
  operations: ['cancel'],
  technique: 'held-body',
  limit: 2,
  extra: 1,
  holdMs: 100,
} as const;

test('a held wave: held, refused at once, refused late, answered early, lost', () => {
  const cancel = (phase: string, note: string, status: number, sentMs: number, firstByteMs: number) =>
    entry({ phase, operation: 'cancel', note, status, sentMs, firstByteMs, endMs: firstByteMs });
  const facts = analyseConcurrency(
    hold,
    ledger([
      cancel('setup', '', 200, 0, 1),
      cancel('within', 'released', 404, 2, 50),
      cancel('within', 'released', 404, 2, 60),
      cancel('within', 'released', 429, 2, 60),
      cancel('beyond', 'early retry-after=1', 429, 10, 12),
      cancel('beyond', 'early', 404, 10, 12),
      cancel('beyond', 'released', 0, 10, 70),
      cancel('after-free', 'released', 404, 55, 80),
    ]),
    7,
  );
  expect(facts.within).toEqual({ opened: 3, held: 2, refusedEarly: 0, refusedLate: 1, answeredEarly: 0, lost: 0 });
  expect(facts.beyond).toEqual({ opened: 3, held: 0, refusedEarly: 1, refusedLate: 0, answeredEarly: 1, lost: 1 });
  expect(facts.afterFree?.held).toBe(1);
  expect(facts.afterAbort).toBeUndefined();
  expect(facts.overlapInner).toBe(3);
  expect(facts.refusals).toEqual({ statuses: { 429: 2 }, withRetryAfter: 1 });
});

test('a refusal counts against the limit only by what can have been in flight with it', () => {
  const at = (phase: string, status: number, sentMs: number, firstByteMs: number) =>
    entry({
      phase,
      operation: 'cancel',
      note: status === 429 ? 'early' : 'released',
      status,
      sentMs,
      firstByteMs,
      endMs: firstByteMs,
    });
  const disordered = [at('within', 404, 0, 90), at('beyond', 404, 1, 90), at('within', 429, 2, 4)];
  expect(analyseConcurrency(hold, ledger(disordered), 3)).toMatchObject({
    overlapInner: 2,
    refusedWithinLimit: 0,
    fewestAtRefusal: 2,
  });
  const early = [at('within', 404, 0, 90), at('within', 429, 2, 4), at('beyond', 404, 10, 90)];
  expect(analyseConcurrency(hold, ledger(early), 3)).toMatchObject({
    overlapInner: 2,
    refusedWithinLimit: 1,
    fewestAtRefusal: 1,
  });
});

test('a refusal after an abort tells of the freed slot only', () => {
  const at = (phase: string, note: string, status: number, sentMs: number, firstByteMs: number) =>
    entry({ phase, operation: 'cancel', note, status, sentMs, firstByteMs, endMs: firstByteMs });
  const leaked = [
    at('within', 'released', 404, 0, 90),
    at('beyond', 'early', 429, 5, 6),
    at('after-abort', 'early', 429, 20, 21),
  ];
  const facts = analyseConcurrency({ ...hold, limit: 1 }, ledger(leaked), 3);
  expect(facts).toMatchObject({ refusedWithinLimit: 0, fewestAtRefusal: 1, afterAbort: { refusedEarly: 1 } });
});

const size = {
  kind: 'payload',
  limitId: 'run.payload',
  instId: 'inst-a',
  operation: 'run',
  acceptBytes: 10,
  refuseBytes: 20,
  floorBytes: 1,
  capBytes: 40,
} as const;

test.each([
  [entry({ status: 200 }), 'accepted'],
  [entry({ status: 413 }), 'refused'],
  [entry({ status: 400 }), 'refused'],
  [entry({ status: 0, error: '1220' }), 'reset'],
  [entry({ status: 0, error: 'ECONNRESET' }), 'reset'],
  [entry({ status: 0, error: '1050' }), 'other'],
  [entry({ status: 429 }), 'other'],
  [entry({ status: 503 }), 'other'],
])('a body answered %j is %s', (answer, outcome) => {
  const facts = analysePayload(size, ledger([{ ...answer, phase: 'try', note: '10' }]), 1);
  expect(facts.attempts).toMatchObject([{ bytes: 10, outcome }]);
});

const filled = {
  kind: 'queue',
  instId: 'inst-a',
  workersMax: 1,
  border: 500,
  periodMs: 1,
  idleMs: 1,
  slowJobMs: 1,
  smallBorder: limitFor('queue', 'run')?.value ?? 0,
  refusal: 429,
  cancelPeriodMs: 1,
} as const;

test('a refusal persisted when its own operation was refused again after the idle window', () => {
  const fill = (note: string, status: number, operation = 'run', phase = 'fill', error = '') =>
    entry({ phase, operation, note, status, error });
  const facts = analyseQueue(
    filled,
    ledger([
      entry({ phase: 'held', operation: 'status', note: 'busy' }),
      fill('0:1', 200),
      fill('51:52', 0, 'runsync', 'fill', 'timeout'),
      fill('300:301', 429),
      fill('300:301', 200, 'run', 'retry'),
      fill('500:501', 429),
      fill('500:501', 429, 'run', 'retry'),
      fill('500:501', 429, 'runsync', 'retry'),
    ]),
    3,
  );
  expect(facts.workersHeld).toBe(1);
  expect(facts.attempts.map((one) => [one.operation, one.queuedMin, one.outcome, one.persisted])).toEqual([
    ['run', 0, 'accepted', null],
    ['runsync', 51, 'unanswered-yet', null],
    ['run', 300, 'refused', false],
    ['run', 300, 'accepted', null],
    ['run', 500, 'refused', true],
    ['run', 500, 'refused', true],
    ['runsync', 500, 'refused', true],
  ]);
  expect(facts.purge).toBeUndefined();
});

test('what a purge did is counted only where the target told', () => {
  const facts = analyseQueue(
    filled,
    ledger([
      entry({ phase: 'purge', operation: 'purge-queue', note: '501' }),
      entry({ phase: 'cleared', note: 'cleared' }),
      entry({ phase: 'cleared', note: 'queued' }),
      entry({ phase: 'cleared', note: 'unknown' }),
      entry({ phase: 'kept', note: 'kept' }),
      entry({ phase: 'next', status: 200 }),
    ]),
    3,
  );
  expect(facts.purge).toEqual({
    status: 200,
    queuedBefore: 501,
    sampled: 2,
    cleared: 1,
    running: 1,
    runningKept: 1,
    nextStatus: 200,
  });
});

test('generator health: a missing end, a stepped clock, torn lines, lost answers', () => {
  const parameters = {
    kind: 'unlimited',
    instId: 'inst-a',
    operation: 'health',
    vus: 1,
    periodMs: 1,
    durationMs: 10,
    windowMs: 10,
  } as const;
  const health = (text: string) => analyseUnlimited(parameters, text, 1).health;
  const one = entry({ operation: 'health' });
  expect(health(ledger([one]))).toMatchObject({
    complete: true,
    clockStepMs: 0,
    unreadable: 0,
    unanswered: 0,
    sent: 1,
  });
  expect(health(ledger([one], { end: false })).complete).toBe(false);
  expect(health(ledger([one], { endWallMs: 6010 })).clockStepMs).toBe(5000);
  expect(health(`${ledger([one])}["torn`).unreadable).toBe(1);
  expect(health(ledger([entry({ operation: 'health', status: 0, error: '1050' })]))).toMatchObject({
    unanswered: 1,
    unansweredError: '1050',
  });
});
