/** The suite on the sound reference in-process, again and again, in random order and with random seeds: no doubt, ever. */
import { expect, test } from 'vitest';
import { allChecks } from './checks/index.ts';
import { openReference } from './target/in-process.ts';
import { doubts, rounds, shuffled } from './testing/trust.ts';

const FEW = 2;

test.for(rounds(FEW))('round %i', { timeout: 60_000 }, async (seed) => {
  const target = openReference({ seed });
  expect(await doubts(target, seed)).toEqual([]);
  await target.close();
});

test('another seed is another order of the same checks', () => {
  const [one, two, again] = [1, 2, 1].map((seed) => shuffled(allChecks, seed).map((check) => check.id));
  expect(one).toEqual(again);
  expect(one).not.toEqual(two);
  expect([...(one ?? [])].sort()).toEqual([...(two ?? [])].sort());
});
