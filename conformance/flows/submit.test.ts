/** Following a job that takes its time: few questions, and none too few to see its end. */
import { expect, test } from 'vitest';
import { type CheckDefinition, check } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { execute } from '../execute.ts';
import { type Fake, json, openFake } from '../fixtures/fake-dispatcher.ts';
import { poll, submit } from './submit.ts';

const definition: CheckDefinition = { id: 'x.y', title: 'x', clauses: ['jobs.run'], on: 'jobs' };
const { signal } = new AbortController();

async function polled(fake: Fake, run: (t: CheckContext) => Promise<void>): Promise<number> {
  let looks = 0;
  const counting: Fake = (request) => {
    if (request.path.includes('/status/')) looks += 1;
    return fake(request);
  };
  await execute(check(definition, run), { target: openFake(counting), profile: 'gate', signal });
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
