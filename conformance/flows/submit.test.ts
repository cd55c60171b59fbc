/** Following a job that takes its time: few questions, and none too few to see its end. */
import { expect, test } from 'vitest';
import { check } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { execute } from '../execute.ts';
import { type Fake, json, openFake } from '../testing/fake-dispatcher.ts';
import { adopt, finish, poll, stateIs, submit } from './submit.ts';

const definition = { id: 'run.x', title: 'x', clauses: ['jobs.run'] };
const { signal } = new AbortController();

async function polled(fake: Fake, run: (t: CheckContext) => Promise<void>): Promise<number> {
  let looks = 0;
  const counting: Fake = (request) => {
    if (request.path.includes('/status/')) looks += 1;
    return fake(request);
  };
  await execute(check({ ...definition, run }), { target: openFake(counting), profile: 'gate', signal });
  return looks;
}

const endless: Fake = ({ path }) => json(200, { id: 'j', status: path.endsWith('/run') ? 'IN_QUEUE' : 'IN_PROGRESS' });

test('a job that does not end is asked about ever less often', async () => {
  const looks = await polled(endless, async (t) => {
    const job = await submit(t, {});
    const began = t.clock.now();
    await poll(t, job, () => false);
    const took = t.clock.now() - began;
    t.expect('patience', 'a minute', String(took), took >= 60_000 && took < 63_000);
  });
  expect(looks).toBeGreaterThan(40);
  expect(looks).toBeLessThan(60);
});

test('a job that ends soon is seen ending soon', async () => {
  const looks = await polled(endless, async (t) => {
    const job = await submit(t, {});
    const began = t.clock.now();
    await poll(t, job, () => t.clock.now() - began > 300);
    t.note('took', String(t.clock.now() - began));
  });
  expect(looks).toBeLessThan(12);
});

/** Why the question could not be put, and what to do about it. */
async function unasked(fake: Fake, run: (t: CheckContext) => Promise<unknown>): Promise<unknown> {
  const ask = async (t: CheckContext): Promise<void> => {
    await run(t);
    t.note('asked', 'yes');
  };
  return (await execute(check({ ...definition, run: ask }), { target: openFake(fake), profile: 'gate', signal }))
    .outcome;
}

test('an id that is missing is looked for where it should have been', async () => {
  const nameless: Fake = () => json(200, { output: 1 });
  const by = (id: 'run' | 'runsync') => unasked(nameless, async (t) => adopt(t, await t.jobs[id]({})));
  expect(await by('run')).toMatchObject({ kind: 'inconclusive', remedy: 'see run.job-id' });
  expect(await by('runsync')).toMatchObject({ kind: 'inconclusive', remedy: 'see runsync.job' });
});

test('once a job has ended under an unknown state, such states are not waited for any more', async () => {
  let tookMs = 0;
  const odd: Fake = ({ path }) => json(200, { id: path.endsWith('/run') ? 'j' : undefined, state: 2, output: 1 });
  const mute: Fake = (request) => (request.path.includes('/status/second') ? json(200, { state: 1 }) : odd(request));
  const outcome = await unasked(mute, async (t) => {
    await finish(t, await submit(t, {}));
    const began = t.clock.now();
    const second = { ...(await submit(t, {})), id: 'second' };
    await poll(t, second, () => false);
    tookMs = t.clock.now() - began;
    await poll(t, second, stateIs('running'));
  });
  expect(tookMs).toBeLessThan(7000);
  expect(outcome).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringContaining('unknown state 1'),
  });
});
