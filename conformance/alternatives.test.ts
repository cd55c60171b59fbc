/** No service that keeps what is documented is said to break it, whatever its conventions are where nothing is. */
import { expect, test } from 'vitest';
import { oneByOne } from '../test/setup/sweeps.ts';
import { allChecks } from './checks/index.ts';
import { runPlain } from './run/plain.ts';
import { openAltered } from './testing/altered.ts';
import { allAlternatives } from './testing/alternatives.ts';

/** A few jobs that wait for long may be the reason; more than that is a run that gets stuck. */
const LONG_MS = 2_500_000;

test.each(oneByOne(allAlternatives))('$name', { timeout: 60_000 }, async ({ alter, open }) => {
  const target = openAltered(alter);
  const began = target.clock.now();
  const facts = await runPlain(allChecks, { target, profile: 'gate', signal: new AbortController().signal });
  expect(facts.filter(({ outcome }) => outcome.kind === 'error')).toEqual([]);
  const documented = facts.filter(({ level }) => level === 'documented');
  const fails = documented.flatMap(({ id, outcome }) =>
    outcome.kind === 'ran' ? outcome.expectations.filter((one) => !one.holds).map((one) => ({ id, ...one })) : [],
  );
  expect(fails).toEqual([]);
  const undecided = documented.filter(({ outcome }) => outcome.kind === 'inconclusive');
  expect(
    undecided.length,
    undecided.map(({ id, outcome }) => `${id}: ${'reason' in outcome && outcome.reason}`).join('\n'),
  ).toBeLessThanOrEqual(open);
  expect(target.clock.now() - began).toBeLessThan(LONG_MS);
});
