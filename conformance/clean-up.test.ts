/** What is left behind is said, changes no outcome, and is only ever about jobs of our own. */
import { expect, test } from 'vitest';
import type { CheckFacts } from '../schemas/facts.ts';
import { type Check, check } from './check.ts';
import type { CheckContext } from './context.ts';
import { execute } from './execute.ts';
import { submitSlow } from './fixtures/submit.ts';
import { type Fake, json, openFake } from './testing/fake-dispatcher.ts';

const { signal } = new AbortController();
const slow = { delay_ms: 60_000 };

/** A service whose jobs run for ever; `cancel` says how a cancel ends. */
function service(cancel: Fake, state: () => string = () => 'IN_PROGRESS'): { fake: Fake; requested: string[] } {
  const requested: string[] = [];
  let jobs = 0;
  const fake: Fake = (request) => {
    requested.push(`${request.method} ${request.path.replace('/api/v1/sl', '')}`);
    if (request.path.endsWith('/run')) {
      jobs += 1;
      return json(200, { id: `job-${jobs}`, status: 'IN_QUEUE' });
    }
    if (request.path.includes('/cancel/')) return cancel(request);
    return json(200, { status: state() });
  };
  return { fake, requested };
}

function made(run: (t: CheckContext) => Promise<void>): Check {
  return check({ id: 'run.x', title: 'x', clauses: ['jobs.run'], run });
}

async function facts(fake: Fake, run: (t: CheckContext) => Promise<void>): Promise<CheckFacts> {
  return execute(made(run), { target: openFake(fake), profile: 'gate', signal });
}

async function leavesOne(t: CheckContext): Promise<void> {
  await submitSlow(t, slow);
  t.signal.throwIfAborted();
  t.expect('a', '1', '1', true);
}

test('a cancelled job leaves no words', async () => {
  const { fake, requested } = service(() => json(200, { status: 'CANCELLED' }));
  expect(await facts(fake, leavesOne)).not.toHaveProperty('leftBehind');
  expect(requested).toEqual(['POST /inst-1/run', 'POST /inst-1/cancel/job-1']);
});

test.each([500, 401, 429, 302])('a cancel that is answered with %i is said, and the outcome stays', async (status) => {
  const { fake } = service(() => json(status, {}));
  const { outcome, leftBehind, exchanges } = await facts(fake, leavesOne);
  expect(leftBehind).toEqual([`job job-1 on inst-1 could not be cancelled: status ${status}`]);
  expect(outcome).toEqual({ kind: 'ran', expectations: [expect.objectContaining({ holds: true })] });
  expect(exchanges).toHaveLength(1);
});

test('a cancel without an answer is said', async () => {
  const { fake } = service(() => Promise.reject(new Error('gone')));
  expect((await facts(fake, leavesOne)).leftBehind).toEqual([
    expect.stringMatching(/^job job-1 on inst-1 could not be cancelled: ./),
  ]);
});

test('a job that is gone or has ended by itself is not left behind', async () => {
  expect(await facts(service(() => json(404, {})).fake, leavesOne)).not.toHaveProperty('leftBehind');
  const ended = service(
    () => json(409, {}),
    () => 'COMPLETED',
  );
  expect(await facts(ended.fake, leavesOne)).not.toHaveProperty('leftBehind');
});

test('one failing clean-up keeps no other from being done, and a broken one is reported', async () => {
  const { fake, requested } = service((request) => json(request.path.endsWith('job-2') ? 500 : 200, {}));
  const { leftBehind } = await facts(fake, async (t) => {
    await submitSlow(t, slow);
    await submitSlow(t, slow);
    t.defer(() => Promise.reject(new Error('a slip')));
    t.expect('a', '1', '1', true);
  });
  expect(leftBehind).toEqual(['cleaning up failed: a slip', 'job job-2 on inst-1 could not be cancelled: status 500']);
  expect(requested).toContain('POST /inst-1/cancel/job-1');
});

test('the first check that used a shared result reports what it left; the next one reports nothing', async () => {
  const target = openFake(service(() => json(500, {})).fake);
  const asks = made(async (t) => {
    await t.shared('outer', (outer) => outer.shared('inner', (own) => submitSlow(own, slow)));
    t.expect('a', '1', '1', true);
  });
  const first = await execute(asks, { target, profile: 'gate', signal });
  const second = await execute(asks, { target, profile: 'gate', signal });
  expect(first.leftBehind).toEqual(['job job-1 on inst-1 could not be cancelled: status 500']);
  expect(second).not.toHaveProperty('leftBehind');
  expect(second.outcome).toEqual(first.outcome);
});

test('a job whose submission was on its way at the interrupt is cancelled too', async () => {
  const stopper = new AbortController();
  const { fake, requested } = service(() => json(200, {}));
  const late: Fake = async (request) => {
    if (request.path.endsWith('/run')) stopper.abort(new Error('stopped'));
    return fake(request);
  };
  const target = openFake(late);
  await expect(execute(made(leavesOne), { target, profile: 'gate', signal: stopper.signal })).rejects.toThrow();
  expect(requested).toEqual(['POST /inst-1/run', 'POST /inst-1/cancel/job-1']);
});

test('an interrupted check still cancels its running job', async () => {
  const { fake, requested } = service(() => json(200, {}));
  const stopper = new AbortController();
  const hanging = made(async (t) => {
    await submitSlow(t, slow);
    stopper.abort(new Error('stopped'));
    await t.sleep(1);
  });
  const target = openFake(fake);
  await expect(execute(hanging, { target, profile: 'gate', signal: stopper.signal })).rejects.toThrow('stopped');
  expect(requested.at(-1)).toBe('POST /inst-1/cancel/job-1');
});
