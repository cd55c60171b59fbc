/**
 * Requests at once, in trouble, whether held open by their last byte or because the operation waits: whatever becomes of
 * them, a target that keeps its limit is never called broken, and one that keeps another, or none, is never said to.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judge } from '../reports/verdicts/index.ts';
import type { ConcurrencyParameters } from '../scenarios/probe.ts';
import { analyse } from '../scenarios/run/analyse.ts';
import { decodeLedger, encodeEntry, encodeMark, type LedgerEntry } from '../schemas/ledger.ts';
import { encodeLost, encodeMachine } from '../schemas/ledger-machine.ts';
import { limitFor } from '../schemas/limits.ts';
import { loadChecks } from '../schemas/load-checks.ts';

type Technique = ConcurrencyParameters['technique'];

const LIMIT = limitFor('concurrent-requests', 'cancel')?.value ?? 0;
const EXTRA = 3;
const FURTHER = 20;
const RELEASE_MS = 2000;
const END_MS = 2200;
const parametersOf = (technique: Technique): ConcurrencyParameters => ({
  kind: 'concurrency',
  limitId: 'cancel.concurrency',
  instId: 'inst-a',
  operations: ['cancel'],
  technique,
  limit: LIMIT,
  extra: EXTRA,
  holdMs: 0,
});
const declaredLoad = loadChecks.filter(({ id }) => /^cancel\.concurrency\.(guarantee|enforced|freed)$/.test(id));

function request(phase: string, sentMs: number, answeredMs: number, status: number, note = 'released'): LedgerEntry {
  const operation = phase === 'control' ? 'health' : 'cancel';
  const fate = phase === 'control' ? '' : answeredMs < RELEASE_MS && status === 429 ? 'early' : note;
  return { phase, operation, sentMs, firstByteMs: answeredMs, endMs: answeredMs, status, error: '', note: fate };
}

const controls = (at: number): LedgerEntry[] => [0, 10, 20].map((ms) => request('control', at + ms, at + ms + 3, 200));

/** One takes the slot that was freed, another that of a second one until it is aborted, and a third tries that again. */
function slots(leaks: boolean): LedgerEntry[] {
  const aborted = { ...request('aborted', 1300, 1500, 0, 'dropped'), error: 'dropped' };
  const last = leaks ? request('after-abort', 1700, 1702, 429) : request('after-abort', 1600, RELEASE_MS + 3, 404);
  const free = request('after-free', 1000, RELEASE_MS + 3, 404);
  return [free, ...controls(1100), aborted, ...controls(1400), last, ...(leaks ? [] : controls(1800))];
}

/** What a sender sees of a target that takes so many at once; with a restart it counts from nothing again. */
function unimpaired(
  { technique, kept, leaks = false }: Omit<Scene, 'trouble'>,
  restartMs = Number.POSITIVE_INFINITY,
): LedgerEntry[] {
  let [taken, restarted] = [0, false];
  const entry = (phase: string, at: number): LedgerEntry => {
    if (at >= restartMs && !restarted) [taken, restarted] = [0, true];
    taken += 1;
    return taken > kept ? request(phase, at, at + 2, 429) : request(phase, at, RELEASE_MS + 1, 404);
  };
  const waves = [
    ...Array.from({ length: LIMIT }, (_, index) => entry('within', 1 + index / 10)),
    ...Array.from({ length: EXTRA }, (_, index) => entry('beyond', 400 + index)),
  ];
  const goesOn = technique === 'held-body' && kept >= LIMIT + EXTRA;
  const further = goesOn ? Array.from({ length: FURTHER }, (_, index) => entry('further', 500 + index / 10)) : [];
  const isFull = technique === 'held-body' && waves.slice(LIMIT).every(({ status }) => status === 429);
  const all = [
    ...waves,
    ...further.map((one) => ({ ...one, status: 0, error: 'dropped', note: 'dropped' })),
    ...controls(800),
    ...(isFull ? slots(leaks) : []),
  ];
  // The first is answered before the others, so that its slot is free.
  return all.map((one, index) =>
    isFull && index === 0 ? { ...one, firstByteMs: 950, endMs: 950, note: 'freed' } : one,
  );
}

