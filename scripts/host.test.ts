import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { describeCrash, flush } from './host.ts';

const boom = new TypeError("Cannot read properties of undefined (reading 'x')\nand more");

test('a crash is one line and a hint, without a stack', () => {
  const text = describeCrash(boom, {});
  expect(text).toBe(
    "proofload: unexpected TypeError: Cannot read properties of undefined (reading 'x')\n" +
      'This is a fault of proofload; PROOFLOAD_DEBUG=1 shows where.\n',
  );
});

test('the stack is there with debug output', () => {
  expect(describeCrash(boom, { PROOFLOAD_DEBUG: '1' })).toContain('host.test.ts');
});

test('what is thrown need not be an error', () => {
  expect(describeCrash('odd', {})).toContain('unexpected odd');
});

test('flush waits for both streams', async () => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  stdout.write('out');
  stderr.write('err');
  const host = { stdout, stderr, env: {}, fatal: new Promise<never>(() => {}) };
  await flush(host as unknown as Parameters<typeof flush>[0]);
  expect([String(stdout.read()), String(stderr.read())]).toEqual(['out', 'err']);
});
