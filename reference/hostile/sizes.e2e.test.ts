/** Bodies beyond all sizes, against a process of its own: refused in time, and without the memory they would take. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationPath } from '../../schemas/operations.ts';
import { KEY, type Watched, watched } from './testing/process.ts';
import { lastBody, say } from './testing/raw.ts';

const MEGABYTE = 1_000_000;
const AT_ONCE = 4;
const PIECE = Buffer.alloc(MEGABYTE, 'x');
/** Over what the process takes by itself, megabytes: less than a third of what is sent. */
const MOST_MORE = 130;

let server: Watched;
beforeAll(async () => {
  server = await watched();
});
afterAll(() => server.stop());

const head = (path: string, framing: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n${framing}\r\n\r\n`;
const paths = [operationPath('run', { instId: 'inst-1' }), operationPath('chat')];
const refusal = /\r\n\r\n\{"error"[\s\S]*\}$/;

/** Several clients at once, each with its hundred pieces. */
async function refuseAll(framing: string, piece: readonly (string | Uint8Array)[]): Promise<void> {
  const before = server.megabytes();
  const pieces = Array.from({ length: 100 }, () => piece).flat();
  for (const path of paths) {
    const all = Array.from({ length: AT_ONCE }, () =>
      say(server.port, [head(path, framing), ...pieces], { until: refusal, idleMs: 30_000 }),
    );
    for (const heard of await Promise.all(all)) {
      expect(heard.statuses).toEqual([413]);
      expect(lastBody(heard)).toContain('bytes');
    }
  }
  expect(server.megabytes() - before).toBeLessThan(MOST_MORE);
  expect([server.alive(), server.complaints()]).toEqual([true, '']);
}

test('a hundred megabytes that are declared', async () => {
  await refuseAll(`Content-Length: ${100 * MEGABYTE}`, [PIECE]);
});

test('a hundred megabytes in chunks', async () => {
  await refuseAll('Transfer-Encoding: chunked', [`${MEGABYTE.toString(16)}\r\n`, PIECE, '\r\n']);
});

test('nothing is left of them: a good request is answered', async () => {
  const heard = await say(server.port, [head(paths[0] ?? '', 'Content-Length: 11'), '{"input":1}'], {
    until: /IN_QUEUE"\}$/,
  });
  expect(heard.statuses).toEqual([200]);
});

test('as many megabytes of brackets as runsync takes', async () => {
  const path = operationPath('runsync', { instId: 'inst-1' });
  const before = server.megabytes();
  const brackets = Buffer.alloc(20 * MEGABYTE, '[');
  brackets.fill(']', 10 * MEGABYTE);
  const heard = await say(server.port, [head(path, `Content-Length: ${brackets.length}`), brackets], {
    until: refusal,
    idleMs: 60_000,
  });
  expect(heard.statuses).toEqual([400]);
  expect(lastBody(heard)).toContain('deep');
  expect(server.megabytes() - before).toBeLessThan(MOST_MORE);
});
