import { expect, test, vi } from 'vitest';
import { unreadFor, watchLoop } from './own-loop.ts';
import type { Reply } from './reply.ts';

test('a process that stood still says for how long', () => {
  vi.useFakeTimers();
  let nowMs = 1000;
  const pass = (ms: number): void => {
    nowMs += ms;
    vi.advanceTimersToNextTimer();
  };
  const watch = watchLoop(20, () => nowMs);
  for (const ms of [20, 21, 320, 20]) pass(ms);
  expect(watch.stop()).toBe(300);
  vi.useRealTimers();
});

test('also where it had no turn since', () => {
  let nowMs = 0;
  const watch = watchLoop(20, () => nowMs);
  nowMs = 520;
  expect(watch.stop()).toBe(500);
});

test.each<[number | undefined, string | null]>([
  [undefined, null],
  [0, null],
  [290, null],
  [310, 'this process was stalled for 310 of the 600 ms of the response'],
])('kept from reading for %s ms of 600', (stalledMs, why) => {
  const reply: Reply = {
    request: 'POST /v1/chat/completions',
    status: 200,
    headers: {},
    text: '',
    json: undefined,
    sentMs: 100,
    headersMs: 110,
    endMs: 700,
    pieces: [],
    ...(stalledMs === undefined ? {} : { stalledMs }),
  };
  expect(unreadFor(reply)).toBe(why);
});
