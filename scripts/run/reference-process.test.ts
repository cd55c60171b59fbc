import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { planLoad } from '../../scenarios/index.ts';
import { referenceTarget, secondAddress } from './reference-process.ts';

test('a second address is offered where something can be sent from it, and nothing else is', async () => {
  const { otherAddress } = await secondAddress();
  if (otherAddress === undefined) return;
  const server = createServer().listen(0, otherAddress);
  await once(server, 'listening');
  server.close();
  expect(otherAddress).not.toBe('127.0.0.1');
});

test('with it the reference tests whether addresses are counted apart, without it the flag is named', async () => {
  const target = referenceTarget('http://127.0.0.1');
  const plan = (more: { otherAddress?: string }) =>
    planLoad({ target: { ...target, ...more }, profile: 'gate', only: ['*.per-address'], calibration: null });
  expect(plan({ otherAddress: '127.0.0.2' }).unobservable).toEqual([]);
  expect(JSON.stringify(plan({}).unobservable)).toContain('--other-address');
  expect(plan({}).probes).toEqual([]);
});
