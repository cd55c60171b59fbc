/**
 * Whatever goes wrong on the way, a correct limiter is never called broken, and one that enforces nothing is never
 * said to enforce; where trouble leaves the question open, the verdict says what it saw.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judge } from '../reports/verdicts/index.ts';
import type { RateParameters } from '../scenarios/probe.ts';
import { analyse } from '../scenarios/run/analyse.ts';
import {
  fixedWindow,
  type Limiter,
  rateParameters,
  simulateRate,
  slidingLog,
  tokenBucket,
  unlimited,
} from '../scenarios/testing/rate-simulation.ts';
import { decodeLedger } from '../schemas/ledger.ts';
import { limits, limitTable } from '../schemas/limits.ts';
import { loadChecks } from '../schemas/load-checks.ts';
import type { ResultCheck } from '../schemas/results.ts';
import { playRate, type Trouble, troubles } from './support/trouble/ledgers.ts';

const [LIMIT, WINDOW_MS] = [60, 2000];

const table = limitTable(
  limits.map((row) =>
    row.kind === 'requests' && row.id === 'run.rate' ? { ...row, value: LIMIT, windowMs: WINDOW_MS } : row,
  ),
);
const parameters: RateParameters = rateParameters(LIMIT, WINDOW_MS);
const { untilMs } = parameters;
const declaredLoad = loadChecks.filter(({ id }) => /^run\.rate\.(guarantee|enforced)$/.test(id));

interface Scene {
  readonly limiter: () => Limiter;
  readonly trouble: Trouble;
  readonly beginsAtMs?: number;
}

const verdicts = ({ limiter, trouble, beginsAtMs = 0 }: Scene): readonly ResultCheck[] =>
  judged(playRate({ parameters, limiter, trouble, beginsAtMs }));

function judged(ledger: string): readonly ResultCheck[] {
  const probe = { id: 'run.rate', title: '', checkIds: declaredLoad.map(({ id }) => id), parameters };
  const none = { requests: 0, bytes: 0, estimateMs: 0, floorMs: 0, exclusive: [] };
  const endpoints = [{ instId: 'inst-a', workersMax: 3, dedicated: true }];
  const loadFacts = [analyse({ ...probe, ...none }, decodeLedger(ledger))];
  return judge({ checkFacts: [], loadFacts, declaredLoad, endpoints, table }).checks;
}

const words = (checks: readonly ResultCheck[]): Record<string, string> =>
  Object.fromEntries(checks.map(({ id, verdict }) => [id.split('.').at(-1) ?? '', verdict]));

const correct: Readonly<Record<string, (phaseMs: number) => Limiter>> = {
  'sliding log': () => slidingLog(LIMIT, WINDOW_MS),
  'fixed window': (phaseMs) => fixedWindow(LIMIT, WINDOW_MS, phaseMs),
  'token bucket': () => tokenBucket(LIMIT, LIMIT, WINDOW_MS),
};

/** More of them now and then: `TROUBLE_RUNS=2000 npx vitest run --project unit test/trouble-ledgers.test.ts`. */
const RUNS = Number(process.env.TROUBLE_RUNS ?? 25);
const PATIENCE_MS = 30_000 + 1000 * RUNS;
const beginsAtMs = fc.integer({ min: 0, max: WINDOW_MS });

describe.each(Object.entries(correct))('a correct %s', (_, limiter) => {
  test('is never called broken, with any trouble', { timeout: PATIENCE_MS }, () => {
    fc.assert(
      fc.property(troubles(untilMs), beginsAtMs, (trouble, phase) => {
        const checks = verdicts({ limiter: () => limiter(0), trouble, beginsAtMs: phase });
        expect(checks.map(({ verdict }) => verdict)).not.toContain('fail');
        for (const check of checks) if (check.verdict === 'inconclusive') expect(check.reason).toMatch(/\S/);
      }),
      { numRuns: RUNS },
    );
  });
});

test('nor is a bucket that a restart fills up again while more is sent than it holds', () => {
  const bucket = () => tokenBucket(LIMIT, LIMIT, WINDOW_MS);
  // As long as something is sent: what is gone while nobody asks is as good as a bucket that forgets.
  const [{ untilMs: silentFromMs, periodMs } = { untilMs: 0, periodMs: 0 }] = parameters.polls.spans;
  const lastPollMs = silentFromMs - periodMs;
  expect(lastPollMs).toBeGreaterThan(parameters.overflowAtMs);
  for (let atMs = parameters.overflowAtMs; atMs < lastPollMs; atMs += 25) {
    const trouble = { kind: 'restart', atMs, forMs: 200 } as const;
    expect(words(verdicts({ limiter: bucket, trouble })).enforced).not.toBe('fail');
  }
});

describe('one that', { timeout: PATIENCE_MS }, () => {
  test('enforces nothing is never said to enforce', () => {
    fc.assert(
      fc.property(troubles(untilMs), (trouble) => {
        expect(words(verdicts({ limiter: () => unlimited, trouble })).enforced).not.toBe('pass');
      }),
      { numRuns: RUNS },
    );
  });

  test('enforces a half is never said to let a client have what was promised', () => {
    fc.assert(
      fc.property(troubles(untilMs), (trouble) => {
        const half = () => slidingLog(LIMIT / 2, WINDOW_MS);
        expect(words(verdicts({ limiter: half, trouble })).guarantee).not.toBe('pass');
      }),
      { numRuns: RUNS },
    );
  });

  test('lets twice as many in is never said to keep to its limit', () => {
    fc.assert(
      fc.property(troubles(untilMs), (trouble) => {
        const twice = () => slidingLog(LIMIT * 2, WINDOW_MS);
        expect(words(verdicts({ limiter: twice, trouble })).enforced).not.toBe('pass');
      }),
      { numRuns: RUNS },
    );
  });
});

test('without trouble they are distinguished', () => {
  const trouble = { kind: 'none' } as const;
  expect(words(verdicts({ limiter: () => slidingLog(LIMIT, WINDOW_MS), trouble }))).toEqual({
    guarantee: 'pass',
    enforced: 'pass',
  });
  expect(words(verdicts({ limiter: () => slidingLog(LIMIT / 2, WINDOW_MS), trouble })).guarantee).toBe('fail');
  expect(words(verdicts({ limiter: () => unlimited, trouble })).enforced).toBe('fail');
});

test('a limit that refuses with 503, and does so each time, is one', () => {
  const ledger = simulateRate(parameters, slidingLog(LIMIT, WINDOW_MS), { refusedStatus: 503 });
  expect(words(judged(ledger)).enforced).toBe('pass');
});
