/**
 * Limits of the right value in windows of the wrong length, in every way to limit and on every row: what is too short
 * is no enforcement of the limit, and what is too long no guarantee of it.
 */
import { describe, expect, test } from 'vitest';
import { plannedFor, probed, probeOf } from '../../scenarios/testing/rate-probed.ts';
import {
  fixedWindow,
  type Limiter,
  type SimulationOptions,
  slidingCounter,
  slidingLog,
  tokenBucket,
} from '../../scenarios/testing/rate-simulation.ts';
import { limitsOf, type RateLimit } from '../../schemas/limits.ts';
import { seeded } from '../../schemas/seeded.ts';
import { judgingContext } from './context.ts';
import { measureRate } from './measure.ts';
import { judgeRate } from './rate.ts';

const endpoints = [{ instId: 'inst-a', workersMax: 30, dedicated: true }];

const kinds = {
  log: (value, windowMs) => slidingLog(value, windowMs),
  window: (value, windowMs, phaseMs) => fixedWindow(value, windowMs, phaseMs),
  counter: (value, windowMs, phaseMs) => slidingCounter(value, windowMs, phaseMs),
  bucket: (value, windowMs) => tokenBucket(value, value, windowMs),
  tenths: inTenths,
  anchored,
} satisfies Record<string, (value: number, windowMs: number, phaseMs: number) => Limiter>;

type Kind = keyof typeof kinds;

/** What is said of such a limiter, with a second burst where one is asked for. */
function verdictsOn(
  limit: RateLimit,
  kind: Kind,
  lengthMs: number,
  phaseMs: number,
  slowerMs: readonly [number, number] = [0, 0],
) {
  const [first, second] = slowerMs.map((ms) => ({ slowerMs: ms }));
  return verdictsOf(limit, () => kinds[kind](limit.value, lengthMs, phaseMs), first, second);
}

/** @param later what is different the second time */
function verdictsOf(
  limit: RateLimit,
  limiter: () => Limiter,
  options: SimulationOptions = {},
  later: SimulationOptions = {},
) {
  const parameters = probeOf(limit, plannedFor({ limit: limit.value, windowMs: limit.windowMs }), options.roundTripMs);
  const facts = probed(parameters, limiter, options, later);
  const claims = judgeRate(facts, limit, judgingContext([facts], endpoints));
  return { guarantee: claims[`${limit.id}.guarantee`]?.verdict, enforced: claims[`${limit.id}.enforced`]?.verdict };
}

/** The last tenths of a window on the clock, of which the one that has begun is one: usual, and no exact count. */
function inTenths(value: number, windowMs: number, phaseMs: number): Limiter {
  const admitted: number[] = [];
  const tenthOf = (atMs: number) => Math.floor((atMs - phaseMs) / (windowMs / 10));
  return (atMs) => {
    while (admitted.length > 0 && tenthOf(admitted[0] ?? 0) <= tenthOf(atMs) - 10) admitted.shift();
    if (admitted.length >= value) return false;
    admitted.push(atMs);
    return true;
  };
}

/** A fixed window that begins with the first request after the last one. */
function anchored(value: number, windowMs: number): Limiter {
  let [endsMs, count] = [Number.NEGATIVE_INFINITY, 0];
  return (atMs) => {
    if (atMs >= endsMs) [endsMs, count] = [atMs + windowMs, 0];
    count += 1;
    return count <= value;
  };
}

const PHASES = [0.08, 0.42];
const sizes = new Map(limitsOf('requests').map((limit) => [limit.value, limit]));
const rows = [...sizes.values()].map((limit) => [limit.id, limit] as const);
/** Of two in ten seconds so little is seen that it is not always known what they are. */
const isTiny = ({ value }: RateLimit) => value <= 4;

describe.each(rows)('%s', { timeout: 60_000 }, (_, limit) => {
  test.each(PHASES)('a log that is kept in tenths of the window, begun at %f of it', (phase) => {
    const seen = verdictsOn(limit, 'tenths', limit.windowMs, phase * limit.windowMs);
    expect(seen).toEqual({ guarantee: 'holds', enforced: 'holds' });
  });

  const cases = (['log', 'window', 'counter', 'bucket'] as const).flatMap((kind) =>
    PHASES.map((phase) => [kind, phase] as const),
  );

  test.each(cases)('a %s that is a tenth too short, begun at %f of it', (kind, phase) => {
    const seen = verdictsOn(limit, kind, 0.9 * limit.windowMs, phase * limit.windowMs);
    expect(seen.enforced).not.toBe('holds');
    // Whatever a counter estimates, it may refuse within its limit.
    if (kind !== 'counter') expect(seen.guarantee).not.toBe('broken');
    if (kind === 'log') expect(seen.enforced).toBe('broken');
  });

  test.each(cases)('a %s that is a tenth too long, begun at %f of it', (kind, phase) => {
    const seen = verdictsOn(limit, kind, 1.1 * limit.windowMs, phase * limit.windowMs);
    expect(seen.enforced).not.toBe('broken');
    if (kind === 'log') expect(seen.guarantee).toBe('broken');
  });
});

