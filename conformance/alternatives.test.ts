/** No service that keeps what is documented is said to break it, whatever it does where nothing is documented. */
import { expect, test } from 'vitest';
import { all, type Plant } from '../reference/mutants/mutant.ts';
import { defaultOptions } from '../reference/options.ts';
import type { TargetConfig } from '../schemas/target.ts';
import type { Level } from '../schemas/verdicts.ts';
import { oneByOne } from '../test/setup/sweeps.ts';
import { allChecks } from './checks/index.ts';
import { runPlain } from './run/plain.ts';
import type { Target } from './target/target.ts';
import { openAltered } from './testing/altered.ts';
import { allAlternatives } from './testing/alternatives.ts';
import { allBehaviours } from './testing/behaviours.ts';
import { allHandlers, laterHandlers } from './testing/handlers.ts';
import { wireInference } from './wiring/inference.ts';
import { wireJobs } from './wiring/jobs.ts';

/** A few jobs that wait for long may be the reason; more than that is a run that gets stuck. */
const LONG_MS = 3_300_000;
/** Where each job takes a minute, and many checks need one of their own. */
const LONGER_MS = 2 * LONG_MS;
const PATIENCE_MS = 60_000;

const { signal } = new AbortController();

async function expectSound(
  make: (more: Partial<TargetConfig>) => Target,
  open: number | null,
  levels: readonly Level[] = ['documented'],
  longMs = LONG_MS,
): Promise<void> {
  await wireJobs(make({}), signal);
  const { takesMaxTokens } = await wireInference(make({}), signal);
  const target = make({ takesMaxTokens });
  const began = target.clock.now();
  const facts = await runPlain(allChecks, { target, profile: 'gate', signal });
  expect(facts.filter(({ outcome }) => outcome.kind === 'error')).toEqual([]);
  const fails = facts
    .filter(({ level }) => levels.includes(level))
    .flatMap(({ id, outcome }) =>
      outcome.kind === 'ran' ? outcome.expectations.filter((one) => !one.holds).map((one) => ({ id, ...one })) : [],
    );
  expect(fails).toEqual([]);
  const undecided = facts.filter(({ level, outcome }) => level === 'documented' && outcome.kind === 'inconclusive');
  const words = undecided.map(({ id, outcome }) => `${id}: ${'reason' in outcome && outcome.reason}`).join('\n');
  if (open !== null) expect(undecided.length, words).toBe(open);
  expect(target.clock.now() - began).toBeLessThan(longMs);
}

test.each(oneByOne(allAlternatives))('$name', { timeout: PATIENCE_MS }, ({ alter, open }) =>
  expectSound((more) => openAltered(alter, more), open),
);

test.each(oneByOne(allBehaviours))('$name', { timeout: PATIENCE_MS }, ({ plant, open }) =>
  expectSound((more) => openAltered(({ reply }) => reply, more, plant(defaultOptions({}))), open),
);

// Services differ in more than one thing: each form meets a behaviour, and with that step not its neighbour's.
const pairs = allAlternatives.flatMap(({ name, alter }, index) => {
  const other = allBehaviours[(index * 7) % allBehaviours.length];
  return other ? [{ name: `${name}, and ${other.name}`, alter, plant: other.plant }] : [];
});

test.each(oneByOne(pairs))('$name', { timeout: PATIENCE_MS }, ({ alter, plant }) =>
  expectSound((more) => openAltered(alter, more, plant(defaultOptions({}))), null),
);

const deploying = (plant: Plant, open: number | null, levels?: readonly Level[]): Promise<void> => {
  const make = (more: Partial<TargetConfig>): Target =>
    openAltered(({ reply }) => reply, more, plant(defaultOptions({})));
  return expectSound(make, open, levels, LONGER_MS);
};

// What is deployed is no convention of the service: it breaks none of them either.
test.each(oneByOne([...allHandlers, ...laterHandlers]))(
  'a handler that $name',
  { timeout: PATIENCE_MS },
  ({ plant, open }) => deploying(plant, open, ['documented', 'convention']),
);

const deployed = laterHandlers.flatMap(({ name, plant }, index) => {
  const other = allBehaviours[(index * 7) % allBehaviours.length];
  return other ? [{ name: `${name}, and ${other.name}`, plant: all(other.plant, plant) }] : [];
});

test.each(oneByOne(deployed))('a handler that $name', { timeout: PATIENCE_MS }, ({ plant }) => deploying(plant, null));
