/**
 * The contract checks as a vitest file: one test per selected check. Its facts travel to the reporter in the test's
 * meta data. Keys come from the environment, everything else from the caller of vitest.
 */
import { afterAll, beforeAll, inject, test } from 'vitest';
import type { CheckFacts } from '../../schemas/facts.ts';
import type { Amount } from '../../schemas/results.ts';
import { allChecks } from '../checks/index.ts';
import { partsOf } from '../costs/costs.ts';
import type { Recent } from '../target/budget.ts';
import { credentialsFrom } from '../target/credentials.ts';
import { openTarget } from '../target/open.ts';
import { parted } from './long-waits.ts';
import { complaint, runPlain } from './plain.ts';
import { STOP, type SuiteInput, stopChannel } from './provided.ts';
import { selected } from './select.ts';

declare module 'vitest' {
  interface ProvidedContext {
    proofload: SuiteInput;
  }
  interface TaskMeta {
    facts?: CheckFacts;
    /** By all checks so far. */
    sent?: Amount;
    /** Of each budget, so lately that it may still count. */
    lately?: readonly Recent[];
  }
}

const input = inject('proofload');
const target = await openTarget(input.target, credentialsFrom(process.env), input.runId);
const chosen = parted(selected(allChecks, input.only), input).now;
target.allowance.limit(input.announced, partsOf(chosen, target, input.profile));
const deadline = { ms: input.deadlineMs, atMs: performance.now() + input.deadlineMs };

const stopped = new AbortController();
const channel = stopChannel(input.runId);
channel.onmessage = (message) => {
  if ((message as MessageEvent).data === STOP) stopped.abort(new Error('the run was stopped'));
};
channel.postMessage('listening');
const waiting = new Map<string, (facts: CheckFacts) => void>();
const ended = new Map(chosen.map(({ id }) => [id, new Promise<CheckFacts>((resolve) => waiting.set(id, resolve))]));
const execution = { target, profile: input.profile, signal: stopped.signal, deadline };
let run: Promise<unknown> = Promise.resolve();

// Only when the tests have been collected: before that nothing could stop it.
beforeAll(() => {
  run = runPlain(chosen, execution, (facts) => waiting.get(facts.id)?.(facts));
  // Each waiting test gets the reason.
  run.catch(() => {});
});

// All of them wait at once, each for its own check: which of them runs when is decided elsewhere.
test.concurrent.for(chosen.map(({ id }) => id))('%s', async (id, { task }) => {
  const facts = await Promise.race([ended.get(id), run.then(() => undefined)]);
  if (facts === undefined) throw new Error(`${id} was not run`);
  task.meta.facts = facts;
  task.meta.sent = target.allowance.sent;
  task.meta.lately = target.budgets.lately();
  const wrong = complaint(facts);
  if (wrong !== null) throw new Error(wrong);
});

afterAll(async () => {
  await run.catch(() => {});
  channel.close();
  await target.close();
});