/** So many within the documented window as the limit allows, in the long run: that refuses too early, and never too late. */
const HALVES = {
  bucket: ({ value, windowMs }: RateLimit) => tokenBucket(value / 2, value, windowMs),
  log: ({ value, windowMs }: RateLimit) => slidingLog(value / 2, windowMs / 2),
  window: ({ value, windowMs }: RateLimit) => fixedWindow(value / 2, windowMs / 2, 0.31 * windowMs),
} as const;
const halved = ([...sizes.values()] as const)
  .filter(({ value }) => value > 2)
  .flatMap((limit) => Object.keys(HALVES).map((kind) => [kind, limit.value, limit] as const));

test.each(halved)(
  'half a %s of %i in half the time breaks the guarantee alone',
  { timeout: 60_000 },
  (kind, _, limit) => {
    const seen = verdictsOf(limit, () => HALVES[kind as keyof typeof HALVES](limit));
    expect(seen.guarantee).toBe('broken');
    expect(seen.enforced).not.toBe('broken');
  },
);

/** More now and then: `WINDOW_PHASES=40 npx vitest run --project unit reports/verdicts/rate-windows.test.ts`. */
const EVERY = Number(process.env.WINDOW_PHASES ?? 4);
const phases = Array.from({ length: EVERY }, (_, index) => (index + 0.31) / EVERY);
/** Of another length, whose boundaries often lie where those of the documented one do. */
const [SHORT, LONG] = [
  [1 / 2, 2 / 3, 3 / 4],
  [5 / 4, 3 / 2, 2],
];
const byWindows = ['window', 'anchored'] as const;
/** Of a large limit a look takes seconds; a still larger one is looked at in the same way. */
const LARGE = 1000;

const sized = [...sizes.values()]
  .filter(({ value }) => value <= LARGE)
  .flatMap((limit) => byWindows.map((kind) => [kind, limit.value, limit] as const));

describe.each(sized)('a %s of %i that is far from its length', { timeout: 60_000 }, (kind, value, limit) => {
  // Every length, each at another phase.
  const some = <T>(all: readonly T[]): readonly (readonly [T, number])[] =>
    value < LARGE ? all.flatMap((one) => phases.map((phase) => [one, phase] as const)) : inTurn(all);
  const seen = (length: number, phase: number) =>
    verdictsOn(limit, kind, length * limit.windowMs, phase * length * limit.windowMs);

  test('too short: never said to enforce, and its guarantee never blamed', () => {
    const all = some(SHORT ?? []).map(([length, phase]) => seen(length, phase));
    expect(all.filter(({ enforced }) => enforced === 'holds')).toEqual([]);
    expect(all.filter(({ guarantee }) => guarantee === 'broken')).toEqual([]);
    // What began with a request is at the same phase each time; two requests are little to go by.
    const told = all.filter(({ enforced }) => enforced === 'broken').length;
    if (!isTiny(limit) && value < LARGE) expect(told).toBeGreaterThan(0.75 * all.length);
  });

  test('too long: never said to keep its guarantee, and its enforcement never blamed', () => {
    const all = some(LONG ?? []).map(([length, phase]) => seen(length, phase));
    expect(all.filter(({ guarantee }) => guarantee === 'holds')).toEqual([]);
    expect(all.filter(({ enforced }) => enforced === 'broken')).toEqual([]);
  });

  test('as long as it should be: never blamed, and only of a tiny limit ever left open', () => {
    const all = phases.map((phase) => seen(1, phase));
    const words = all.flatMap(({ guarantee, enforced }) => [guarantee, enforced]);
    expect(words).not.toContain('broken');
    const open = words.filter((word) => word !== 'holds').length;
    expect(open).toBeLessThanOrEqual(isTiny(limit) ? 0.25 * words.length : 0);
  });
});

function inTurn<T>(all: readonly T[]): readonly (readonly [T, number])[] {
  return all.map((one, index) => [one, phases[index % phases.length] ?? 0] as const);
}

/** So long, as a share of the window, that moments no longer tell one window from another. */
const BLURRED = 0.06;

