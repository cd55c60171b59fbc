/** No mix of finished, abandoned and waiting requests ever loses a slot or lends one twice. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Harness, harness } from './testing/harness.ts';

const SLOTS = 4;

type Kind = 'quick' | 'poll' | 'body' | 'stream';
const kinds: readonly Kind[] = ['quick', 'poll', 'body', 'stream'];

/** One request of interface B's runsync, which can end, wait for its job, or wait for a body that never comes. */
function runsync(one: Harness, kind: Kind, signal: AbortSignal): Promise<unknown> {
  const input = kind === 'quick' ? { echo: 1 } : { delay_ms: 3_600_000 };
  const rawBody = kind === 'body' ? new ReadableStream<Uint8Array>() : JSON.stringify({ input });
  return one.job('runsync', { rawBody, signal, query: '?wait=300000' });
}

/** One chat; streams are read to their end unless their client goes away. */
function chat(one: Harness, kind: Kind, signal: AbortSignal): Promise<unknown> {
  const body = {
    model: 'acme/base-70b',
    prompt: 'x',
    max_tokens: kind === 'quick' ? 1 : 50,
    stream: kind === 'stream',
  };
  const rawBody = kind === 'body' ? new ReadableStream<Uint8Array>() : JSON.stringify(body);
  return one.request('/v1/completions', { method: 'POST', rawBody, signal });
}

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    /** Milliseconds after which the client goes away; null for a client that stays. */
    leavesAfter: fc.option(fc.nat(400), { nil: null }),
    pause: fc.nat(150),
  }),
  { minLength: 1, maxLength: 25 },
);

test.for([
  ['runsync', runsync, 'runsync.concurrency'],
  ['completions', chat, 'inference.concurrency'],
] as const)('%s: after all have left all slots are there, and no more', async ([, request, limitId]) => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const one = harness({ limits: { [limitId]: SLOTS, 'runsync.rate': 'off' } });
      const clients: AbortController[] = [];
      const open: Promise<unknown>[] = [];
      for (const { kind, leavesAfter, pause } of history) {
        const client = new AbortController();
        clients.push(client);
        open.push(request(one, kind, client.signal).catch(() => 'gone'));
        if (leavesAfter !== null) void one.clock.sleep(leavesAfter).then(() => client.abort());
        await one.clock.sleep(pause);
      }
      for (const client of clients) client.abort();
      await Promise.all(open);
      one.service.close();

      const last = new AbortController();
      const wave = Array.from({ length: SLOTS }, () => request(one, 'body', last.signal).catch(() => 'held'));
      const beyond = await request(one, 'quick', last.signal);
      expect(beyond).toMatchObject({ status: 429 });
      last.abort();
      expect(await Promise.all(wave)).toEqual(Array(SLOTS).fill('held'));
      expect(await request(one, 'quick', new AbortController().signal)).toMatchObject({ status: 200 });
    }),
    { numRuns: 40 },
  );
});
