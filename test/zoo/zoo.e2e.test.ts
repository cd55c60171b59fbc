/**
 * Rate limiters that others wrote, right ones and wrong ones, measured over a socket by k6: what proofload says of each.
 * The table of docs/limiters.md is made of it: `npm run zoo`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judge } from '../../reports/verdicts/index.ts';
import type { Measured } from '../../reports/verdicts/measure.ts';
import { watchMachine } from '../../scenarios/execute/machine-watch.ts';
import { type Bench, makeBench } from '../../scenarios/execute/testing/probe.ts';
import { analyse } from '../../scenarios/run/analyse.ts';
import { rateParameters } from '../../scenarios/testing/rate-simulation.ts';
import { decodeLedger } from '../../schemas/ledger.ts';
import { limits, limitTable } from '../../schemas/limits.ts';
import { loadChecks } from '../../schemas/load-checks.ts';
import { packageRoot } from '../../scripts/package.ts';
import { farAway } from './far.ts';
import { CERTIFICATE, haproxy, nginx, nginxRefilled, nginxTls, programOf } from './gateways.ts';
import {
  expressRateLimit,
  fastifyRateLimited,
  honoRateLimited,
  nestThrottler,
  rateLimiterFlexible,
  type Start,
  twoProcesses,
} from './npm.ts';
import { upstashSlidingWindow } from './upstash.ts';

const [LIMIT, WINDOW_MS] = [100, 2000];
/** One that nothing limits besides. */
const [OPERATION, ID] = ['purge-queue', 'purge-queue.rate'] as const;

interface Expected {
  readonly guarantee: string;
  readonly enforced: string;
  readonly algorithm: string;
  /** Bounds of the value and, where it is not the promised one, the window; or what they must satisfy. */
  readonly measured?: unknown;
}

interface Animal {
  readonly name: string;
  readonly start: Start;
  /** What it is set to, where that is not what is promised: requests, and ms. */
  readonly set?: readonly [number, number];
  readonly oneWayMs?: number;
  readonly expected: Expected;
}

const point = (value: number) => ({ lower: value, upper: value });
const keeps = (algorithm: string): Expected => ({
  guarantee: 'pass',
  enforced: 'pass',
  algorithm,
  measured: point(LIMIT),
});
const windows = keeps('fixed-window');
const tooMany = (algorithm: string, value: number): Expected => ({
  guarantee: 'pass',
  enforced: 'fail',
  algorithm,
  measured: point(value),
});

const npm: readonly Animal[] = [
  { name: 'express-rate-limit', start: expressRateLimit, expected: windows },
  {
    name: 'express-rate-limit, one fewer',
    start: expressRateLimit,
    set: [LIMIT - 1, WINDOW_MS],
    expected: { guarantee: 'fail', enforced: 'pass', algorithm: 'fixed-window', measured: point(LIMIT - 1) },
  },
  {
    name: 'express-rate-limit in two processes',
    start: twoProcesses(expressRateLimit),
    // Their windows begin at different moments, so together they are like no single one.
    expected: { guarantee: 'pass', enforced: 'fail', algorithm: 'fixed-window' },
  },
  { name: '@fastify/rate-limit', start: fastifyRateLimited, expected: windows },
  {
    name: '@fastify/rate-limit, one more',
    start: fastifyRateLimited,
    set: [LIMIT + 1, WINDOW_MS],
    expected: tooMany('fixed-window', LIMIT + 1),
  },
  { name: 'hono-rate-limiter', start: honoRateLimited, expected: windows },
  {
    name: 'hono-rate-limiter, a window of 4 s',
    start: honoRateLimited,
    set: [LIMIT, 2 * WINDOW_MS],
    expected: {
      guarantee: 'fail',
      enforced: 'pass',
      algorithm: 'fixed-window',
      // As like to windows of the clock that are somewhat longer: what comes to within the documented one is known.
      measured: expect.toSatisfy(
        ({ lower, upper, windowMs }: Partial<Measured>) =>
          upper === LIMIT && (windowMs === 2 * WINDOW_MS || Number(lower) <= LIMIT / 2),
      ),
    },
  },
  { name: 'rate-limiter-flexible', start: rateLimiterFlexible(0), expected: windows },
  { name: 'rate-limiter-flexible with a block', start: rateLimiterFlexible(1), expected: keeps('blocking') },
  { name: '@nestjs/throttler', start: nestThrottler, expected: keeps('blocking') },
  {
    name: '@nestjs/throttler, doubled',
    start: nestThrottler,
    set: [2 * LIMIT, WINDOW_MS],
    expected: { guarantee: 'pass', enforced: 'fail', algorithm: expect.stringMatching(/blocking|unknown/) },
  },
  { name: 'express-rate-limit, 20 ms away', start: expressRateLimit, oneWayMs: 20, expected: windows },
  { name: '@nestjs/throttler, 20 ms away', start: nestThrottler, oneWayMs: 20, expected: keeps('blocking') },
];

