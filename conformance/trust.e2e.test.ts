/** The same over sockets, on the machine's own clock: checks side by side, real waits, real limits. */
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { defaultOptions } from '../reference/options.ts';
import { withServed } from './testing/served.ts';
import { doubts, rounds } from './testing/trust.ts';

const FEW = 1;

test.for(rounds(FEW))('round %i', { timeout: 120_000 }, async (seed) => {
  expect(await withServed(`trust-${seed}`, (target) => doubts(target, seed))).toEqual([]);
});

/** Closes each tenth connection a moment after a response, and says nothing of it beforehand, as HTTP lets it. */
async function closing(url: string): Promise<string> {
  const agent = new Agent({ keepAlive: false });
  let responses = 0;
  const latest = new Map<unknown, unknown>();
  const front = createServer((incoming, outgoing) => {
    const { method, headers, socket } = incoming;
    latest.set(socket, incoming);
    const passed = request(`${url}${incoming.url}`, { method, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => socket.destroy());
    outgoing.on('close', () => passed.destroy());
    outgoing.on('finish', () => {
      responses += 1;
      if (responses % 10 !== 0) return;
      setTimeout(() => {
        // Not where another request has come meanwhile.
        if (latest.get(socket) === incoming) socket.destroy();
      }, 1);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    front.closeAllConnections();
    await new Promise((resolve) => front.close(resolve));
  });
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
}

test('a server that closes connections which it has kept does nothing wrong', { timeout: 120_000 }, async () => {
  // While connections are opened again, so many jobs of other checks come that a usual page has none of those that ended.
  const options = { ...defaultOptions({}), requestsPage: { default: 1000, max: 1000 } };
  expect(await withServed('trust-closing', (target) => doubts(target, 1), options, closing)).toEqual([]);
});
