/**
 * Every rate limit against every kind of limiter, sound and with each fault that a limiter has in practice, at the
 * scale of tests. A load asks all rows side by side, so each row of a faulty run has a fault of its own.
 */
import { describe, expect, test } from 'vitest';
import { scaledTable } from '../scenarios/testing/scaled-table.ts';
import { type Limit, type LimitTable, limitTable } from '../schemas/limits.ts';
import { runScaledLoad, type ScaledOutcome, verdictsOf } from './support/scaled-load.ts';

const WINDOW_MS = 1000;
const values = { 'run.rate': 60, 'runsync.rate': 100, 'status.rate': 100, 'cancel.rate': 20 };
const table = scaledTable({ windowMs: WINDOW_MS, values });
const only = ['{run,runsync,status,cancel,purge-queue,requests}.rate.{guarantee,enforced,shared}'];

const limiters = {
  sliding: 'sliding-log',
  fixed: 'fixed-window',
  counter: 'sliding-counter',
  token: 'token-bucket',
} as const;

type Row = Extract<Limit, { kind: 'requests' }>;

/** What is let through with a fault: at once, and, with another window, in a documented one in the long run. */
function keptBy(fault: Fault | undefined, value: number): { readonly least: number; readonly most: number } {
  const [row] = table.of('requests');
  if (!row) throw new Error('the table has no rate limits');
  const kept = fault?.change({ ...row, value }) ?? { ...row, value };
  const inWindow = (kept.value * row.windowMs) / kept.windowMs;
  return { least: Math.floor(Math.min(kept.value, inWindow)), most: Math.ceil(Math.max(kept.value, inWindow)) };
}

interface Fault {
  readonly name: string;
  readonly change: (row: Row) => Row;
  readonly breaks: 'guarantee' | 'enforced';
}

const [fewer, more, shorter, longer, off]: readonly [Fault, Fault, Fault, Fault, Fault] = [
  { name: 'one fewer', change: (row) => ({ ...row, value: row.value - 1 }), breaks: 'guarantee' },
  { name: 'one more', change: (row) => ({ ...row, value: row.value + 1 }), breaks: 'enforced' },
  { name: 'a shorter window', change: (row) => ({ ...row, windowMs: 0.8 * row.windowMs }), breaks: 'enforced' },
  { name: 'a longer window', change: (row) => ({ ...row, windowMs: 1.25 * row.windowMs }), breaks: 'guarantee' },
  { name: 'no limit', change: (row) => ({ ...row, value: 100_000 }), breaks: 'enforced' },
];

/** Which row has which fault: each fault is met by a large and by a small limit. */
const plans: readonly Readonly<Record<string, Fault>>[] = [
  { 'run.rate': fewer, 'runsync.rate': shorter, 'status.rate': more, 'cancel.rate': off, 'requests.rate': fewer },
  { 'run.rate': longer, 'runsync.rate': fewer, 'status.rate': shorter, 'cancel.rate': more, 'purge-queue.rate': off },
];

function kept(faults: Readonly<Record<string, Fault>>): LimitTable {
  const change = (row: Limit): Limit => (row.kind === 'requests' ? (faults[row.id]?.change(row) ?? row) : row);
  return limitTable(table.rows.map(change));
}

/**
 * What can't be known: a counter refuses within the limit whatever its number is, and that is known only to about a
 * request. What comes into a small bucket during the burst is more than the one request that it lacks. Of windows with
 * boundaries two are seen, which lie as far apart with other lengths too, and in windows of a second a busy machine blurs
 * the rest.
 */
function isOpen(limiter: string, claim: string, fault: Fault | undefined, named: string | undefined): boolean {
  if (limiter === 'counter') return claim === 'guarantee' || fault === more;
  if (limiter === 'token' && claim === 'guarantee' && fault === fewer) return true;
  const byName = fault === shorter || fault === longer;
  return byName && (named === 'unknown' || (limiter === 'fixed' && fault === shorter));
}

/** Two requests in a second are too few to tell a counter from all else. */
const isTiny = (limiter: string, value: number): boolean => limiter === 'counter' && value <= 2;

/** What a run says against a row, or fails to say, as far as it is not true. */
function untrue(outcome: ScaledOutcome, faults: Readonly<Record<string, Fault>>, limiter: keyof typeof limiters) {
  const verdicts = verdictsOf(outcome);
  return outcome.limits.flatMap(({ id, measured, algorithm: named, documented }) => {
    const fault = faults[id];
    const claims = (['guarantee', 'enforced'] as const).flatMap((claim) => {
      const verdict = verdicts[`${id}.${claim}`];
      const wrong = verdict === (fault?.breaks === claim ? 'pass' : 'fail');
      return wrong && !isOpen(limiter, claim, fault, named)
        ? [`${id}.${claim}: ${verdict}, ${fault?.name ?? 'sound'}`]
        : [];
    });
    const { least, most } = keptBy(fault, documented.value);
    const astray = measured !== null && (measured.lower > most || (measured.upper ?? most) < least);
    const mayBe = ['unknown', limiters[limiter]];
    const misnamed = fault === undefined && named !== undefined && !mayBe.includes(named);
    return [
      ...claims,
      ...(astray && !isTiny(limiter, documented.value)
        ? [`${id}: measured ${JSON.stringify(measured)}, not ${least}`]
        : []),
      ...(misnamed && !isTiny(limiter, documented.value) ? [`${id}: called a ${named}`] : []),
    ];
  });
}

describe.each(['sliding', 'fixed', 'counter', 'token'] as const)('%s', (limiter) => {
  const serve = ['--limiter', limiter];

  test('sound: what is said of a row is true, and most of it is said', async () => {
    const outcome = await runScaledLoad({ table, serve, only });
    expect(untrue(outcome, {}, limiter)).toEqual([]);
    const said = outcome.checks.filter(({ verdict }) => verdict === 'pass' || verdict === 'fail');
    expect(said.length).toBeGreaterThan(outcome.checks.length / 2);
  });

  test.for(plans.map((faults, index) => [index + 1, faults] as const))('faulty, plan %i', async ([, faults]) => {
    const outcome = await runScaledLoad({ table, kept: kept(faults), serve, only });
    expect(untrue(outcome, faults, limiter)).toEqual([]);
    // Something has to be said of most rows: where nothing was sent, nothing untrue is said either.
    expect(outcome.checks.filter(({ verdict }) => verdict === 'error')).toEqual([]);
    expect(outcome.limits.filter(({ measured }) => measured !== null).length).toBeGreaterThan(
      outcome.limits.length / 2,
    );
  });
});
