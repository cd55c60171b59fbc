import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { errorCode } from './error-code.ts';

test('that of the system, and none where there is none', async () => {
  const missing = await readFile('/nowhere/at-all').catch((error: unknown) => error);
  expect(errorCode(missing)).toBe('ENOENT');
  expect(errorCode(new Error('broken'))).toBeUndefined();
  expect(errorCode(Object.assign(new Error('broken'), { code: 7 }))).toBeUndefined();
  expect(errorCode('ENOENT')).toBeUndefined();
});
