/** Held requests on targets that keep the limit, each in a way of its own, and on the same ones with a fault. */
import { afterAll, expect, test } from 'vitest';
import { exactConcurrency } from '../../../../reports/verdicts/testing/facts.ts';
import { type CountingOptions, startCounting } from './testing/counting-server.ts';
import { distant } from './testing/fronts.ts';
import { judgedAt, limitOf } from './testing/judged.ts';

const LIMIT = 20;
const sound = { guarantee: 'holds', enforced: 'holds', freed: 'holds' };

/** Most of these wait, several at a time, so each has its own and all are closed in the end. */
const opened: { readonly close: () => Promise<void> }[] = [];
afterAll(() => Promise.all(opened.map((one) => one.close())));

async function judged(options: CountingOptions, awayMs = 0, budget: 'run' | 'cancel' = 'run') {
  const server = await startCounting(options);
  opened.push(server);
  if (awayMs === 0) return judgedAt(server.url, limitOf(budget, LIMIT));
  const front = await distant(server.url, awayMs);
  opened.unshift(front);
  return judgedAt(front.url, limitOf('run', LIMIT));
}

const targets: readonly [string, CountingOptions, number][] = [
  ['is near and quick', {}, 0],
  ['takes 400 ms for every answer', { latencyMs: 400 }, 0],
  ['is 120 ms away', {}, 60],
  ['closes every connection', { closes: true }, 0],
  ['counts a slot for 250 ms after its answer', { freeAfterMs: 250 }, 0],
  ['notices 900 ms later that a client went away', { abortAfterMs: 900 }, 0],
  ['refuses whole requests only', { refusesWhole: true }, 0],
  ['refuses with 503', { refusal: 503 }, 0],
  ['refuses whole requests only, with 503', { refusal: 503, refusesWhole: true }, 0],
  ['refuses whole requests only, takes 400 ms for it and is 120 ms away', { refusesWhole: true, latencyMs: 400 }, 60],
  [
    'refuses whole requests only and gives slots back late',
    { refusesWhole: true, freeAfterMs: 250, abortAfterMs: 900 },
    0,
  ],
];

test.concurrent.each(targets)('a target that %s keeps the limit', async (_, options, awayMs) => {
  const { words, measured, facts } = await judged({ ...options, atOnce: LIMIT }, awayMs);
  expect(words).toMatchObject(sound);
  expect(measured).toEqual({ lower: LIMIT, upper: LIMIT });
  expect(facts).toMatchObject({ overlapInner: LIMIT, overlapOuter: LIMIT, arrivedTogether: true });
});

test.concurrent.each(targets)('a target that %s takes one too few, or one too many', async (_, options, awayMs) => {
  const few = await judged({ ...options, atOnce: LIMIT - 1 }, awayMs);
  expect(few.words).toMatchObject({ ...sound, guarantee: 'broken' });
  expect(few.measured).toEqual({ lower: LIMIT - 1, upper: LIMIT - 1 });
  const many = await judged({ ...options, atOnce: LIMIT + 1 }, awayMs);
  expect(many.words).toMatchObject({ guarantee: 'holds', enforced: 'broken' });
  expect(many.measured).toEqual({ lower: LIMIT + 1, upper: LIMIT + 1 });
});

test.concurrent.each([
  ['an answered', { freeAfterMs: Number.POSITIVE_INFINITY }],
  ['an aborted', { abortAfterMs: Number.POSITIVE_INFINITY }],
  [
    'an answered, where whole requests only are refused,',
    { freeAfterMs: Number.POSITIVE_INFINITY, refusesWhole: true },
  ],
  [
    'an aborted, where whole requests only are refused,',
    { abortAfterMs: Number.POSITIVE_INFINITY, refusesWhole: true },
  ],
])('a slot that %s request keeps for ever is found, and nothing else', async (_, options) => {
  const { words, claims } = await judged({ ...options, latencyMs: 100, atOnce: LIMIT });
  expect(words).toMatchObject({ ...sound, freed: 'broken' });
  expect(claims.freed?.observed).toContain('refused, however often it was tried');
});

test.concurrent('an operation that waits for no body, and takes so long that it seems to', async () => {
  const { words, measured } = await judged({ servesMs: 1500, atOnce: LIMIT });
  expect(words).toMatchObject({ guarantee: 'holds', enforced: 'holds', freed: 'holds' });
  expect(measured).toEqual({ lower: LIMIT, upper: LIMIT });
});

