import { expect, test } from 'vitest';
import { clientOf, Visitor } from './client.ts';

const both = [
  [
    'a visitor',
    () => {
      const visitor = new Visitor();
      return { client: visitor, leave: () => visitor.leave(new Error('gone')) };
    },
  ],
  [
    'the client behind a signal',
    () => {
      const controller = new AbortController();
      return { client: clientOf(controller), leave: () => controller.abort(new Error('gone')) };
    },
  ],
] as const;

test.for(both)('%s reports its disconnect once, to the listeners that are still there', ([, make]) => {
  const { client, leave } = make();
  const reported: string[] = [];
  client.onGone(() => reported.push('one'));
  const stop = client.onGone(() => reported.push('two'));
  stop();
  expect(client.gone).toBe(false);
  leave();
  leave();
  expect(client.gone).toBe(true);
  expect(reported).toEqual(['one']);
  client.onGone(() => reported.push('late'));
  expect(reported).toEqual(['one', 'late']);
});

test.for(both)('%s still reports to later listeners when others are removed twice', ([, make]) => {
  const { client, leave } = make();
  const reported: string[] = [];
  const stop = client.onGone(() => reported.push('first'));
  stop();
  client.onGone(() => reported.push('second'));
  stop();
  leave();
  expect(reported).toEqual(['second']);
});

test.for(both)('%s has a signal that aborts, made before or after', ([, make]) => {
  const early = make();
  const { signal } = early.client;
  expect(signal.aborted).toBe(false);
  early.leave();
  expect(signal.reason).toMatchObject({ message: 'gone' });
  expect(early.client.signal).toBe(signal);
  const late = make();
  late.leave();
  expect(late.client.signal.reason).toMatchObject({ message: 'gone' });
});