describe.each(rows)('%s: what a sharp look shows', { timeout: 60_000 }, (_, limit) => {
  const blurredMs = BLURRED * limit.windowMs;
  const enforced = (share: number, slowerMs: readonly [number, number]) =>
    verdictsOn(limit, 'log', share * limit.windowMs, 0, slowerMs).enforced;

  test.each([0.8, 0.9])('a log of %f of the window stays one when the second look is blurred', (share) => {
    expect(enforced(share, [0, blurredMs])).not.toBe('holds');
  });

  // Of two requests too little is to be seen, unless it is seen sharply at first.
  test.each(isTiny(limit) ? [0.8] : [0.8, 0.9])('or when the first one is, at %f', (share) => {
    expect(enforced(share, [blurredMs, 0])).not.toBe('holds');
  });
});

const WAYS_MS = [100, 250, 450];

const few = rows.filter(([, { value }]) => value <= 100);

describe.each(few)('%s: a target that is far away is told as well as a near one', { timeout: 60_000 }, (_, limit) => {
  test.each(WAYS_MS)('there and back in %i ms', (roundTripMs) => {
    const said = (lengthMs: number) => verdictsOf(limit, () => slidingLog(limit.value, lengthMs), { roundTripMs });
    for (const share of [0.8, 0.9]) expect(said(share * limit.windowMs).enforced).not.toBe('holds');
    for (const share of [1.1, 1.25]) expect(said(share * limit.windowMs).guarantee).not.toBe('holds');
    expect(said(limit.windowMs)).toEqual({ guarantee: 'holds', enforced: 'holds' });
  });
});

/** So many windows later the second burst comes; divided by a whole number, windows with a boundary in each of both. */
const BETWEEN_WINDOWS = 5.337;
const ALIASES = [3, 4].map((whole) => BETWEEN_WINDOWS / whole);
const FINE_PHASES = 40;

test.each(few)('%s: windows that are too long are not taken for a larger limit', { timeout: 60_000 }, (_, limit) => {
  const blurredMs = BLURRED * limit.windowMs;
  const all = Array.from({ length: FINE_PHASES }, (_, index) => (index + 0.31) / FINE_PHASES).flatMap((phase) =>
    ALIASES.map((length) =>
      verdictsOn(limit, 'window', length * limit.windowMs, phase * length * limit.windowMs, [blurredMs, blurredMs]),
    ),
  );
  expect(all.map(({ enforced }) => enforced)).not.toContain('broken');
});

const split = ['log', 'window', 'counter', 'bucket'] as const;

/** Two processes behind one address, each with a limiter of its own: a request meets either by chance. */
function twoProcesses(kind: (typeof split)[number], { value, windowMs }: RateLimit): Limiter {
  const random = seeded(7);
  const [one, other] = [0, 1].map(() => kinds[kind](value, windowMs, 0.33 * windowMs));
  return (atMs) => (random() < 0.5 ? one : other)?.(atMs) ?? true;
}

describe.each(rows)('%s, counted by each of two processes', { timeout: 60_000 }, (_, limit) => {
  test.each(split)('a %s is no enforcement', (kind) => {
    const seen = verdictsOf(limit, () => twoProcesses(kind, limit));
    expect(seen.guarantee).toBe('holds');
    expect(seen.enforced).not.toBe('holds');
    // Only what comes back when its burst is a window old shows that no windows of another length are behind it; and a
    // large burst takes so long that even then some may be.
    if (kind === 'log' && limit.value < LARGE) expect(seen.enforced).toBe('broken');
  });
});

test.each(few)('%s: a bucket of one more, slowly asked, is measured as no larger than it is', (_, limit) => {
  const { value, windowMs } = limit;
  const facts = probed(probeOf(limit, plannedFor({ limit: value, windowMs })), () => slidingLog(value + 1, windowMs));
  if (!facts.confirmation) throw new Error('one more is asked about twice');
  for (let spanMs = 0.01 * windowMs; spanMs < windowMs; spanMs += 0.0137 * windowMs) {
    const admitted = value + 1 + Math.floor(((value + 1) * spanMs) / windowMs);
    const burst = { ...facts.burst, fromMs: 0, toMs: spanMs, sent: admitted, admitted, refused: 0 };
    const over = { ...facts.over, fromMs: spanMs, toMs: spanMs, sent: 5, admitted: 0, refused: 5 };
    // Whatever it is taken for, and wherever boundaries are thought to lie.
    const second = { ...facts.confirmation, burst, over, apart: true, noBoundary: true, likeDocumented: false };
    const unlike = { algorithm: 'unknown', couldBe: [], likeDocumented: false } as const;
    const blind = { ...facts, burst, over, ...unlike, confirmation: second };
    expect(measureRate(blind)?.lower).toBeLessThanOrEqual(value + 1);
  }
});
