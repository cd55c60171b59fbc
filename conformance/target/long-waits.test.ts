/** Who waits for whom, where jobs age beside a load. */
import { expect, test } from 'vitest';
import { LongWaits, noLongWaits } from './long-waits.ts';

const { signal } = new AbortController();
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function watched(names: readonly string[]) {
  let open = (): void => {};
  const over = new Promise<void>((resolve) => {
    open = resolve;
  });
  const longWaits = new LongWaits(over, names);
  const events: string[] = [];
  void longWaits.still.then(() => events.push('still'));
  return { longWaits, events, open };
}

test('all is still when each has come to its pause, and each goes on when the load is over', async () => {
  const { longWaits, events, open } = watched(['a', 'b']);
  const going = ['a', 'b'].map((name) => longWaits.pause(name, signal).then(() => events.push(name)));
  await turn();
  expect(events).toEqual(['still']);
  open();
  await Promise.all(going);
  expect(events).toEqual(['still', 'a', 'b']);
});

test('one that still sends keeps the load from beginning', async () => {
  const { longWaits, events } = watched(['a', 'b']);
  void longWaits.pause('a', signal);
  await turn();
  expect(events).toEqual([]);
});

test('one that has failed keeps nothing waiting, reported once or twice', async () => {
  const { longWaits, events } = watched(['a', 'b']);
  longWaits.leave('a');
  longWaits.leave('a');
  await turn();
  expect(events).toEqual([]);
  longWaits.leave('b');
  await turn();
  expect(events).toEqual(['still']);
});

test('an interrupt ends the pause at once', async () => {
  const stop = new AbortController();
  const { longWaits } = watched(['a']);
  const pause = longWaits.pause('a', stop.signal);
  stop.abort(new Error('stopped'));
  await expect(pause).rejects.toThrow('stopped');
  await expect(async () => longWaits.pause('a', stop.signal)).rejects.toThrow('stopped');
});

test('without a load nothing waits', async () => {
  await noLongWaits().still;
  await noLongWaits().pause('anybody', signal);
});
