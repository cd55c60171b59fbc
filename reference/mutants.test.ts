/** The table of mutants as data: names, clauses and checks exist. */
import { expect, test } from 'vitest';
import { clauseById } from '../schemas/clauses/index.ts';
import { limits } from '../schemas/limits.ts';
import { loadChecks } from '../schemas/load-checks.ts';
import { applyMutants, mutantNamed, mutants, mutantThemes } from './mutants.ts';
import { harness } from './testing/harness.ts';

const FEWEST = 200;
/** What no check can tell is a gap of the suite; it may not become a habit. */
const MOST_SURVIVORS = 8;

test('names are unique, and each says what it does and which checks notice it', () => {
  expect(new Set(mutants.map((one) => one.name)).size).toBe(mutants.length);
  expect(mutants.length).toBeGreaterThanOrEqual(FEWEST);
  for (const one of mutants) {
    expect(one.name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(one.does, one.name).toMatch(/^[a-z].{10,118}[^.]$/);
    expect(one.clauses.length, one.name).toBeGreaterThan(0);
    if (!one.survives) expect([...one.killedBy, ...(one.warns ?? [])].length, one.name).toBeGreaterThan(0);
  }
});

test('a check is named once, and either as red or as a warning', () => {
  for (const { name, killedBy, mayBeKilledBy = [], warns = [] } of mutants) {
    const ids = [...killedBy, ...mayBeKilledBy, ...warns];
    expect(new Set(ids).size, name).toBe(ids.length);
  }
});

test('mutants that no check notices are few, and have a reason', () => {
  const survivors = mutants.filter((one) => one.survives !== undefined);
  expect(survivors.length).toBeLessThanOrEqual(MOST_SURVIVORS);
  for (const one of survivors) expect(one.survives).toMatch(/^[a-z].{20,120}[^.]$/);
});

test('where a check of a limit is named, it exists', () => {
  const known = new Set(loadChecks.map((check) => check.id));
  const limitIds = new Set(limits.map((limit) => limit.id));
  for (const id of mutants.flatMap((one) => [...one.killedBy, ...(one.mayBeKilledBy ?? []), ...(one.warns ?? [])])) {
    const isLoad = limitIds.has(id.split('.').slice(0, 2).join('.')) && !id.includes('.retention.');
    if (isLoad) expect(known).toContain(id);
  }
});

test('every clause a mutant breaks is one of the catalogue that is judged', () => {
  for (const { name, clauses: broken } of mutants) {
    for (const id of broken) {
      expect(clauseById(id)?.id, name).toBe(id);
      expect(clauseById(id)?.level, name).not.toBe('observed');
    }
  }
});

test('every theme has mutants, and no file of them is lost', () => {
  for (const [theme, own] of Object.entries(mutantThemes)) expect(own.length, theme).toBeGreaterThan(3);
});

test('an unknown name is an error that lists the known ones', () => {
  expect(mutantNamed('nothing')).toBeUndefined();
  expect(() => applyMutants(harness().options, ['nothing'])).toThrow(/no mutant 'nothing'; there are: .*queue-or/);
});

test('mutants can be planted together', async () => {
  const faults = ['run-rate-lowered', 'payload-8mb', 'unknown-job-200', 'cancel-twice-500'];
  const options = applyMutants(harness().options, faults);
  expect(options.limits).toEqual({ 'run.rate': 900, 'run.payload': 7_999_999 });
  const one = harness(options);
  expect((await one.job('status', { jobId: 'unknown-job' })).status).toBe(200);
  const jobId = await one.submit({ delay_ms: 3_600_000 });
  await one.job('cancel', { jobId });
  expect((await one.job('cancel', { jobId })).status).toBe(500);
});

test('what a mutant remembers is forgotten with its service', async () => {
  const once = async (): Promise<number> => {
    const one = harness(applyMutants(harness().options, ['cancel-twice-500']));
    const jobId = await one.submit({ delay_ms: 3_600_000 });
    await one.job('cancel', { jobId });
    return (await one.job('cancel', { jobId })).status;
  };
  expect([await once(), await once()]).toEqual([500, 500]);
});
