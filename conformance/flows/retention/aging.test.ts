/** One job while it ages: what an answer says about it, and that a look always leaves something. */
import { expect, test } from 'vitest';
import { machineClock } from '../../target/clock.ts';
import { JobsClient } from '../../target/jobs.ts';
import type { Reply } from '../../target/reply.ts';
import { Inconclusive, TargetFailure } from '../../target/signals.ts';
import { Aging, answerAbout } from './aging.ts';

function reply(status: number, json: unknown = undefined, sentMs = 100): Reply {
  const text = json === undefined ? '' : JSON.stringify(json);
  const times = { sentMs, headersMs: sentMs, endMs: sentMs + 5 };
  return { request: 'GET /status', status, headers: {}, text, json, pieces: [], ...times };
}

test.each([
  [200, { status: 'COMPLETED' }, 'there'],
  [200, { id: 'job-1' }, 'there'],
  [200, { output: 'x' }, 'there'],
  [200, { id: 'another' }, 'gone'],
  [200, {}, 'gone'],
  [200, { error: 'job not found' }, 'gone'],
  [404, {}, 'gone'],
  [410, {}, 'gone'],
  [400, {}, 'gone'],
  [401, {}, 'unclear'],
  [403, {}, 'unclear'],
  [408, {}, 'unclear'],
  [429, {}, 'unclear'],
  [500, {}, 'unclear'],
  [503, undefined, 'unclear'],
  [302, undefined, 'unclear'],
] as const)('%i %o is %s', (status, json, answer) => {
  expect(answerAbout('job-1', reply(status, json))).toBe(answer);
});

function aging(answer: () => Promise<Reply>, latestMs: number | null = 60): Aging {
  const jobs = new JobsClient(answer, 'inst-1');
  const known = { id: 'job-1', reply: reply(200, { id: 'job-1' }, 40), jobs, earliestMs: 50, latestMs };
  return new Aging('kept', known, machineClock);
}

test('every look is kept, with times since one moment', async () => {
  const one = aging(async () => reply(200, { status: 'COMPLETED' }, 1000));
  await one.look();
  one.saw(reply(404, {}, 2000));
  expect(one.record(40)).toEqual({
    name: 'kept',
    untouched: true,
    knownMs: 5,
    endedFromMs: 10,
    endedToMs: 20,
    looks: [
      { sentMs: 960, endMs: 965, answer: 'there' },
      { sentMs: 1960, endMs: 1965, answer: 'gone' },
    ],
  });
});

test.each([
  ['no answer', new TargetFailure({ what: 'w', expected: 'e', observed: 'reset' }), 'reset'],
  ['a refusal by a limit', new Inconclusive('refused', 'later'), 'refused'],
])('%s is a look that saw nothing', async (_, error, words) => {
  const one = aging(() => Promise.reject(error));
  const seen = await one.look();
  expect(seen).toMatchObject({ answer: 'unclear', reply: null });
  expect(seen.words).toContain(words);
  expect(one.record(0).looks).toHaveLength(1);
});

test('an interrupt is no look', async () => {
  await expect(aging(() => Promise.reject(new Error('stopped'))).look()).rejects.toThrow('stopped');
});

test('a job whose end nobody saw has none', () => {
  expect(aging(async () => reply(200), null).record(0).endedToMs).toBeNull();
});
