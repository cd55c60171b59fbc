/** The undici side: undici's own functions, its interceptors, and both generations of handlers. */
import { Readable, Writable } from 'node:stream';
import { type Dispatcher, fetch, interceptors, request, stream } from 'undici';
import { expect, test } from 'vitest';
import { InProcessDispatcher } from './dispatcher.ts';
import { field, harness, KEY } from './testing/harness.ts';

const BASE = 'http://reference.invalid';
const RUNSYNC = `${BASE}/api/v1/sl/inst-1/runsync`;
const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
const completion = JSON.stringify({ model: 'acme/base-70b', prompt: 'x', stream: true, max_tokens: 20 });

function dispatcher(overrides = {}): InProcessDispatcher {
  return new InProcessDispatcher(harness(overrides).service);
}

test('undici.request gets status, headers and body', async () => {
  const answer = await request(`${BASE}/v1/models`, { dispatcher: dispatcher(), headers });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json');
  expect(field(await answer.body.json(), 'object')).toBe('list');
});

test('bodies may be text, bytes or a stream', async () => {
  const json = '{"input":{"echo":"ü"}}';
  async function* pieces(): AsyncGenerator<Buffer> {
    yield Buffer.from(json.slice(0, 5));
    yield Buffer.from(json.slice(5));
  }
  for (const body of [json, Buffer.from(json), Readable.from(pieces())]) {
    const answer = await request(RUNSYNC, { dispatcher: dispatcher(), method: 'POST', headers, body });
    expect(field(await answer.body.json(), 'output')).toBe('ü');
  }
});

test('headers may be an object, a flat list or pairs', async () => {
  const flat = ['authorization', `Bearer ${KEY}`];
  for (const given of [headers, flat, new Map(Object.entries(headers))]) {
    const answer = await request(`${BASE}/v1/models`, { dispatcher: dispatcher(), headers: given });
    expect(answer.statusCode).toBe(200);
    await answer.body.dump();
  }
});

test('query parameters arrive, in the address and beside it', async () => {
  const one = harness();
  await one.submit({ echo: 1 });
  await one.submit({ echo: 2 });
  const url = `${BASE}/api/v1/sl/inst-1/requests`;
  const through = new InProcessDispatcher(one.service);
  const inPath = await request(`${url}?limit=1`, { dispatcher: through, headers });
  expect(field(await inPath.body.json(), 'limit')).toBe(1);
  const beside = await request(url, { dispatcher: through, headers, query: { limit: 1, offset: 1 } });
  expect(await beside.body.json()).toMatchObject({ limit: 1, offset: 1 });
});

test('fetch works through it', async () => {
  const through = dispatcher();
  const response = await fetch(RUNSYNC, { dispatcher: through, method: 'POST', headers, body: '{"input":{"echo":7}}' });
  expect(await response.json()).toMatchObject({ output: 7 });
  const failing = await fetch(`${BASE}/nothing`, { dispatcher: through, headers });
  expect(failing.status).toBe(404);
});

test('an event stream comes piece by piece', async () => {
  const answer = await request(`${BASE}/v1/completions`, {
    dispatcher: dispatcher(),
    method: 'POST',
    headers,
    body: completion,
  });
  const pieces: string[] = [];
  for await (const bytes of answer.body) pieces.push(String(bytes));
  expect(pieces.length).toBeGreaterThan(10);
  expect(pieces.join('')).toMatch(/data: \[DONE\]\n\n$/);
});

test('an abort before the answer, and one in the middle of it, reach both sides', async () => {
  const one = harness({ limits: { 'runsync.concurrency': 1, 'inference.concurrency': 1 } });
  const through = new InProcessDispatcher(one.service);
  const gone = new AbortController();
  const body = '{"input":{"delay_ms":60000}}';
  const waiting = request(RUNSYNC, { dispatcher: through, method: 'POST', headers, body, signal: gone.signal });
  gone.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  expect((await one.job('runsync', { body: { input: {} } })).status).toBe(200);

  const streaming = await request(`${BASE}/v1/completions`, {
    dispatcher: through,
    method: 'POST',
    headers,
    body: completion,
  });
  streaming.body.on('error', () => undefined);
  streaming.body.destroy(new Error('no more'));
  await expect.poll(async () => (await one.ask('/v1/models', { address: '127.0.0.1' })).status).toBe(200);
});

test('interceptors and undici.stream work', async () => {
  const composed = dispatcher().compose(interceptors.dump());
  expect((await request(`${BASE}/v1/models`, { dispatcher: composed, headers })).statusCode).toBe(200);
  const collected: Buffer[] = [];
  await stream(`${BASE}/v1/models`, { dispatcher: dispatcher(), method: 'GET', headers }, ({ statusCode }) => {
    expect(statusCode).toBe(200);
    return new Writable({
      write(chunk, _encoding, done) {
        collected.push(chunk);
        done();
      },
    });
  });
  expect(JSON.parse(Buffer.concat(collected).toString())).toHaveProperty('data');
});

/** Calls of a handler of the newer generation, in order. */
function recorded(options: Partial<Dispatcher.DispatchOptions>, abortAt?: string): Promise<string[]> {
  return new Promise((resolve) => {
    const calls: string[] = [];
    const note = (name: string, controller?: Dispatcher.DispatchController): void => {
      calls.push(name);
      if (name === abortAt) controller?.abort(new Error('stop'));
    };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (controller) => note('start', controller),
      onResponseStart: (controller, status) => note(`response ${status}`, controller),
      onResponseData(controller) {
        note('data', controller);
        if (abortAt) return;
        controller.pause();
        expect(controller.paused).toBe(true);
        setImmediate(() => controller.resume());
      },
      onResponseEnd() {
        note('end');
        resolve(calls);
      },
      onResponseError(controller, error) {
        expect(controller.aborted).toBe(abortAt !== undefined);
        note(`error ${error.message}`);
        resolve(calls);
      },
    };
    dispatcher().dispatch({ origin: BASE, path: '/v1/models', method: 'GET', headers, ...options }, handler);
  });
}

test('a handler of the newer generation is called in order and can hold data back', async () => {
  expect(await recorded({})).toEqual(['start', 'response 200', 'data', 'end']);
  const streamed = await recorded({ path: '/v1/completions', method: 'POST', body: completion });
  expect(streamed.at(-1)).toBe('end');
  expect(streamed.filter((call) => call === 'data').length).toBeGreaterThan(10);
});

test('a handler that aborts is told so once, and gets nothing more', async () => {
  expect(await recorded({}, 'start')).toEqual(['start', 'error stop']);
  const streaming = { path: '/v1/completions', method: 'POST', body: completion } as const;
  expect(await recorded(streaming, 'response 200')).toEqual(['start', 'response 200', 'error stop']);
});

test('what cannot be sent is an error of the handler, not of the caller', async () => {
  const calls = await new Promise<string>((resolve) => {
    const handler: Dispatcher.DispatchHandler = { onError: (error) => resolve(error.message) };
    const odd = { origin: BASE, path: '/v1/models', method: 'POST', body: 7 } as unknown as Dispatcher.DispatchOptions;
    dispatcher().dispatch(odd, handler);
  });
  expect(calls).toContain('body');
});

test('closing it ends what is open', async () => {
  const through = dispatcher();
  const body = '{"input":{"delay_ms":60000}}';
  const waiting = request(RUNSYNC, { dispatcher: through, method: 'POST', headers, body });
  const ended = expect(waiting).rejects.toThrow('closed');
  await through.close();
  await ended;
});
