/** The options of `serve` arrive at the reference, and it listens and stops as promised. */
import { type EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { limits } from '../../schemas/limits.ts';
import { UsageError } from '../../schemas/target.ts';
import type { Host } from '../host.ts';
import { referenceOptions, serveUntilStopped } from './serve.ts';

test('without options it is the documented service', () => {
  const options = referenceOptions({}, {});
  expect(options.instances.map(({ instId, workersMax }) => [instId, workersMax])).toEqual([
    ['inst-1', 3],
    ['inst-queue', 1],
    ['inst-none', 0],
  ]);
  expect(options).toMatchObject({ limiter: 'sliding', limits: {}, latencyMs: 0, accessKeys: ['proofload-local'] });
});

test('each option changes its one thing', () => {
  expect(referenceOptions({ 'workers-max': 7 }, {}).instances[0]).toEqual({ instId: 'inst-1', workersMax: 7 });
  expect(referenceOptions({ limiter: 'token' }, {}).limiter).toBe('token');
  expect(referenceOptions({ latency: 25 }, {}).latencyMs).toBe(25);
  expect(referenceOptions({}, { PROOFLOAD_ACCESS_KEY: 'mine' }).accessKeys).toEqual(['mine']);
});

test('--no-limits lifts every limit but keeps the retention', () => {
  const lifted = referenceOptions({ limits: false }, {}).limits;
  const expected = limits.filter((limit) => limit.kind !== 'retention').map((limit) => limit.id);
  expect(Object.keys(lifted).sort()).toEqual(expected.sort());
  expect(new Set(Object.values(lifted))).toEqual(new Set(['off']));
});

test('mutants are planted by name, and a wrong name is corrected', () => {
  expect(referenceOptions({ mutant: ['run-rate-lowered'] }, {}).limits['run.rate']).toBe(900);
  expect(() => referenceOptions({ mutant: ['queue-of'] }, {})).toThrow(UsageError);
  expect(() => referenceOptions({ mutant: ['queue-of'] }, {})).toThrow("did you mean 'queue-or'?");
  expect(() => referenceOptions({ mutant: ['something-else-entirely'] }, {})).toThrow('there are: run-rate-lowered');
});

function testHost(): { host: Host; line: Promise<string> } {
  const stdout = new PassThrough();
  const line = once(stdout, 'data').then(([chunk]: unknown[]) => String(chunk));
  const fatal = new Promise<never>(() => {});
  const stream = stdout as unknown as NodeJS.WriteStream;
  return { host: { stdout: stream, stderr: stream, env: {}, fatal }, line };
}

test('says where it listens, answers there, and ends when its parent is gone', async () => {
  const { host, line } = testHost();
  const ended = serveUntilStopped({}, host);
  const url = /^listening (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(await line)?.[1];
  const answer = await fetch(`${url}/v1/models`, { headers: { authorization: 'Bearer proofload-local' } });
  expect(answer.status).toBe(200);
  await answer.arrayBuffer();
  (process as EventEmitter).emit('disconnect');
  expect(await ended).toBe(0);
});

test('a port in use is bad input, not a crash', async () => {
  const { host, line } = testHost();
  const ended = serveUntilStopped({}, host);
  const port = Number(/:(\d+)\n$/.exec(await line)?.[1]);
  await expect(serveUntilStopped({ port }, testHost().host)).rejects.toThrow(`--port ${port} is in use`);
  await expect(serveUntilStopped({ port: 70_000 }, testHost().host)).rejects.toThrow('up to 65535');
  (process as EventEmitter).emit('disconnect');
  await ended;
});
