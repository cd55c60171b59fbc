/**
 * Requests held open, in trouble: whatever becomes of them, a target that keeps its limit is never called broken, and
 * one that keeps none is never said to keep it.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judge } from '../reports/verdicts/index.ts';
import type { ConcurrencyParameters } from '../scenarios/probe.ts';
import { analyse } from '../scenarios/run/analyse.ts';
import { encodeEntry, encodeMark, type LedgerEntry } from '../schemas/ledger.ts';
import { limitFor } from '../schemas/limits.ts';
import { loadChecks } from '../schemas/load-checks.ts';

const LIMIT = limitFor('concurrent-requests', 'cancel')?.value ?? 0;
const EXTRA = 3;
const RELEASE_MS = 2000;
const END_MS = 2200;
const parameters: ConcurrencyParameters = {
  kind: 'concurrency',
  limitId: 'cancel.concurrency',
  instId: 'inst-a',
  operations: ['cancel'],
  technique: 'held-body',
  limit: LIMIT,
  extra: EXTRA,
  holdMs: 0,
};
const declaredLoad = loadChecks.filter(({ id }) => /^cancel\.concurrency\.(guarantee|enforced|freed)$/.test(id));

function request(phase: string, sentMs: number, answeredMs: number, status: number, operation = 'cancel'): LedgerEntry {
  const note = phase === 'control' ? '' : answeredMs < RELEASE_MS && status === 429 ? 'early' : 'released';
  return { phase, operation, sentMs, firstByteMs: answeredMs, endMs: answeredMs, status, error: '', note };
}

/** What a sender sees of a target that keeps the limit, or none. */
function undisturbed(enforced: boolean): LedgerEntry[] {
  const beyond = (at: number) =>
    enforced ? request('beyond', at, at + 2, 429) : request('beyond', at, RELEASE_MS + 2, 404);
  return [
    ...Array.from({ length: LIMIT }, (_, index) => request('within', 1 + index / 10, RELEASE_MS + 1, 404)),
    ...Array.from({ length: EXTRA }, (_, index) => beyond(400 + index)),
    ...[800, 810, 820].map((at) => request('control', at, at + 3, 200, 'health')),
    request('after-free', 1000, RELEASE_MS + 3, 404),
    request('after-abort', 1500, RELEASE_MS + 3, 404),
  ].map((one, index) => (index === 0 ? { ...one, firstByteMs: 950, endMs: 950 } : one));
}

type Trouble =
  | { readonly kind: 'cut'; readonly which: readonly number[] }
  | { readonly kind: 'unavailable' | 'restart'; readonly atMs: number; readonly forMs: number }
  | { readonly kind: 'killed'; readonly atMs: number }
  | { readonly kind: 'torn'; readonly which: readonly number[] };

const which = fc.array(fc.nat(LIMIT + EXTRA + 5), { minLength: 1, maxLength: 6 });
const atMs = fc.nat(END_MS);
const forMs = fc.integer({ min: 1, max: 1500 });
const troubles: fc.Arbitrary<Trouble> = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), which }),
  fc.record({ kind: fc.constantFrom('unavailable' as const, 'restart' as const), atMs, forMs }),
  fc.record({ kind: fc.constant('killed' as const), atMs }),
  fc.record({ kind: fc.constant('torn' as const), which }),
);

const lost = (one: LedgerEntry, ms = one.endMs): LedgerEntry => ({
  ...one,
  status: 0,
  error: 'ECONNRESET',
  firstByteMs: ms,
  endMs: ms,
});

function inTrouble(entries: readonly LedgerEntry[], trouble: Trouble): string {
  const lines = (kept: readonly LedgerEntry[], extra: readonly string[] = []) => [...kept.map(encodeEntry), ...extra];
  const mark = (name: 'start' | 'end', ms: number) => encodeMark({ mark: name, wallMs: 1e12 + ms, monotonicMs: ms });
  const whole = (body: readonly string[]) => [mark('start', 0), ...body, mark('end', END_MS)].join('\n');
  switch (trouble.kind) {
    case 'cut':
      return whole(lines(entries.map((one, index) => (trouble.which.includes(index) ? lost(one) : one))));
    case 'torn': {
      const kept = entries.filter((_, index) => !trouble.which.includes(index));
      return whole(lines(kept, kept.length < entries.length ? ['["within","can'] : []));
    }
    case 'killed':
      return [mark('start', 0), ...lines(entries.filter(({ endMs }) => endMs < trouble.atMs))].join('\n');
    case 'unavailable': {
      const { atMs: from, forMs: span } = trouble;
      const met = ({ firstByteMs }: LedgerEntry) => firstByteMs >= from && firstByteMs < from + span;
      return whole(lines(entries.map((one) => (met(one) ? { ...one, status: 503 } : one))));
    }
    case 'restart': {
      const { atMs: from, forMs: span } = trouble;
      const inFlight = ({ sentMs, firstByteMs }: LedgerEntry) => sentMs < from && firstByteMs >= from;
      const met = ({ sentMs }: LedgerEntry) => sentMs >= from && sentMs < from + span;
      return whole(lines(entries.map((one) => (inFlight(one) ? lost(one, from) : met(one) ? lost(one) : one))));
    }
  }
}

function verdicts(enforced: boolean, trouble: Trouble): Record<string, string> {
  const nothing = { title: '', checkIds: [], requests: 0, bytes: 0, estimateMs: 0, floorMs: 0, exclusive: [] };
  const ledger = inTrouble(undisturbed(enforced), trouble);
  const facts = analyse({ id: 'cancel.concurrency', parameters, ...nothing }, ledger);
  const endpoints = [{ instId: 'inst-a', workersMax: 3, dedicated: true }];
  const { checks } = judge({ checkFacts: [], loadFacts: [facts], declaredLoad, endpoints });
  return Object.fromEntries(checks.map(({ id, verdict }) => [id.split('.').at(-1) ?? '', verdict]));
}

const RUNS = Number(process.env.TROUBLE_RUNS ?? 300);

describe('whatever the trouble', () => {
  test('a target that keeps its limit is never called broken', () => {
    fc.assert(
      fc.property(troubles, (trouble) => {
        expect(Object.values(verdicts(true, trouble))).not.toContain('fail');
      }),
      { numRuns: RUNS },
    );
  });

  test('one that keeps none is never said to keep it', () => {
    fc.assert(
      fc.property(troubles, (trouble) => {
        expect(verdicts(false, trouble).enforced).not.toBe('pass');
      }),
      { numRuns: RUNS },
    );
  });
});

test('without trouble the one passes', () => {
  const none = { kind: 'cut', which: [] } as const;
  expect(verdicts(true, none)).toEqual({ guarantee: 'pass', enforced: 'pass', freed: 'pass' });
  expect(verdicts(false, none).enforced).not.toBe('pass');
});
