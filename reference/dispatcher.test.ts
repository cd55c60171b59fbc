/** The undici side: handlers of its newer generation, called in order, and what cannot be sent. */
import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { InProcessDispatcher } from './dispatcher.ts';
import { harness, KEY } from './testing/harness.ts';

const origin = 'http://reference.invalid';
const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
const completion = JSON.stringify({ model: 'acme/base-70b', prompt: 'x', stream: true, max_tokens: 20 });
const streaming = { path: '/v1/completions', method: 'POST', body: completion } as const;
const runsync = { path: '/api/v1/sl/inst-1/runsync', method: 'POST' } as const;

const dispatcher = (overrides = {}): InProcessDispatcher => new InProcessDispatcher(harness(overrides).service);

interface Recorded {
  readonly calls: readonly string[];
  readonly text: string;
}

/** Calls of a handler, in their order. */
function recorded(
  through: InProcessDispatcher,
  options: Omit<Dispatcher.DispatchOptions, 'origin'>,
  abortAt?: string,
): Promise<Recorded> {
  return new Promise((resolve) => {
    const calls: string[] = [];
    let text = '';
    const note = (name: string, controller: Dispatcher.DispatchController): void => {
      calls.push(name);
      if (name === abortAt) controller.abort(new Error('stop'));
    };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (controller) => note('start', controller),
      onResponseStart: (controller, status) => note(`response ${status}`, controller),
      onResponseData(controller, bytes) {
        text += String(bytes);
        note('data', controller);
      },
      onResponseEnd(controller) {
        note('end', controller);
        resolve({ calls, text });
      },
      onResponseError(controller, error) {
        expect(controller.aborted).toBe(abortAt !== undefined);
        calls.push(`error ${error.message}`);
        resolve({ calls, text });
      },
    };
    through.dispatch({ origin, headers, ...options }, handler);
  });
}

test('an answer comes whole, a stream piece by piece', async () => {
  const models = await recorded(dispatcher(), { path: '/v1/models', method: 'GET' });
  expect(models.calls).toEqual(['start', 'response 200', 'data', 'end']);
  expect(JSON.parse(models.text)).toHaveProperty('data');
  const streamed = await recorded(dispatcher(), streaming);
  expect(streamed.calls.at(-1)).toBe('end');
  expect(streamed.calls.filter((call) => call === 'data').length).toBeGreaterThan(10);
  expect(streamed.text).toMatch(/data: \[DONE\]\n\n$/);
});

test('bodies may be text or bytes, and a query arrives', async () => {
  const json = '{"input":{"echo":"ü"}}';
  for (const body of [json, Buffer.from(json)]) {
    const { text } = await recorded(dispatcher(), { ...runsync, body });
    expect(JSON.parse(text)).toMatchObject({ output: 'ü' });
  }
  const listed = await recorded(dispatcher(), { path: '/api/v1/sl/inst-1/requests?limit=1', method: 'GET' });
  expect(JSON.parse(listed.text)).toMatchObject({ limit: 1 });
});

test('a handler that aborts gets its error once, gets nothing more, and leaves nothing behind', async () => {
  const models = { path: '/v1/models', method: 'GET' } as const;
  expect((await recorded(dispatcher(), models, 'start')).calls).toEqual(['start', 'error stop']);
  const one = harness({ limits: { 'inference.concurrency': 1 } });
  const through = new InProcessDispatcher(one.service);
  expect((await recorded(through, streaming, 'response 200')).calls).toEqual(['start', 'response 200', 'error stop']);
  await expect.poll(async () => (await one.request('/v1/models', { address: '127.0.0.1' })).status).toBe(200);
});

test('what cannot be sent is an error of the handler, not of the caller', async () => {
  const odd = { path: '/v1/models', method: 'POST', body: 7 } as unknown as Dispatcher.DispatchOptions;
  expect((await recorded(dispatcher(), odd)).calls.at(-1)).toMatch(/^error .*body/);
  const twoLines = { path: '/v1/models', method: 'GET', headers: { authorization: 'a\nb' } } as const;
  expect((await recorded(dispatcher(), twoLines)).calls.at(-1)).toMatch(/^error .*character/i);
});

test('closing it ends what is open', async () => {
  const through = dispatcher();
  const waiting = recorded(through, { ...runsync, body: '{"input":{"delay_ms":60000}}' });
  await through.close();
  expect((await waiting).calls.at(-1)).toMatch(/closed/);
});
