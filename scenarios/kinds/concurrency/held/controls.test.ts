/** Control requests against a server of a few lines: how many, on which connections, and when they are given up. */
import * as http from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OperationId } from '../../../../schemas/operations.ts';
import { stopwatch } from '../../../execute/stopwatch.ts';
import type { ConcurrencyParameters } from '../../../probe.ts';
import { sendControls } from './index.ts';

let server: http.Server;
let connections: number;
let paths: (string | undefined)[];
let answer: (response: http.ServerResponse) => void;

beforeEach(async () => {
  [connections, paths] = [0, []];
  server = http.createServer((request, response) => {
    paths.push(request.url);
    answer(response);
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

function controls(operations: OperationId[]) {
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const addresses = { baseUrl: url, jobBaseUrl: url, model: null, instId: 'inst-1', runId: 'run-1' };
  const parameters: ConcurrencyParameters = {
    kind: 'concurrency',
    limitId: 'x.concurrency',
    instId: 'inst-1',
    operations,
    technique: 'held-body',
    limit: 1,
    extra: 1,
    holdMs: 1,
  };
  const signal = new AbortController().signal;
  return sendControls(parameters, { addresses, workersMax: 1, key: 'k' }, stopwatch(), signal);
}

test('three, one after the other, each on a connection of its own; a refusal is an answer too', async () => {
  answer = (response) => response.writeHead(429).end('{}');
  const entries = await controls(['chat']);
  expect(entries.map(({ phase, operation, status }) => `${phase} ${operation} ${status}`)).toEqual(
    Array(3).fill('control models 429'),
  );
  expect(connections).toBe(3);
  expect(paths).toEqual(['/v1/models', '/v1/models', '/v1/models']);
  for (const [index, entry] of entries.entries())
    expect(entry.sentMs).toBeGreaterThanOrEqual(entries[index - 1]?.endMs ?? 0);
});

test('one without an answer is the last', async () => {
  answer = (response) => response.destroy();
  expect(await controls(['run'])).toMatchObject([{ operation: 'health', status: 0 }]);
  expect(paths).toHaveLength(1);
});
