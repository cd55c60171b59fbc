import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Reply } from './reply.ts';
import { giveUp, unlessAborted, untilRead } from './slot.ts';

function streamReply(pieces: readonly string[], failAt = -1): Reply {
  async function* body(): AsyncGenerator<string> {
    for (const [at, piece] of pieces.entries()) {
      if (at === failAt) throw new Error('broken');
      yield piece;
    }
  }
  return { status: 200, headers: {}, body: body() };
}

/** A reply being read, with how often its end was told. */
function held(reply: Reply): { body: Reply['body']; left: () => number } {
  let count = 0;
  const { body } = untilRead(reply, () => {
    count += 1;
  });
  return { body, left: () => count };
}

const { signal: never } = new AbortController();

function iteratorOf(body: Reply['body']): AsyncIterator<string> {
  if (typeof body === 'string') throw new Error('not a stream');
  return body[Symbol.asyncIterator]();
}

test('a whole answer is left as it is', () => {
  const whole = { status: 200, headers: {}, body: 'x' };
  expect(untilRead(whole, () => undefined)).toBe(whole);
});

test('a stream gives its slot back with its end, and passes every piece on', async () => {
  const { body, left } = held(streamReply(['a', 'b']));
  const iterator = iteratorOf(body);
  expect(await iterator.next()).toEqual({ done: false, value: 'a' });
  expect(await iterator.next()).toEqual({ done: false, value: 'b' });
  expect(left()).toBe(0);
  expect((await iterator.next()).done).toBe(true);
  expect(left()).toBe(1);
});

test('a stream that breaks gives its slot back', async () => {
  const { body, left } = held(streamReply(['a', 'b'], 1));
  const iterator = iteratorOf(body);
  await iterator.next();
  await expect(iterator.next()).rejects.toThrow('broken');
  expect(left()).toBe(1);
});

test('a stream that was never read frees its slot when it is given up', async () => {
  const { body, left } = held(streamReply(['a']));
  expect(await iteratorOf(body).return?.()).toEqual({ done: true, value: undefined });
  expect(left()).toBe(1);
});

test('a stream read in any number of pieces reports its end once, for any kind of end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(5), fc.nat(6), async (length, reads) => {
      const { body, left } = held(streamReply(Array.from({ length }, String)));
      const iterator = iteratorOf(body);
      for (let read = 0; read < reads; read += 1) await iterator.next();
      expect(left() > 0).toBe(reads > length);
      await iterator.return?.();
      expect(left()).toBeGreaterThanOrEqual(1);
    }),
  );
});

test('a stream that will not be read is ended', async () => {
  let ended = false;
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) yield 'a';
    } finally {
      ended = true;
    }
  }
  const body = endless();
  await body.next();
  giveUp({ status: 200, headers: {}, body });
  await body.next();
  expect(ended).toBe(true);
});

test('unlessAborted is the promise, or the abort when that comes first', async () => {
  expect(await unlessAborted(Promise.resolve(1), never)).toBe(1);
  await expect(unlessAborted(Promise.reject(new Error('no')), never)).rejects.toThrow('no');
  const gone = new AbortController();
  const waiting = unlessAborted(new Promise(() => undefined), gone.signal);
  gone.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await expect(unlessAborted(new Promise(() => undefined), gone.signal)).rejects.toThrow('gone');
});