test.each([
  [LIMIT, 'holds', 'holds'],
  [LIMIT - 5, 'broken', 'holds'],
  [LIMIT + 5, 'holds', 'broken'],
  [Number.POSITIVE_INFINITY, 'inconclusive', 'inconclusive'],
])('an operation too quick to be held, where %i are admitted, is sent all in one moment', async (atOnce, ...words) => {
  const seen = await judged({ servesMs: 170, latencyMs: 200, atOnce }, 0, 'cancel');
  expect([seen.words.guarantee, seen.words.enforced]).toEqual(words);
});

test.each([
  [LIMIT, 'holds'],
  [LIMIT + 5, 'broken'],
])('a retry sends whole ones where %i are admitted and none that is held counts', async (atOnce, enforced) => {
  const server = await startCounting({ servesMs: 85, latencyMs: 100, answersWhole: true, refusesWhole: true, atOnce });
  opened.push(server);
  const { words } = await judgedAt(server.url, limitOf('cancel', LIMIT), { isRetry: true });
  expect(words).toMatchObject({ guarantee: 'holds', enforced });
});

test.concurrent.each([
  [{}, 'holds'],
  [{ abortAfterMs: Number.POSITIVE_INFINITY }, 'broken'],
])('a retry shows freed slots where the rate limit has no room for both ways of freeing them', async (fault, freed) => {
  const quick = { servesMs: 60, atOnce: 2, ...fault };
  const server = await startCounting(quick);
  opened.push(server);
  const changes = { isRetry: true, rateLimit: 10, extra: 2 };
  const { words } = await judgedAt(server.url, limitOf('requests', 2), changes);
  expect(words).toMatchObject({ guarantee: 'holds', enforced: 'holds', freed });
});

// Done before a whole request shows that slots are taken, it is sent whole ones alone; done later, it frees all its slots
// while that one is answered, and then there is none to abort a request for.
const [SOON, LATER] = [500, 2500];

test.concurrent.each([
  [SOON, LIMIT, 'holds', 'holds', 'holds', LIMIT],
  [SOON, LIMIT - 1, 'broken', 'holds', 'holds', LIMIT - 1],
  [SOON, Number.POSITIVE_INFINITY, 'holds', 'broken', 'inconclusive', null],
  [LATER, LIMIT, 'holds', 'holds', 'inconclusive', LIMIT],
  [LATER, LIMIT - 1, 'broken', 'holds', 'inconclusive', LIMIT - 1],
])(
  'an operation that is done %i ms after its headers, before its body is complete, where %i are admitted',
  async (servesMs, atOnce, guarantee, enforced, freed, upper) => {
    const { words, measured } = await judged({ servesMs, answersWhole: true, refusesWhole: true, atOnce }, 0, 'cancel');
    expect(words).toMatchObject({ guarantee, enforced, freed });
    expect(measured).toMatchObject({ upper });
  },
);

test('whole requests that are answered before all are sent take nothing from what the held ones show', async () => {
  const server = await startCounting({ latencyMs: 20 });
  opened.push(server);
  const { words, facts } = await judgedAt(server.url, limitOf('cancel', 400), {}, [
    exactConcurrency('run.concurrency', 20),
  ]);
  expect(facts).toMatchObject({ technique: 'held-body', overlapInner: 403 });
  expect(words.enforced).toBe('broken');
});

test('a backlog of 128 and a server that stops now and then lose nothing', async () => {
  const server = await startCounting({ atOnce: 300, backlog: 128 });
  opened.push(server);
  const block = setInterval(() => {
    const until = performance.now() + 120;
    while (performance.now() < until);
  }, 200);
  try {
    const { words, measured } = await judgedAt(server.url, limitOf('run', 300));
    expect(words).toMatchObject(sound);
    expect(measured).toEqual({ lower: 300, upper: 300 });
  } finally {
    clearInterval(block);
  }
});

test('refusals that the rate limit explains show no limit on requests at once', async () => {
  const server = await startCounting({ rate: { value: 15, windowMs: 60_000 } });
  opened.push(server);
  const rate = { ...exactConcurrency('cancel.concurrency', 20) };
  const { words } = await judgedAt(server.url, limitOf('requests', LIMIT), {}, [rate]);
  expect(words).toMatchObject({ guarantee: 'inconclusive', enforced: 'inconclusive' });
});
