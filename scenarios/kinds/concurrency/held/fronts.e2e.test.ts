/**
 * Held requests through gateways that keep them from the service, or answer them: what can't be seen is said, with the
 * number that shows it, and nobody is blamed for it.
 */
import { afterAll, expect, test } from 'vitest';
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

test.concurrent.each([400, 411, 413])('a GET that is answered %i for having a body is sent without', async (status) => {
  const asked = async (servesMs: number) => {
    const url = await behind({ atOnce: 2, servesMs }, (to) => withoutGetBodies(to, status));
    return judgedAt(url, limitOf('requests', 2));
  };
  const slow = await asked(400);
  expect(slow.words).toMatchObject({ guarantee: 'holds', enforced: 'holds', freed: 'inconclusive' });
  expect(slow.claims.guarantee?.observed).toContain('whole requests, since no body is waited for: 2 opened: 2 served');
  expect((await asked(0)).words).toMatchObject({ guarantee: 'inconclusive' });
});

test.concurrent('where POST does as well it is asked by POST alone, and that is said too', async () => {
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
