/**
 * The contract ends by its deadline whatever the target does, over sockets and on the machine's own clock. Each trouble
 * takes a minute, so a test run looks at one of them, another one for each commit; `npm run bounded` looks at all.
 */
import { expect, test } from 'vitest';
import { type OperatorFault, ResponsesSeen } from '../reference/mutants/operators.ts';
import { mutants } from '../reference/mutants.ts';
import { defaultOptions } from '../reference/options.ts';
import { json } from '../reference/reply.ts';
import { serve } from '../reference/server.ts';
import { operations } from '../schemas/operations.ts';
import { ofThisCommit } from '../test/setup/sweeps.ts';
import { allChecks } from './checks/index.ts';
import { contractDeadlineMs } from './run/deadline.ts';
import { complaint } from './run/judgement.ts';
import { runPlain } from './run/plain.ts';
import { openTarget } from './target/open.ts';

const KEY = 'proofload-bounded';
const credentials = { accessKey: KEY, jobKey: KEY, brokeKey: 'proofload-broke', otherKey: 'proofload-other' };
/** For the checks that come last, and to clean up. */
const AFTERWARDS_MS = 15_000;

function troubles(): Pick<OperatorFault, 'subject' | 'name' | 'apply'>[] {
  const seen = new ResponsesSeen();
  for (const { id } of operations) seen.add(id, json(200, {}));
  const lost = mutants.filter(({ name }) => name.startsWith('worker-lost'));
  return [
    ...seen.faults().filter(({ subject }) => / (answers 500|resets the connection|hangs|is slow)$/.test(subject)),
    ...lost.map(({ does, name, apply }) => ({ subject: does, name, apply })),
  ];
}

const all = process.env.BOUNDED === 'all';

test.each(all ? troubles() : ofThisCommit(troubles()))('$subject, $name', { timeout: 120_000 }, async ({ apply }) => {
  const options = apply(defaultOptions({}));
  const served = await serve({ ...options, accessKeys: [KEY] });
  const config = {
    kind: 'remote',
    baseUrl: served.url,
    jobBaseUrl: served.url,
    endpoints: options.instances.map((one) => ({ ...one, dedicated: true })),
    model: options.models[0]?.id ?? null,
  } as const;
  const target = await openTarget(config, credentials, 'bounded');
  const ms = contractDeadlineMs('gate', null);
  const beganMs = performance.now();
  const deadline = { ms, atMs: beganMs + ms };
  const facts = await runPlain(allChecks, { target, profile: 'gate', signal: new AbortController().signal, deadline });
  const tookMs = performance.now() - beganMs;
  await target.close();
  await served.close();
  expect(facts.length).toBe(allChecks.length);
  expect(facts.filter(({ outcome }) => outcome.kind === 'error')).toEqual([]);
  expect(tookMs).toBeLessThan(ms + AFTERWARDS_MS);
  if (all)
    console.log(`${Math.round(tookMs / 1000)} s, ${facts.filter((one) => complaint(one) !== null).length} findings`);
});
