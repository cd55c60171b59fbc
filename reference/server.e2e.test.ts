/** The socket side: what clients see of answers, refusals and broken connections. */
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { limitFor, limitsOf } from '../schemas/limits.ts';
import { operationPath } from '../schemas/operations.ts';
import { type Served, type ServeOptions, serve } from './server.ts';

const KEY = 'proofload-local';
const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
const instId = 'inst-1';

let served: Served;
let more: Served[] = [];

async function start(options: ServeOptions = {}): Promise<Served> {
  const one = await serve({ accessKeys: [KEY], ...options });
  more.push(one);
  return one;
}

beforeEach(async () => {
  served = await start();
});
afterEach(async () => {
  await Promise.all(more.map((one) => one.close()));
  more = [];
});

const url = (path: string): string => served.url + path;
const post = (path: string, body: string | Buffer | ReadableStream): Promise<Response> =>
  fetch(url(path), { method: 'POST', headers, body, ...(body instanceof ReadableStream ? { duplex: 'half' } : {}) });

/** Everything that comes back on a raw connection until `until` was seen or it is closed. */
function raw(text: string, until: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(served.port, '127.0.0.1', () => socket.write(text));
    let seen = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      seen += chunk;
      if (until.test(seen)) socket.destroy();
    });
    socket.once('close', () => resolve(seen));
    socket.once('error', reject);
  });
}

test('it says where it listens, and answers there', async () => {
  expect(served.url).toBe(`http://127.0.0.1:${served.port}`);
  expect((await fetch(url('/v1/models'), { headers })).status).toBe(200);
});

test('a port that is taken is an error with its system name', async () => {
  await expect(serve({ port: served.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('two thousand requests at once take a moment of the processor', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  const path = operationPath('run', { instId });
  const one = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const outgoing = httpRequest(url(path), { method: 'POST', agent, headers }, (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
      });
      outgoing.once('error', reject);
      outgoing.end('{"input":{"echo":1}}');
    });
  const before = process.cpuUsage();
  const statuses = await Promise.all(Array.from({ length: 2000 }, one));
  const { user, system } = process.cpuUsage(before);
  agent.destroy();
  const limit = limitFor('requests', 'run')?.value ?? 0;
  expect(statuses.filter((status) => status === 200)).toHaveLength(limit);
  expect(statuses.filter((status) => status === 429)).toHaveLength(2000 - limit);
  // A generous bound: the client shares the process.
  expect((user + system) / 1000).toBeLessThan(5000);
});

test('connections are kept between requests', async () => {
  const path = operationPath('health', { instId });
  const one = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n\r\n`;
  const seen = await raw(one + one + one, /(HTTP\/1\.1 200 OK[\s\S]*){3}"unhealthy":0}}$/);
  expect(seen.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
});

test.for(limitsOf('content-bytes'))(
  '$id: a client that sends too much sees the refusal, not a reset',
  async (limit) => {
    const path = operationPath(limit.budget === 'run' ? 'run' : 'runsync', { instId });
    for (const bytes of [limit.upperReading + 1, 3 * limit.upperReading]) {
      const body = Buffer.alloc(bytes, 'x');
      for (const given of [body, new Blob([body]).stream()]) {
        const answer = await post(path, given);
        expect(answer.status).toBe(413);
        expect(await answer.json()).toEqual({ error: expect.stringContaining('max body size') });
      }
    }
    // The documented size still passes afterwards, and nothing refused left a job behind.
    const frame = '{"input":{"echo":1,"pad":""}}';
    const pad = 'x'.repeat(limit.value - frame.length);
    expect((await post(path, frame.replace('""', `"${pad}"`))).status).toBe(200);
    const health = await (await fetch(url(operationPath('health', { instId })), { headers })).json();
    expect(health).toMatchObject({ jobs: { completed: 1, inQueue: 0, inProgress: 0 } });
  },
);

test('the refusal of a body that is declared too large comes before the body', async () => {
  const head = `POST ${operationPath('run', { instId })} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n`;
  const seen = await raw(`${head}Content-Length: 999999999\r\n\r\n{`, /\}$/);
  expect(seen).toMatch(/^HTTP\/1\.1 413 /);
});

test('an unauthenticated request, and an unknown path, are refused before their body', async () => {
  for (const [path, key, status] of [
    [operationPath('run', { instId }), 'wrong', 401],
    ['/nothing', KEY, 404],
  ] as const) {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: 100\r\n\r\n`;
    expect(await raw(head, /\}$/)).toContain(`HTTP/1.1 ${status} `);
  }
});

test('a GET may have a body', async () => {
  const head = `GET ${operationPath('health', { instId })} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n`;
  expect(await raw(`${head}Content-Length: 5\r\n\r\nhello`, /\}$/)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await raw(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`, /\}$/)).toMatch(
    /^HTTP\/1\.1 200 /,
  );
});

test('an event stream arrives as it is made, and ends', async () => {
  const slow = await start({ firstTokenMs: 20, interTokenMs: 40 });
  const body = JSON.stringify({ model: 'acme/base-70b', prompt: 'x', stream: true, max_tokens: 8 });
  const response = await fetch(slow.url + operationPath('completions'), { method: 'POST', headers, body });
  const times: number[] = [];
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    times.push(performance.now());
    text += decoder.decode(bytes, { stream: true });
  }
  expect(text).toMatch(/data: \[DONE\]\n\n$/);
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(200);
});

test('a client that leaves in the middle of a stream gives its slot back', async () => {
  const one = await start({ limits: { 'inference.concurrency': 1 }, interTokenMs: 1000 });
  const body = JSON.stringify({ model: 'acme/base-70b', prompt: 'x', stream: true, max_tokens: 50 });
  for (let round = 0; round < 3; round += 1) {
    const gone = new AbortController();
    const request = { method: 'POST', headers, body, signal: gone.signal };
    const response = await fetch(one.url + operationPath('completions'), request);
    expect(response.status).toBe(200);
    expect((await fetch(one.url + operationPath('models'), { headers })).status).toBe(429);
    gone.abort();
    const models = async (): Promise<number> => (await fetch(one.url + operationPath('models'), { headers })).status;
    await expect.poll(models).toBe(200);
  }
});

test('close ends waiting requests and running jobs', async () => {
  const waiting = post(operationPath('runsync', { instId }), '{"input":{"delay_ms":600000}}');
  const outcome = waiting.then(
    (answer) => answer.status,
    () => 'reset',
  );
  await expect
    .poll(async () => (await fetch(url(operationPath('health', { instId })), { headers })).json())
    .toMatchObject({ workers: { running: 1 } });
  await served.close();
  expect([200, 'reset']).toContain(await outcome);
});

test('what is no HTTP is refused without harm', async () => {
  expect(await raw('hello\r\n\r\n', /400/)).toContain('HTTP/1.1 400');
  expect((await fetch(url('/v1/models'), { headers })).status).toBe(200);
});
