/** The page of all checks is what the code declares: a check, or a file of checks, that is gone is seen to be gone. */
import { expect, test } from 'vitest';
import { loadChecks } from '../schemas/load-checks.ts';
import { allChecks } from './checks/index.ts';
import { checksTable } from './testing/check-table.ts';

test('docs/checks.md is what is declared', async () => {
  await expect(checksTable()).toMatchFileSnapshot('../docs/checks.md');
});

test('every check stands on the page once', () => {
  const named = [...checksTable().matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1]);
  expect([...named].sort()).toEqual([...allChecks, ...loadChecks].map((one) => one.id).sort());
});
