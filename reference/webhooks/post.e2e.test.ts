/** Webhooks over real sockets: from a served reference to a listener. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { type Served, serve } from '../server.ts';

const KEY = 'hook-key';

interface Heard {
  readonly path: string;
  readonly method: string;
  readonly type: string;
  readonly body: string;
}

const open: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A listener that gives these statuses one after the other, a redirect to another path of its own. */
async function listener(statuses: readonly number[]): Promise<{ url: string; heard: Heard[]; all: Promise<void> }> {
  const heard: Heard[] = [];
  let done = (): void => undefined;
  const all = new Promise<void>((resolve) => {
    done = resolve;
  });
  const hear = async (request: IncomingMessage): Promise<void> => {
    const { url = '', method = '', headers } = request;
    heard.push({ path: url, method, type: headers['content-type'] ?? '', body: await text(request) });
  };
  const server: Server = createServer((request, response) => {
    void hear(request).then(() => {
      response.writeHead(statuses[heard.length - 1] ?? 410, { location: '/elsewhere' }).end('thanks');
      if (heard.length === statuses.length) response.once('close', done);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  open.push(
    () => server.closeAllConnections(),
    () => void server.close(),
  );
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/done`, heard, all };
}

async function served(): Promise<Served> {
  const one = await serve({ accessKeys: [KEY], webhooks: 'loopback', webhookTries: 3, webhookPauseMs: 20 });
  open.push(() => one.close());
  return one;
}

async function ask(to: Served, operation: string, body?: unknown): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${to.url}/api/v1/sl/inst-1/${operation}`, {
    headers: { authorization: KEY },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

test('the listener gets the very bytes that status answers with, again until it says 200', async () => {
  const { url, heard, all } = await listener([500, 200]);
  const to = await served();
  const submitted = await ask(to, 'run', { input: { echo: 'käse', delay_ms: 30 }, webhook: url });
  const { id }: { id: string } = JSON.parse(submitted.text);
  await all;
  const { text: body } = await ask(to, `status/${id}`);
  const expected = { path: '/done', method: 'POST', type: 'application/json', body };
  expect(heard).toEqual([expected, expected]);
});

test('a redirect is not followed, only tried again', async () => {
  const { url, heard, all } = await listener([302, 307, 301]);
  const to = await served();
  await ask(to, 'runsync', { input: 1, webhook: url });
  await all;
  expect(heard.map(({ path }) => path)).toEqual(['/done', '/done', '/done']);
});

test('a listener that is gone hurts nobody', async () => {
  const { url } = await listener([200]);
  for (const close of open.splice(0)) await close();
  const to = await served();
  expect((await ask(to, 'runsync', { input: 1, webhook: url })).status).toBe(200);
  expect((await ask(to, 'run', { input: 1, webhook: 'http://localhost.evil.com/' })).status).toBe(400);
  expect((await ask(to, 'health')).status).toBe(200);
});
