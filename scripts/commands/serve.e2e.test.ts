/** `serve` listens and stops as promised, and a setting that was given is in force. */
import { type EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { RawOptions } from '../cli/values.ts';
import type { Host } from '../host.ts';
import { serveUntilStopped } from './serve.ts';

const none: RawOptions = new Map();
const onPort = (port: number): RawOptions => new Map([['port', { raw: String(port), source: '--port' }]]);
const set = (...raw: string[]): RawOptions => new Map([['set', { raw, source: '--set' }]]);

function testHost(): { host: Host; line: Promise<string> } {
  const stdout = new PassThrough();
  const line = once(stdout, 'data').then(([chunk]: unknown[]) => String(chunk));
  const fatal = new Promise<never>(() => {});
  const stream = stdout as unknown as NodeJS.WriteStream;
  return { host: { stdout: stream, stderr: stream, env: {}, fatal, protect: () => {} }, line };
}

test('says where it listens, answers there, and ends when its parent is gone', async () => {
  const { host, line } = testHost();
  const ended = serveUntilStopped(none, host);
  const url = /^listening (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(await line)?.[1];
  const answer = await fetch(`${url}/v1/models`, { headers: { authorization: 'Bearer proofload-local' } });
  expect(answer.status).toBe(200);
  await answer.arrayBuffer();
  (process as EventEmitter).emit('disconnect');
  expect(await ended).toBe(0);
});

test('a port in use is bad input, not a crash', async () => {
  const { host, line } = testHost();
  const ended = serveUntilStopped(none, host);
  const port = Number(/:(\d+)\n$/.exec(await line)?.[1]);
  await expect(serveUntilStopped(onPort(port), testHost().host)).rejects.toThrow(`--port ${port} is in use`);
  await expect(serveUntilStopped(onPort(70_000), testHost().host)).rejects.toThrow('up to 65535');
  (process as EventEmitter).emit('disconnect');
  await ended;
});

test('a setting is in force on the socket', async () => {
  const { host, line } = testHost();
  const ended = serveUntilStopped(set('limits.run.payload=100', 'oversizeStatus=400', 'auth=none'), host);
  const url = (await line).replace('listening ', '').trim();
  const submit = (input: string) =>
    fetch(`${url}/api/v1/sl/inst-1/run`, { method: 'POST', body: JSON.stringify({ input }) });
  const statuses = [(await submit('short')).status, (await submit('long'.repeat(100))).status];
  (process as EventEmitter).emit('disconnect');
  expect([...statuses, await ended]).toEqual([200, 400, 0]);
});

test('--settings prints the table and listens nowhere', async () => {
  const { host, line } = testHost();
  expect(await serveUntilStopped(new Map([['settings', { raw: true, source: '--settings' }]]), host)).toBe(0);
  expect(await line).toContain('limits.run.rate = 1000');
});
