/** No service that keeps what is documented is said to break it, whatever it does where nothing is documented. */
import { expect, test } from 'vitest';
import { defaultOptions } from '../reference/options.ts';
import { oneByOne } from '../test/setup/sweeps.ts';
import { allChecks } from './checks/index.ts';
import { runPlain } from './run/plain.ts';
import type { Target } from './target/target.ts';
import { openAltered } from './testing/altered.ts';
import { allAlternatives } from './testing/alternatives.ts';
import { allBehaviours } from './testing/behaviours.ts';
import { wireInference } from './wiring/inference.ts';
import { wireJobs } from './wiring/jobs.ts';

/** A few jobs that wait for long may be the reason; more than that is a run that gets stuck. */
const LONG_MS = 3_300_000;
const PATIENCE_MS = 60_000;

const { signal } = new AbortController();

async function expectSound(make: () => Target, open: number): Promise<void> {
  await wireJobs(make(), signal);
  await wireInference(make(), signal);
  const target = make();
  const began = target.clock.now();
  const facts = await runPlain(allChecks, { target, profile: 'gate', signal });
  expect(facts.filter(({ outcome }) => outcome.kind === 'error')).toEqual([]);
  const documented = facts.filter(({ level }) => level === 'documented');
  const fails = documented.flatMap(({ id, outcome }) =>
    outcome.kind === 'ran' ? outcome.expectations.filter((one) => !one.holds).map((one) => ({ id, ...one })) : [],
  );
  expect(fails).toEqual([]);
  const undecided = documented.filter(({ outcome }) => outcome.kind === 'inconclusive');
  const words = undecided.map(({ id, outcome }) => `${id}: ${'reason' in outcome && outcome.reason}`).join('\n');
  expect(undecided.length, words).toBeLessThanOrEqual(open);
  expect(target.clock.now() - began).toBeLessThan(LONG_MS);
}

test.each(oneByOne(allAlternatives))('$name', { timeout: PATIENCE_MS }, ({ alter, open }) =>
  expectSound(() => openAltered(alter), open),
);

test.each(oneByOne(allBehaviours))('$name', { timeout: PATIENCE_MS }, ({ plant, open }) =>
  expectSound(() => openAltered(({ reply }) => reply, {}, plant(defaultOptions({}))), open),
);