const bucket = keeps('token-bucket');
/**
 * Which came first, a refill or a request on its way, can't be seen from outside. That bounds how near a
 * value can be told; the true one is never left out.
 */
const bucketBehind = (oneWayMs: number): Expected => ({
  ...bucket,
  measured: expect.toSatisfy(
    ({ lower, upper, windowMs }: Partial<Measured>) =>
      Number(lower) <= LIMIT &&
      Number(upper) >= LIMIT &&
      windowMs === undefined &&
      Number(upper) - Number(lower) <= (2 * oneWayMs * LIMIT) / WINDOW_MS,
  ),
});
/** An estimate is known only to about a request, so whether it is one too large may stay open. */
const counter = {
  guarantee: 'fail',
  enforced: expect.stringMatching(/pass|inconclusive/),
  algorithm: 'sliding-counter',
};
const packages: readonly Animal[] = [
  { name: 'nginx limit_req', start: nginx, expected: bucket },
  { name: 'nginx limit_req, TLS and HTTP/2', start: nginxTls, expected: bucket },
  { name: 'nginx limit_req, 20 ms away', start: nginx, oneWayMs: 20, expected: bucketBehind(20) },
  {
    name: 'nginx limit_req, refilled half as fast again',
    start: nginxRefilled(1.5),
    expected: { guarantee: 'pass', enforced: 'fail', algorithm: 'token-bucket' },
  },
  {
    name: 'HAProxy http_req_rate, refusals counted',
    start: haproxy('all'),
    expected: counter,
  },
  {
    name: 'HAProxy http_req_rate, admitted counted',
    start: haproxy('admitted'),
    expected: counter,
  },
  { name: '@upstash/ratelimit slidingWindow', start: upstashSlidingWindow, expected: counter },
];

const table = limitTable(
  limits.map((row) => (row.id === ID && row.kind === 'requests' ? { ...row, value: LIMIT, windowMs: WINDOW_MS } : row)),
);
const declaredLoad = loadChecks.filter(({ id }) => id === `${ID}.guarantee` || id === `${ID}.enforced`);

let bench: Bench;
const lines: string[] = [];

beforeAll(async () => {
  bench = await makeBench();
});
afterAll(async () => {
  await bench.close();
  if (process.env.ZOO === 'write') writeTable();
});