type Trouble =
  | { readonly kind: 'cut'; readonly which: readonly number[] }
  | { readonly kind: 'unavailable' | 'restart' | 'stall'; readonly atMs: number; readonly forMs: number }
  | { readonly kind: 'killed' | 'hang'; readonly atMs: number }
  | { readonly kind: 'torn' | 'full'; readonly which: readonly number[] }
  | { readonly kind: 'step'; readonly byMs: number };

const which = fc.array(fc.nat(LIMIT + EXTRA + 5), { minLength: 1, maxLength: 6 });
const atMs = fc.nat(END_MS);
const forMs = fc.integer({ min: 1, max: 1500 });
const troubles: fc.Arbitrary<Trouble> = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), which }),
  fc.record({ kind: fc.constantFrom('unavailable' as const, 'restart' as const, 'stall' as const), atMs, forMs }),
  fc.record({ kind: fc.constantFrom('killed' as const, 'hang' as const), atMs }),
  fc.record({ kind: fc.constantFrom('torn' as const, 'full' as const), which }),
  fc.record({ kind: fc.constant('step' as const), byMs: fc.constantFrom(-5000, -300, 60, 900) }),
);

const lost = (one: LedgerEntry, ms = one.endMs, error = 'ECONNRESET'): LedgerEntry => ({
  ...one,
  status: 0,
  error,
  firstByteMs: ms,
  endMs: ms,
});

function inTrouble(entries: readonly LedgerEntry[], trouble: Trouble): string {
  const lines = (kept: readonly LedgerEntry[], extra: readonly string[] = []) => [...kept.map(encodeEntry), ...extra];
  const mark = (name: 'start' | 'end', ms: number, stepMs = 0) =>
    encodeMark({ mark: name, wallMs: 1e12 + ms, monotonicMs: ms - stepMs });
  const whole = (body: readonly string[], stepMs = 0) =>
    [mark('start', 0), ...body, mark('end', END_MS, stepMs)].join('\n');
  switch (trouble.kind) {
    case 'cut':
      return whole(lines(entries.map((one, index) => (trouble.which.includes(index) ? lost(one) : one))));
    case 'torn':
    case 'full': {
      const kept = entries.filter((_, index) => !trouble.which.includes(index));
      const count = entries.length - kept.length;
      const reported = trouble.kind === 'torn' ? '["within","can' : encodeLost({ lines: count, why: 'no space left' });
      return whole(lines(kept, count > 0 ? [reported] : []));
    }
    case 'killed':
      return [mark('start', 0), ...lines(entries.filter(({ endMs }) => endMs < trouble.atMs))].join('\n');
    case 'hang':
      return whole(
        lines(entries.map((one) => (one.firstByteMs < trouble.atMs ? one : lost(one, END_MS + 60_000, 'timeout')))),
      );
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
    case 'stall': {
      // Answers that came meanwhile are read when it goes on, and what was due then is sent then.
      const { atMs: from, forMs: span } = trouble;
      const late = (ms: number) => (ms >= from && ms < from + span ? from + span : ms);
      const moved = entries.map((one) => {
        const [sentMs, firstByteMs] = [late(one.sentMs), Math.max(late(one.sentMs), late(one.firstByteMs))];
        return { ...one, sentMs, firstByteMs, endMs: Math.max(firstByteMs, one.endMs) };
      });
      const machine = { idleShare: 0.5, leastIdleShare: 0.1, loopLagMs: span, peakBytes: null };
      return whole([...lines(moved), encodeMachine(machine)]);
    }
    case 'step':
      return whole(lines(entries), trouble.byMs);
  }
}

interface Scene {
  readonly technique: Technique;
  /** What the target takes at once. */
  readonly kept: number;
  /** Whether it never gives back the slot of a request that was aborted. */
  readonly leaks?: boolean;
  readonly trouble: Trouble;
}

