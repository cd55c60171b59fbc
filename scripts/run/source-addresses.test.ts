import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import type { TargetConfig } from '../../schemas/target.ts';
import { sourceAddresses } from './prepare.ts';

const targetAt = (baseUrl: string): TargetConfig => ({
  kind: 'remote',
  baseUrl,
  jobBaseUrl: null,
  endpoints: [],
  model: null,
});

test.runIf(process.platform === 'linux')('runners reach a target on this machine from an address each', async () => {
  const seen = new Set<string | undefined>();
  const server = createServer((socket) => seen.add(socket.remoteAddress));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const all = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
    expect(await sourceAddresses(3, targetAt(`http://localhost:${port}`))).toEqual(all);
    await expect.poll(() => [...seen].sort()).toEqual(all);
    expect(await sourceAddresses(1, targetAt(`http://127.0.0.1:${port}`))).toEqual([]);
  } finally {
    server.close();
  }
});

test('none where the target is on another machine, or is not reached from there', async () => {
  expect(await sourceAddresses(3, targetAt('https://a.example'))).toEqual([]);
  expect(await sourceAddresses(3, targetAt('http://127.0.0.1:1'))).toEqual([]);
});