async function measured({ start, set = [LIMIT, WINDOW_MS], oneWayMs = 0 }: Animal) {
  const near = await start(...set);
  const served = oneWayMs > 0 ? await farAway(near, oneWayMs) : near;
  const parameters = rateParameters(
    LIMIT,
    WINDOW_MS,
    { limitId: ID, instId: 'inst-1', operation: OPERATION },
    2 + 2 * oneWayMs,
  );
  const watch = watchMachine(true);
  let lagMs = 0;
  try {
    await bench.send(parameters, { url: served.url, id: ID, estimateMs: parameters.untilMs });
  } finally {
    lagMs = watch.stop().loopLagMs ?? 0;
    await served.close();
  }
  const nothing = { title: '', requests: 0, bytes: 0, estimateMs: 0, floorMs: 0, exclusive: [] };
  const probe = { id: ID, checkIds: declaredLoad.map(({ id }) => id), parameters, ...nothing };
  const facts = analyse(probe, decodeLedger(bench.lastText()));
  const endpoints = [{ instId: 'inst-1', workersMax: 1, dedicated: true }];
  return { ...judge({ checkFacts: [], loadFacts: [facts], declaredLoad, endpoints, table }), lagMs };
}

/** Longer than busy neighbours keep a process waiting: the machine stood still, and so did what is measured. */
const STILL_MS = 50;
const ATTEMPTS = 4;

/**
 * What is claimed must be true whatever the machine does. That enough is claimed can only be asked of one that ran all
 * the while, which a clock beside the probe tells, not its verdict.
 */
function check(animal: Animal): void {
  test(animal.name, { timeout: 240_000 }, async (context) => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const { checks, limits: rows, lagMs } = await measured(animal);
      const of = (aspect: string) => checks.find(({ id }) => id === `${ID}.${aspect}`);
      const row = rows.find(({ id }) => id === ID);
      const verdicts = { guarantee: of('guarantee')?.verdict, enforced: of('enforced')?.verdict };
      const reasons = checks.map(({ observed, reason }) => [observed, reason]);
      const explained = `stood still for ${Math.round(lagMs)} ms; ${JSON.stringify(reasons, null, 1)}`;
      // A run looks a second time at what stayed open: boundaries of windows may have come where they tell nothing.
      const isOpen = verdicts.guarantee === 'inconclusive' && animal.expected.guarantee !== 'inconclusive';
      if (lagMs > STILL_MS || (isOpen && attempt === 1)) {
        const claims = Object.entries(verdicts).filter(([, verdict]) => verdict !== 'inconclusive');
        expect(animal.expected, explained).toMatchObject(Object.fromEntries(claims));
        continue;
      }
      const measuredToo = animal.expected.measured ? { measured: row?.measured } : {};
      const seen = { ...verdicts, algorithm: row?.algorithm, ...measuredToo };
      expect(seen, explained).toEqual(animal.expected);
      const { lower, upper, windowMs = WINDOW_MS } = row?.measured ?? {};
      const value = lower === upper ? `${lower}` : `${lower} to ${upper}`;
      lines.push(
        `| ${animal.name} | ${seen.guarantee} | ${seen.enforced} | ${seen.algorithm} | ${value} per ${windowMs / 1000} s |`,
      );
      return;
    }
    context.skip(`the machine stood still for more than ${STILL_MS} ms in each of ${ATTEMPTS} attempts`);
  });
}

describe('from npm', () => {
  for (const animal of npm) check(animal);
});

const canInstall = (['nginx', 'haproxy', 'redis-server'] as const).every((name) => programOf(name) !== undefined);

describe.runIf(canInstall)('with packages of Debian', () => {
  const before = process.env.SSL_CERT_FILE;
  beforeAll(() => {
    process.env.SSL_CERT_FILE = CERTIFICATE;
  });
  afterAll(() => {
    if (before === undefined) delete process.env.SSL_CERT_FILE;
    else process.env.SSL_CERT_FILE = before;
  });
  for (const animal of packages) check(animal);
});

function writeTable(): void {
  const file = join(packageRoot(), 'docs', 'limiters.md');
  const [head = ''] = readFileSync(file, 'utf8').split('<!-- zoo -->');
  const rows = [
    '| limiter, set to 100 per 2 s | guarantee | enforced | algorithm | measured |',
    '|---|---|---|---|---|',
  ];
  writeFileSync(file, `${head}<!-- zoo -->\n\n${[...rows, ...lines].join('\n')}\n`);
}
