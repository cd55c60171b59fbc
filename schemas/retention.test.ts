/** When a job that is gone proves anything: checked against services that are made up, with restarts and lifetimes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentedTable, limitTable } from './limits.ts';
import { lossesOf, type RetentionJob, retentionOf, subjects } from './retention.ts';

test('the documented time is the one of the table', () => {
  for (const subject of subjects) {
    expect(retentionOf(documentedTable, subject)).toBe(documentedTable.find('retention', subject)?.value);
  }
  expect(retentionOf(limitTable([]), 'run')).toBe(0);
});

const look = (atMs: number, answer: 'there' | 'gone' | 'unknown') => ({ sentMs: atMs, endMs: atMs, answer });

function job(bornMs: number, ...observations: readonly ReturnType<typeof look>[]): RetentionJob {
  return { name: 'job', untouched: true, knownMs: bornMs, endedFromMs: bornMs, endedToMs: bornMs, observations };
}

test('a job that is there was not lost, and one without observations neither', () => {
  expect(lossesOf({ jobs: [job(0, look(10, 'there')), job(0, look(10, 'unknown'))] })).toEqual([]);
});

test('alone it may have been a restart', () => {
  expect(lossesOf({ jobs: [job(0, look(10, 'there'), look(20, 'gone'))] })).toMatchObject([
    { fromMs: 10, toMs: 20, ageMs: 20, proven: false },
  ]);
});

test.each([
  ['a witness that lived through it', [job(5, look(25, 'there'))], true],
  ['two that each lived through a part', [job(5, look(15, 'there')), job(12, look(25, 'there'))], true],
  ['two with a moment between them', [job(5, look(14, 'there')), job(15, look(25, 'there'))], false],
  ['one that came after it', [job(15, look(25, 'there'))], false],
  ['one that was not looked at afterwards', [job(5, look(19, 'there'))], false],
  ['one that was gone as well', [job(5, look(25, 'gone'))], false],
] as const)('%s', (_, others, proven) => {
  const lost = job(0, look(10, 'there'), look(20, 'gone'));
  expect(lossesOf({ jobs: [lost, ...others] })[0]?.proven).toBe(proven);
});

test('once it is known that jobs are forgotten, older ones need no witness', () => {
  const jobs = [job(0, look(10, 'there'), look(20, 'gone')), job(5, look(21, 'there')), job(100, look(200, 'gone'))];
  expect(lossesOf({ jobs }).map(({ proven }) => proven)).toEqual([true, true]);
});

test.each([109, 115])('one that was younger than those does: %i', (goneMs) => {
  const jobs = [job(0, look(10, 'there'), look(20, 'gone')), job(5, look(21, 'there')), job(100, look(goneMs, 'gone'))];
  expect(lossesOf({ jobs }).map(({ proven }) => proven)).toEqual([true, false]);
});

/** Jobs born at some moments and looked at at others, on a service with one lifetime and one restart, either without end. */
const scene = fc.record({
  births: fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 12 }),
  observations: fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 12 }),
});

function seen(
  { births, observations }: { births: number[]; observations: number[] },
  lifeMs: number,
  restartMs: number,
) {
  return births.map((bornMs) => {
    const own = [...observations].sort((a, b) => a - b).filter((atMs) => atMs > bornMs);
    const isGone = (atMs: number) => atMs - bornMs >= lifeMs || (bornMs < restartMs && atMs >= restartMs);
    return job(bornMs, ...own.map((atMs) => look(atMs, isGone(atMs) ? 'gone' : 'there')));
  });
}

test('a restart alone never proves a loss', () => {
  fc.assert(
    fc.property(scene, fc.integer({ min: 1, max: 1000 }), (given, restartMs) => {
      const losses = lossesOf({ jobs: seen(given, Number.POSITIVE_INFINITY, restartMs) });
      expect(losses.filter(({ proven }) => proven)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('where jobs have one lifetime, a proven loss is never younger than that, restart or not', () => {
  const [life, restart] = [fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: 1000 })];
  fc.assert(
    fc.property(scene, life, restart, (given, lifeMs, restartMs) => {
      const proven = lossesOf({ jobs: seen(given, lifeMs, restartMs) }).filter((loss) => loss.proven);
      for (const { ageMs } of proven) expect(ageMs).toBeGreaterThanOrEqual(lifeMs);
    }),
    { numRuns: 2000 },
  );
});

test('where jobs have one lifetime, each was lost at that age', () => {
  fc.assert(
    fc.property(scene, fc.integer({ min: 1, max: 600 }), (given, lifeMs) => {
      const losses = lossesOf({ jobs: seen(given, lifeMs, -1) });
      for (const { ageMs, fromMs, toMs, job: lost } of losses) {
        expect(ageMs).toBeGreaterThanOrEqual(lifeMs);
        expect(fromMs - lost.endedFromMs).toBeLessThan(lifeMs);
        expect(toMs - lost.endedFromMs).toBe(ageMs);
      }
    }),
    { numRuns: 300 },
  );
});
