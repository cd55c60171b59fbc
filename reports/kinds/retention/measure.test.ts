/** Looks at aging jobs -> how long they are kept, and the row that says so. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentedTable } from '../../../schemas/limits.ts';
import type { RetentionFacts, RetentionJob } from '../../../schemas/retention.ts';
import { describeRetention, measureRetention } from './index.ts';

const there = (atMs: number) => ({ sentMs: atMs, endMs: atMs + 2, answer: 'there' as const });
const gone = (atMs: number) => ({ sentMs: atMs, endMs: atMs + 2, answer: 'gone' as const });

function job(observations: RetentionJob['observations'], changes: Partial<RetentionJob> = {}): RetentionJob {
  return { name: 'job', untouched: true, knownMs: 0, endedFromMs: 10, endedToMs: 20, observations, ...changes };
}

function facts(...jobs: readonly RetentionJob[]): RetentionFacts {
  return { limitId: 'run.retention', instId: 'inst-1', documentedMs: 1000, jobs };
}

const witness = job([there(5000)], { untouched: false });

test('the bounds are counted from the late and from the early end of the interval in which a job ended', () => {
  expect(measureRetention(facts(job([there(900)]), job([gone(1100)]), witness))).toEqual({ lower: 880, upper: 1092 });
});

test('what never went has no upper bound, and what was never seen none at all', () => {
  expect(measureRetention(facts(job([there(900)]), job([there(4000)])))).toEqual({ lower: 3980, upper: null });
  expect(measureRetention(facts(job([gone(100)]), witness))).toBeNull();
  expect(measureRetention(facts())).toBeNull();
});

test('jobs that were polled in between, or that may have been lost by a restart, are left out', () => {
  const read = job([there(50), there(3000)], { untouched: false });
  expect(measureRetention(facts(job([there(900)]), read))).toEqual({ lower: 880, upper: null });
  expect(measureRetention(facts(job([there(900)]), job([gone(950)])))).toEqual({ lower: 880, upper: null });
});

test('one whose end was not seen may be younger than it seems', () => {
  const left = job([there(990)], { endedToMs: null });
  expect(measureRetention(facts(left, job([there(500)])))).toEqual({ lower: 480, upper: null });
});

test('where some are kept for longer than others, both lie within', () => {
  expect(measureRetention(facts(job([there(900)]), job([gone(700)]), witness))).toEqual({ lower: 692, upper: 880 });
});

test('a service with one lifetime has it between the bounds, with any polls', () => {
  const ages = fc.array(fc.integer({ min: 30, max: 4000 }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(
      ages,
      fc.integer({ min: 40, max: 3000 }),
      fc.integer({ min: 10, max: 20 }),
      (looks, lifeMs, endedMs) => {
        const jobs = looks.map((atMs) => job([atMs + 2 < endedMs + lifeMs ? there(atMs) : gone(atMs)]));
        const sure = looks.every((atMs) => atMs + 2 < endedMs + lifeMs || atMs >= endedMs + lifeMs);
        const measured = measureRetention(facts(...jobs, witness));
        if (!sure || measured === null) return;
        expect(measured.lower).toBeLessThanOrEqual(lifeMs);
        if (measured.upper !== null) expect(measured.upper).toBeGreaterThanOrEqual(lifeMs);
      },
    ),
  );
});

test('a row has a picture of its polls, by their age', () => {
  const limit = documentedTable.find('retention', 'run');
  if (!limit) throw new Error('no such row');
  expect(describeRetention(limit, [])).toEqual({ documented: { value: limit.value }, measured: null });
  const row = describeRetention(limit, [facts(job([there(900)]), job([gone(1100)]), witness)]);
  expect(row.measured).toEqual({ lower: 880, upper: 1092 });
  expect(row.pictures).toEqual([
    {
      kind: 'retention',
      documentedMs: limit.value,
      looks: [
        { ageMs: 880, gone: false },
        { ageMs: 1092, gone: true },
      ],
    },
  ]);
});
