/** Ledger text in, facts out: what each kind of entry is counted as. */
import { expect, test } from 'vitest';
import type { Ledger } from '../../schemas/ledger.ts';
import { analyseConcurrency } from '../kinds/concurrency/measure.ts';
import { analyseUnlimited } from '../kinds/unlimited/index.ts';
import { entryOf as entry, ledgerOf as ledger } from '../testing/ledger.ts';

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

test('a refusal after an abort is about the freed slot only', () => {
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
  const health = (of: Ledger) => analyseUnlimited(parameters, of, 1).health;
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
  expect(health(ledger([one], { torn: '["torn' })).unreadable).toBe(1);
  expect(health(ledger([entry({ operation: 'health', status: 0, error: '1050' })]))).toMatchObject({
    unanswered: 1,
    unansweredError: '1050',
  });
});
