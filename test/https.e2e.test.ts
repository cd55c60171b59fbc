/** A target over HTTPS whose certificate is signed by an authority of its own: all senders trust what they are told to. */
import { writeFileSync } from 'node:fs';
import * as net from 'node:net';
import { join } from 'node:path';
import * as tls from 'node:tls';
import { expect, test } from 'vitest';
import { cert, key } from './support/certificate.ts';
import { cli, serveReference, temporaryDirectory } from './support/cli.ts';
import { readReport } from './support/report.ts';

/** Ends TLS before the service, as a load balancer does. */
async function behindTls(url: string): Promise<{ readonly url: string; close(): void }> {
  const all = new Set<net.Socket>();
  const server = tls.createServer({ key, cert }, (client) => {
    const upstream = net.connect(Number(new URL(url).port), '127.0.0.1');
    for (const socket of [client, upstream]) {
      all.add(socket);
      socket.on('error', () => socket.destroy());
    }
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const close = () => {
    for (const socket of all) socket.destroy();
    server.close();
  };
  return { url: `https://127.0.0.1:${address.port}`, close };
}

test('held requests, long-polls of k6 and all other requests', async () => {
  const cwd = temporaryDirectory();
  const served = await serveReference();
  const front = await behindTls(served.url);
  writeFileSync(join(cwd, 'proofload.yaml'), served.config.replaceAll(served.url, front.url));
  writeFileSync(join(cwd, 'authority.pem'), cert);
  const only = 'cancel.concurrency.*,requests.concurrency.*,runsync.concurrency.*';
  const env = { ...served.env, NODE_EXTRA_CA_CERTS: join(cwd, 'authority.pem') };
  try {
    const run = await cli(['load', '--config', 'proofload.yaml', '--out', 'out', '--only', only], { cwd, env });
    const { checks, limits } = await readReport(join(cwd, 'out'));
    const reported = checks.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed');
    expect(reported.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
    expect(run.code).toBe(0);
    for (const { measured, documented } of limits) {
      expect(measured).toEqual({ lower: documented.value, upper: documented.value });
    }
  } finally {
    front.close();
    await served.stop();
  }
});

test('without that authority nothing is judged, and the reason is reported', async () => {
  const cwd = temporaryDirectory();
  const served = await serveReference();
  const front = await behindTls(served.url);
  writeFileSync(join(cwd, 'proofload.yaml'), served.config.replaceAll(served.url, front.url));
  try {
    const run = await cli(['load', '--config', 'proofload.yaml', '--out', 'out'], { cwd, env: served.env });
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(/certificate/i);
  } finally {
    front.close();
    await served.stop();
  }
});
