/** Faults that only load shows: no contract check may notice any of them, or it would blame them on something else. */
import { expect, test } from 'vitest';
import { mutantThemes } from '../reference/mutants.ts';
import { noticed, seenOf, unseenGroups } from './fixtures/mutants.ts';

const PATIENCE_MS = 60_000;
const groups = unseenGroups().map((group) => ({ names: group.map((one) => one.name).join(', '), group }));

test.for(groups)('$names', { timeout: PATIENCE_MS }, async ({ group }) => {
  const found = await noticed((options) => group.reduce((changed, { apply }) => apply(changed), options));
  expect(found).toEqual({ fail: [], warn: [] });
});

test('every mutant is asked about, alone or in a group', () => {
  const themes = ['keys', 'models', 'errors', 'whole endpoint', 'chat requests', 'chat answers', 'chat streams'];
  const asked = seenOf(...themes, 'submissions', 'statuses', 'life of a job', 'job streams', 'under load');
  const all = Object.values(mutantThemes).flat();
  expect(new Set([...asked, ...unseenGroups().flat()])).toEqual(new Set(all));
});
