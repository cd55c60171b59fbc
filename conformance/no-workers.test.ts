/**
 * An endpoint whose workers start nothing, as where their image can't be loaded: it is found out soon, breaks no
 * documented promise, and what needs no worker is judged in the time that is left.
 */
import { expect, test } from 'vitest';
import { defaultOptions } from '../reference/options.ts';
import { allChecks } from './checks/index.ts';
import { runPlain } from './run/plain.ts';
import { openReference } from './target/in-process.ts';

/** Half of the time after which the profile `gate` ends all checks. */
const DEADLINE_MS = 120_000;
const NEEDS_NO_WORKER = /^(run\.(route|job-id|ids-unique|invalid\.(?!no-job).*)|cancel\.route|health\.route)$/;

test('it is found out once, and takes little time from the other checks', { timeout: 60_000 }, async () => {
  const { instances } = defaultOptions({});
  const target = openReference({
    options: { instances: instances.map((one) => ({ ...one, workersMax: 0 })) },
    config: {
      kind: 'reference',
      baseUrl: null,
      jobBaseUrl: null,
      endpoints: instances.map((one) => ({ ...one, dedicated: true })),
      model: null,
    },
  });
  const began = target.clock.now();
  const jobs = allChecks.filter(({ on }) => on === 'jobs');
  const facts = await runPlain(jobs, { target, profile: 'gate', signal: new AbortController().signal });
  expect(target.clock.now() - began).toBeLessThan(DEADLINE_MS);
  const broken = facts.filter(
    ({ outcome }) =>
      outcome.kind === 'error' || (outcome.kind === 'ran' && outcome.expectations.some((one) => !one.holds)),
  );
  expect(broken.map(({ id }) => id)).toEqual(['run.answers.started']);
  const judged = facts.filter(({ id, outcome }) => NEEDS_NO_WORKER.test(id) && outcome.kind === 'ran');
  expect(judged.map(({ id }) => id)).toEqual(jobs.map(({ id }) => id).filter((id) => NEEDS_NO_WORKER.test(id)));
});
