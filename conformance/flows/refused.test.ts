/** Whether a job came of a refusal is said only where the counts of the endpoint can show it. */
import { expect, test } from 'vitest';
import { CheckContext } from '../context.ts';
import { Inconclusive } from '../target/signals.ts';
import { type Fake, json, openFake } from '../testing/fake-dispatcher.ts';
import { expectNoJob } from './refused.ts';

interface Doings {
  /** Whether a refused submission leaves a job. */
  readonly leaves?: boolean;
  /** What health adds to the jobs there are, by how often it was asked. */
  readonly extra?: (asked: number) => number;
  /** Whether a good submission shows in health. */
  readonly shows?: boolean;
  readonly refusal?: number;
}

/** A service that keeps nothing but a number of jobs. */
function counting({ leaves = false, extra = () => 0, shows = true, refusal = 400 }: Doings): Fake {
  let jobs = 7;
  let asked = 0;
  return ({ path, text, headers }) => {
    if (path.endsWith('/health')) {
      asked += 1;
      const inQueue = jobs + extra(asked);
      return json(200, { jobs: { inQueue, inProgress: 0, completed: 0, failed: 0, retried: 3 }, workers: {} });
    }
    const good = headers.get('authorization') !== null && /^\{"input":.*\}$/.test(text);
    if (good ? shows : leaves) jobs += 1;
    return good ? json(200, { id: `job-${jobs}`, status: 'IN_QUEUE' }) : json(refusal, { error: 'no' });
  };
}

async function look(doings: Doings): Promise<readonly boolean[]> {
  const t = new CheckContext(openFake(counting(doings)), new AbortController().signal);
  await expectNoJob(t, 'run-bad', 'run-no-input', 'run-no-key');
  return t.expectations.map((one) => one.holds);
}

test('a refusal that leaves nothing is fine', async () => {
  expect(await look({})).toEqual([true, true, true]);
});

test('a refusal that leaves a job is found, each on its own', async () => {
  expect(await look({ leaves: true })).toEqual([false, false, false]);
});

test('a job that counts twice for a moment is no second job', async () => {
  expect(await look({ extra: (asked) => (asked % 5 === 2 ? 1 : 0) })).toEqual([true, true, true]);
});

test.each([
  ['a good submission does not show', { shows: false }],
  ['others submit meanwhile', { extra: (asked: number) => asked }],
  ['nothing is refused', { refusal: 200 }],
])('where %s, nothing is said', async (_what, doings) => {
  await expect(look(doings)).rejects.toBeInstanceOf(Inconclusive);
});

test('without the counts in the usual words nothing is said', async () => {
  const t = new CheckContext(
    openFake(() => json(200, { jobs: { inQueue: 1 } })),
    new AbortController().signal,
  );
  await expect(expectNoJob(t, 'run-bad')).rejects.toThrow('does not count the jobs');
  expect(t.expectations).toEqual([]);
});
