/**
 * Any bytes on a socket, from many clients at once: the process stays up and silent, answers nothing of 500 or more,
 * takes no more memory than it may, and a good request in between and afterwards is answered well.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limitsOf } from '../../schemas/limits.ts';
import { operationPath } from '../../schemas/operations.ts';
import { budget, patienceMs, seed } from './testing/budget.ts';
import { body, target } from './testing/pieces.ts';
import { KEY, type Watched, watched } from './testing/process.ts';
import { say } from './testing/raw.ts';

/** Long enough for an answer, short enough for many requests; a late answer is only not looked at. */
const LISTENS_MS = 40;
const MOST_MEGABYTES = 600;

let server: Watched;
beforeAll(async () => {
  const rates = limitsOf('requests').map(({ id }) => `${id}=off`);
  const retention = limitsOf('retention').map(({ id }) => `${id}=1000`);
  server = await watched([...rates, ...retention].map((setting) => `limits.${setting}`));
});
afterAll(() => server.stop());

const framings = [
  (bytes: number) => `Content-Length: ${bytes}\r\n`,
  (bytes: number) => `Content-Length: ${bytes + 7}\r\n`,
  (bytes: number) => `content-length: ${Math.max(0, bytes - 3)}\r\n`,
  (bytes: number) => `Content-Length: ${bytes}\r\nTransfer-Encoding: chunked\r\n`,
  () => 'Transfer-Encoding: chunked\r\n',
  () => '',
];

const extra = fc.constantFrom(
  'Expect: 100-continue\r\n',
  'Expect: fun\r\n',
  'Upgrade: h2c\r\nConnection: Upgrade\r\n',
  'Connection: close\r\n',
  'Content-Encoding: gzip\r\n',
  'Host: again\r\n',
  'X-A: b\r\n folded\r\n',
  'X-A : b\r\n',
  `X-A: ${'x'.repeat(20_000)}\r\n`,
  'a:\r\n'.repeat(1500),
  '\0\r\n',
);

/** A request as it should be, but for what was chosen badly. */
const request: fc.Arbitrary<Uint8Array> = fc
  .record({
    target,
    body,
    framing: fc.oneof({ weight: 5, arbitrary: fc.constant(framings[0]) }, fc.constantFrom(...framings)),
    version: fc.oneof({ weight: 9, arbitrary: fc.constant('HTTP/1.1') }, fc.constantFrom('HTTP/1.0', 'HTTP/3.0', '')),
    extras: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(extra, { maxLength: 2 })),
  })
  .map(({ target: { method, path }, body: bytes, framing, version, extras }) => {
    const start = `${method} ${path} ${version}\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n`;
    const head = `${start}${extras.join('')}${framing?.(bytes.length) ?? ''}\r\n`;
    return new Uint8Array(Buffer.concat([Buffer.from(head, 'latin1'), bytes]));
  });

const truncated = fc.tuple(request, fc.nat()).map(([bytes, at]) => bytes.subarray(0, at % (bytes.length + 1)));

const mutated = fc
  .tuple(request, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }))
  .map(([bytes, changes]) => {
    const copy = bytes.slice();
    for (const [at, byte] of changes) copy[at % copy.length] = byte;
    return copy;
  });

/** What one client sends: requests in one piece or several, whole, broken off, changed, or no requests at all. */
const client = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: request },
    { weight: 2, arbitrary: mutated },
    { weight: 2, arbitrary: truncated },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 500 }) },
  ),
  { minLength: 1, maxLength: 3 },
);

async function expectWell(): Promise<void> {
  const echo = { still: ['here', 1] };
  const path = operationPath('runsync', { instId: 'inst-1' });
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const purge = operationPath('purge-queue', { instId: 'inst-1' });
  await (await fetch(server.url + purge, { method: 'POST', headers })).arrayBuffer();
  const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify({ input: { echo } }) });
  expect(await answer.json()).toMatchObject({ output: echo });
}

test(`any bytes from many clients (seed ${seed})`, { timeout: patienceMs }, async () => {
  const seen = new Map<number, number>();
  let clients = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(client, { minLength: 8, maxLength: 24 }), async (all) => {
      clients += all.length;
      const heard = await Promise.all(all.map((pieces) => say(server.port, pieces, { idleMs: LISTENS_MS })));
      expect(server.complaints()).toBe('');
      expect(server.alive()).toBe(true);
      for (const status of heard.flatMap(({ statuses }) => statuses)) {
        seen.set(status, (seen.get(status) ?? 0) + 1);
        expect(status).toBeLessThan(500);
      }
      await expectWell();
    }),
    { ...budget(60), endOnFailure: true },
  );
  expect(server.megabytes()).toBeLessThan(MOST_MEGABYTES);
  // A fuzz test whose requests all fail at the door would see nothing.
  for (const status of [200, 400, 404, 405, 431]) expect(seen.get(status) ?? 0).toBeGreaterThan(0);
  if (process.env.FUZZ_SECONDS) {
    const counts = Object.fromEntries([...seen].map(([status, count]) => [String(status), count]));
    console.log({ clients, megabytes: Math.round(server.megabytes()), ...counts });
  }
});
