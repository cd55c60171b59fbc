/** The receiver of one exchange, on a dispatcher that does what a wire may do. */
import { PassThrough } from 'node:stream';
import { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { receive } from './transport.ts';

type Handler = Dispatcher.DispatchHandler;

/** Hands out the handler, and what was said to the controller. */
class Scripted extends Dispatcher {
  readonly aborted: string[] = [];
  handler: Handler = {};
  readonly controller: Dispatcher.DispatchController = {
    aborted: false,
    paused: false,
    reason: null,
    abort: (reason) => void this.aborted.push(reason.message),
    pause() {},
    resume() {},
  };

  override dispatch(_options: Dispatcher.DispatchOptions, handler: Handler): boolean {
    this.handler = handler;
    return true;
  }
}

const options = { origin: 'http://x', path: '/', method: 'GET' } as const;

function receiving(leavesAfter?: number) {
  let time = 0;
  const wire = new Scripted();
  const clock = (): number => {
    time += 1;
    return time;
  };
  const one = receive(wire, options, clock, leavesAfter);
  const { handler, controller } = wire;
  return {
    ...one,
    wire,
    handler,
    controller,
    data: (text: string) => handler.onResponseData?.(controller, Buffer.from(text)),
  };
}

test('pieces have the times at which they came, and information on the way is no answer', async () => {
  const { handler, controller, data, answer } = receiving();
  handler.onRequestStart?.(controller, {});
  handler.onResponseStart?.(controller, 103, { link: 'x' });
  handler.onResponseStart?.(controller, 201, { a: 'b' });
  data('x');
  data('y');
  handler.onResponseEnd?.(controller, {});
  const received = await answer;
  expect(received).toMatchObject({ status: 201, headers: { a: 'b' }, headersMs: 1, endMs: 4 });
  expect(received.chunks.map(({ atMs, bytes }) => [atMs, String(bytes)])).toEqual([
    [2, 'x'],
    [3, 'y'],
  ]);
});

test('one that is stopped before it has a connection is given up at once, and never sent', async () => {
  const { handler, controller, wire, answer, stop } = receiving();
  stop(new Error('enough'));
  await expect(answer).rejects.toThrow('enough');
  expect(wire.aborted).toEqual([]);
  handler.onRequestStart?.(controller, {});
  expect(wire.aborted).toEqual(['stopped']);
});

test('a client that leaves has what came until then, and nothing that comes later', async () => {
  const { handler, controller, wire, data, answer, stop } = receiving(2);
  handler.onRequestStart?.(controller, {});
  handler.onResponseStart?.(controller, 200, {});
  for (const text of ['1', '2', '3']) data(text);
  handler.onResponseError?.(controller, new Error('aborted'));
  stop(new Error('too late'));
  expect((await answer).chunks).toHaveLength(2);
  expect(wire.aborted).toEqual(['the client left']);
});

test('a whole answer is not stopped any more', async () => {
  const { handler, controller, wire, answer, stop } = receiving();
  handler.onRequestStart?.(controller, {});
  handler.onResponseStart?.(controller, 204, {});
  handler.onResponseEnd?.(controller, {});
  stop(new Error('too late'));
  expect((await answer).status).toBe(204);
  expect(wire.aborted).toEqual([]);
});

test('an answer without an end, and another protocol, are errors', async () => {
  const endless = receiving();
  endless.handler.onRequestStart?.(endless.controller, {});
  endless.handler.onResponseStart?.(endless.controller, 200, {});
  const megabytes = Buffer.alloc(33 * 1024 * 1024);
  for (const piece of [megabytes, megabytes]) endless.handler.onResponseData?.(endless.controller, piece);
  await expect(endless.answer).rejects.toThrow('longer than 67108864 bytes');
  expect(endless.wire.aborted).toEqual(['too long']);

  const other = receiving();
  const socket = new PassThrough();
  other.handler.onRequestUpgrade?.(other.controller, 101, {}, socket);
  await expect(other.answer).rejects.toThrow('switched protocols (101)');
  expect(socket.destroyed).toBe(true);
});