function verdicts({ trouble, ...target }: Scene): Record<string, string> {
  const { technique } = target;
  const nothing = { title: '', checkIds: [], requests: 0, bytes: 0, estimateMs: 0, floorMs: 0, exclusive: [] };
  const restartMs = trouble.kind === 'restart' ? trouble.atMs : undefined;
  const ledger = inTrouble(unimpaired(target, restartMs), trouble);
  const facts = analyse(
    { id: 'cancel.concurrency', parameters: parametersOf(technique), ...nothing },
    decodeLedger(ledger),
  );
  const endpoints = [{ instId: 'inst-a', workersMax: 3, dedicated: true }];
  const requested = declaredLoad.filter(({ id }) => technique === 'held-body' || !id.endsWith('.freed'));
  const { checks } = judge({ checkFacts: [], loadFacts: [facts], declaredLoad: requested, endpoints });
  for (const { verdict, reason, observed } of checks) {
    if (verdict === 'inconclusive') expect(`${reason} (${observed})`).toMatch(/\d/);
  }
  return Object.fromEntries(checks.map(({ id, verdict }) => [id.split('.').at(-1) ?? '', verdict]));
}

const RUNS = Number(process.env.TROUBLE_RUNS ?? 300);
const NONE: Trouble = { kind: 'cut', which: [] };

describe.each<Technique>(['held-body', 'long-poll'])('%s: with any trouble', (technique) => {
  const never = (kept: number, check: string, verdict: string) =>
    fc.assert(
      fc.property(troubles, (trouble) => {
        expect(verdicts({ technique, kept, trouble })[check]).not.toBe(verdict);
      }),
      { numRuns: RUNS },
    );

  test('a target that keeps its limit is never called broken', () => {
    fc.assert(
      fc.property(troubles, (trouble) => {
        expect(Object.values(verdicts({ technique, kept: LIMIT, trouble }))).not.toContain('fail');
      }),
      { numRuns: RUNS },
    );
  });

  test('one that keeps none is never said to keep it', () => never(Number.POSITIVE_INFINITY, 'enforced', 'pass'));
  test('nor to refuse within it', () => never(Number.POSITIVE_INFINITY, 'guarantee', 'fail'));
  test('one that takes one more is never said to refuse it', () => never(LIMIT + 1, 'enforced', 'pass'));
  test('one that takes one fewer is never said to take all', () => never(LIMIT - 1, 'guarantee', 'pass'));
  test('nor that takes a third', () => never(Math.floor(LIMIT / 3), 'guarantee', 'pass'));
});

test('one that leaks the slots of aborted requests is never said to give them back', () => {
  fc.assert(
    fc.property(troubles, (trouble) => {
      expect(verdicts({ technique: 'held-body', kept: LIMIT, leaks: true, trouble }).freed).not.toBe('pass');
    }),
    { numRuns: RUNS },
  );
});

test('without trouble they are distinguished', () => {
  const held = (kept: number) => verdicts({ technique: 'held-body', kept, trouble: NONE });
  const waiting = (kept: number) => verdicts({ technique: 'long-poll', kept, trouble: NONE });
  expect(held(LIMIT)).toEqual({ guarantee: 'pass', enforced: 'pass', freed: 'pass' });
  expect(verdicts({ technique: 'held-body', kept: LIMIT, leaks: true, trouble: NONE }).freed).toBe('fail');
  expect(waiting(LIMIT)).toEqual({ guarantee: 'pass', enforced: 'pass' });
  for (const reported of [held, waiting]) {
    expect(reported(LIMIT + 1)).toMatchObject({ guarantee: 'pass', enforced: 'fail' });
    expect(reported(LIMIT - 1).guarantee).toBe('fail');
  }
  expect(waiting(Number.POSITIVE_INFINITY)).toEqual({ guarantee: 'pass', enforced: 'fail' });
  expect(held(Number.POSITIVE_INFINITY).enforced).not.toBe('pass');
});
