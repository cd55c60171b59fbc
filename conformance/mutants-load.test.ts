/** Faults that only load shows: no contract check may notice any of them, or it would blame them on something else. */
import { expect, test } from 'vitest';
import { mutants } from '../reference/mutants.ts';
import { noticed, SHARES, seenShare, unnoticedGroups } from './testing/mutants.ts';

const PATIENCE_MS = 60_000;
const groups = unnoticedGroups().map((group) => ({ names: group.map((one) => one.name).join(', '), group }));

test.for(groups)('$names', { timeout: PATIENCE_MS }, async ({ group }) => {
  const found = await noticed((options) => group.reduce((changed, { apply }) => apply(changed), options));
  // A limit that is lower than documented refuses requests of the contract checks as well.
  const warn = found.warn.filter((id) => !id.endsWith('.answers.served'));
  expect({ ...found, warn }).toEqual({ fail: [], warn: [] });
});

test('every mutant runs once, alone or in a group', () => {
  const shares = Array.from({ length: SHARES }, (_, index) => seenShare(index + 1)).flat();
  const requested = [...shares, ...unnoticedGroups().flat()].map((one) => one.name);
  expect([...requested].sort()).toEqual(mutants.map((one) => one.name).sort());
});
