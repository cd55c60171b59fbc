/**
 * Held requests through gateways that keep them from the service, or answer them: what can't be seen is said, with the
 * number that shows it, and nobody is blamed for it.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { type CountingOptions, startCounting } from './testing/counting-server.ts';
import { buffering, type Front, impatient, withoutGetBodies } from './testing/fronts.ts';
import { judgedAt, limitOf } from './testing/judged.ts';

/** Most of these wait, several at a time, so each has its own and all are closed in the end. */
const opened: { readonly close: () => Promise<void> }[] = [];
afterAll(() => Promise.all(opened.map((one) => one.close())));

const LIMIT = 20;

async function behind(options: CountingOptions, stand: (url: string) => Promise<Front>): Promise<string> {
  const server = await startCounting(options);
  const front = await stand(server.url);
  opened.push(front, server);
  return front.url;
}

test.concurrent('bodies that are buffered are judged by their release: as many refused as were too many', async () => {
  const url = await behind({ atOnce: LIMIT, latencyMs: 1500 }, buffering);
  const { words, claims, facts } = await judgedAt(url, limitOf('run', LIMIT));
  expect(facts).toMatchObject({ fewestAtRefusal: null, releasedTogether: { count: LIMIT + 3, refused: 3 } });
  expect(words).toMatchObject({ guarantee: 'inconclusive', enforced: 'holds', freed: 'inconclusive' });
  expect(claims.enforced?.observed).toContain('3 of 23 completed at once refused');
});

test.concurrent('bodies that are buffered before a limit that is too low break the guarantee by their release', async () => {
  const url = await behind({ atOnce: LIMIT - 5, latencyMs: 1500 }, buffering);
  const { words } = await judgedAt(url, limitOf('run', LIMIT));
  expect(words.guarantee).toBe('broken');
});

test.concurrent('bodies that are buffered and answered too fast show nothing, and how many overlapped is said', async () => {
  const url = await behind({}, buffering);
  const { words, claims } = await judgedAt(url, limitOf('run', LIMIT));
  expect(words).toMatchObject({ guarantee: 'inconclusive', enforced: 'inconclusive', freed: 'inconclusive' });
  expect(claims.enforced?.reason).toContain(`${LIMIT + 3} were held at once and none was refused`);
});

test.concurrent.each([
  [LIMIT, { guarantee: 'holds', enforced: 'holds' }, { lower: LIMIT, upper: LIMIT }],
  [LIMIT - 5, { guarantee: 'broken', enforced: 'holds' }, { lower: LIMIT - 5, upper: LIMIT - 5 }],
  [LIMIT + 2, { guarantee: 'holds', enforced: 'broken' }, { lower: LIMIT + 2, upper: LIMIT + 2 }],
  [Number.POSITIVE_INFINITY, { guarantee: 'holds', enforced: 'broken' }, { lower: LIMIT + 3, upper: null }],
])(
  'where a request is counted from the end of its body on and takes its time, whole ones show %i',
  async (atOnce, words, measured) => {
    const url = await behind({ atOnce, servesMs: 1000 }, buffering);
    const seen = await judgedAt(url, limitOf('cancel', LIMIT));
    expect(seen.words).toMatchObject({ ...words, freed: words.enforced === 'holds' ? 'holds' : 'inconclusive' });
    expect(seen.measured).toEqual(measured);
  },
);

test.concurrent('a slot that an aborted request keeps for ever is missed by as many whole ones as there are slots', async () => {
  const url = await behind({ atOnce: LIMIT, servesMs: 500, abortAfterMs: Number.POSITIVE_INFINITY }, buffering);
  const { words, claims } = await judgedAt(url, limitOf('cancel', LIMIT), { rateLimit: 100 });
  expect(words).toMatchObject({ guarantee: 'holds', enforced: 'holds', freed: 'broken' });
  expect(claims.freed?.observed).toContain('after one was answered: taken; after one was aborted: refused');
});

describe('a GET that is refused for having a body is sent without', () => {
  const TWO = 2;
  /** So long that what shows that all had arrived is answered before, on a busy machine too. */
  const SERVES_MS = 1000;
  const requested = async (options: CountingOptions, status = 400) =>
    judgedAt(await behind(options, (to) => withoutGetBodies(to, status)), limitOf('requests', TWO));

  test.concurrent.each([400, 411, 413])('and keeps the limit, with a %i', async (status) => {
    const { words, claims, measured } = await requested({ servesMs: SERVES_MS, atOnce: TWO }, status);
    expect(words).toMatchObject({ guarantee: 'holds', enforced: 'holds', freed: 'holds' });
    expect(measured).toEqual({ lower: TWO, upper: TWO });
    expect(claims.guarantee?.observed).toContain('whole requests, since held ones show nothing: 2 opened: 2 served');
  });

  test.concurrent.each([
    [TWO - 1, { guarantee: 'broken', enforced: 'holds' }, { lower: TWO - 1, upper: TWO - 1 }],
    [TWO + 1, { guarantee: 'holds', enforced: 'broken' }, { lower: TWO + 1, upper: TWO + 1 }],
    [Number.POSITIVE_INFINITY, { guarantee: 'holds', enforced: 'broken' }, { lower: TWO + 3, upper: null }],
  ])('and lets %i in at once', async (atOnce, words, measured) => {
    const seen = await requested({ servesMs: SERVES_MS, atOnce });
    expect(seen.words).toMatchObject(words);
    expect(seen.measured).toEqual(measured);
  });

  test.concurrent('and waits for a slot, which shows no missing limit', async () => {
    const { words, measured } = await requested({ servesMs: SERVES_MS, atOnce: TWO, queues: true });
    expect(words).toMatchObject({ guarantee: 'holds', enforced: 'inconclusive' });
    expect(measured).toEqual({ lower: TWO, upper: null });
  });

  test.concurrent('and is answered too soon to show anything', async () => {
    expect((await requested({})).words).toMatchObject({ guarantee: 'inconclusive', enforced: 'inconclusive' });
  });
});

test.concurrent('where POST does as well only POST is sent, and that is reported too', async () => {
  const url = await behind({ atOnce: LIMIT }, (to) => withoutGetBodies(to, 400));
  const { words, claims, measured } = await judgedAt(url, limitOf('status', LIMIT));
  expect(words).toMatchObject({ guarantee: 'holds', enforced: 'holds', freed: 'holds' });
  expect(measured).toEqual({ lower: LIMIT, upper: LIMIT });
  expect(claims.guarantee?.observed).toContain('by POST alone, since a GET was answered 400');
});

test.concurrent.each([
  ['that keeps the limit', LIMIT],
  ['with a limit that is too low', LIMIT - 5],
  ['without a limit', Number.POSITIVE_INFINITY],
])('a gateway that gives up held requests, before a target %s, is no fault of the target', async (_, atOnce) => {
  const url = await behind({ atOnce }, (to) => impatient(to, 500));
  const { words, claims } = await judgedAt(url, limitOf('run', LIMIT));
  // What was refused within the limit was seen, whatever was given up later.
  expect(words.guarantee).toBe(atOnce < LIMIT ? 'broken' : 'inconclusive');
  expect(words.enforced).not.toBe('broken');
  expect(words.freed).not.toBe('broken');
  if (atOnce >= LIMIT) {
    expect(claims.guarantee?.reason).toContain('408');
    expect(claims.guarantee?.reason).toContain('overlapped');
  }
});
