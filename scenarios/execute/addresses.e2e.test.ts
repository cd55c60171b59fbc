/** Runners with addresses of their own, at servers that count by address and for all: what each gets, with real k6. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AddressesParameters } from '../probe.ts';
import { analyse } from '../run/analyse.ts';
import { type Bench, makeBench } from './testing/probe.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await makeBench();
});
afterAll(() => bench.close());

const LIMIT = 30;
const EXTRA = 3;
const ANSWER_MS = 2000;
const SOURCES = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
const parameters: AddressesParameters = {
  kind: 'addresses',
  limitId: 'inference.concurrency',
  instId: '',
  operations: ['chat'],
  limit: LIMIT,
  extra: EXTRA,
  runners: SOURCES.length,
};

/** @param clientOf what an address counts as */
async function got(clientOf: (address: string) => string) {
  const inFlight = new Map<string, number>();
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      const client = clientOf(request.socket.remoteAddress ?? '');
      const count = inFlight.get(client) ?? 0;
      if (count >= LIMIT) return response.writeHead(429).end();
      inFlight.set(client, count + 1);
      return setTimeout(() => {
        inFlight.set(client, (inFlight.get(client) ?? 1) - 1);
        response.writeHead(200).end();
      }, ANSWER_MS);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const ledger = await bench.send(parameters, { url, runners: SOURCES.length, sources: SOURCES });
    const probe = { id: 'p', title: '', checkIds: [], requests: 0, bytes: 0, floorMs: 0, exclusive: [], estimateMs: 1 };
    const facts = analyse({ ...probe, parameters }, ledger);
    if (facts.kind !== 'addresses') throw new Error('no facts of addresses');
    expect(facts.health).toMatchObject({
      sent: SOURCES.length * (LIMIT + EXTRA),
      complete: true,
      runners: { faults: [] },
    });
    return facts;
  } finally {
    server.close();
  }
}

test('counted apart, each runner gets the limit, all of it at the same time', async () => {
  const { parts, together } = await got((address) => address);
  const each = { admitted: LIMIT, refused: EXTRA, statuses: { 200: LIMIT, 429: EXTRA } };
  expect(parts).toEqual(SOURCES.map((_, index) => ({ runner: index + 1, ...each })));
  expect(together).toBe(SOURCES.length * LIMIT);
});

test('two that share an address get the limit together', async () => {
  const { parts, together } = await got((address) => (address === SOURCES[0] ? 'one' : 'other'));
  const admitted = parts.map((part) => part.admitted);
  expect(admitted[0]).toBe(LIMIT);
  expect((admitted[1] ?? 0) + (admitted[2] ?? 0)).toBe(LIMIT);
  expect(together).toBe(2 * LIMIT);
});
