/**
 * The contract checks as a vitest file: one test per selected check. Its facts travel to the reporter in the test's
 * meta data. Keys come from the environment, everything else is provided by whoever starts vitest.
 */
import { afterAll, describe, inject, test } from 'vitest';
import type { CheckFacts } from '../../schemas/facts.ts';
import type { Amount } from '../../schemas/results.ts';
import type { Check } from '../check.ts';
import { allChecks } from '../checks/index.ts';
import { partsOf } from '../costs/costs.ts';
import { execute } from '../execute.ts';
import type { Recent } from '../target/budget.ts';
import { credentialsFrom } from '../target/credentials.ts';
import { openTarget } from '../target/open.ts';
import { complaint } from './judgement.ts';
import { parted } from './meanwhile.ts';
import type { SuiteInput } from './provided.ts';
import { roundsOf, selected } from './select.ts';

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
const asked = parted(selected(allChecks, input.only), input).now;
target.allowance.limit(input.announced, partsOf(asked, target, input.profile));
const deadline = { ms: input.deadlineMs, atMs: performance.now() + input.deadlineMs };
const { first, beside, together, alone } = roundsOf(asked, target.virtual);

/** A cancelled test is left by the runner at once, while its check still cancels the jobs that it had started. */
const running = new Set<Promise<unknown>>();

/** Of those that run one after the other beside others: what the next one waits for. */
let before: Promise<unknown> = Promise.resolve();

/** When a check may begin: those that mind every job of others come one after the other, and those jobs behind them. */
function turnOf(check: Check): Promise<unknown> {
  if (check.first === true) return before;
  return together.includes(check) ? Promise.race([before, target.crowd.opened]) : Promise.resolve();
}

function declare(check: Check): void {
  test(check.id, async ({ task, signal }) => {
    const executed = turnOf(check).then(() => execute(check, { target, profile: input.profile, signal, deadline }));
    if (check.first === true) before = executed.catch(() => {});
    running.add(executed);
    const facts = await executed.finally(() => running.delete(executed));
    task.meta.facts = facts;
    task.meta.sent = target.allowance.sent;
    task.meta.lately = target.budgets.lately();
    const wrong = complaint(facts);
    if (wrong !== null) throw new Error(wrong);
  });
}

// Suites that are concurrent run beside one another as well, unless each is within one that isn't.
if (first.length + beside.length + together.length > 0) {
  describe.sequential('together', () => {
    describe.concurrent('side by side', () => [...first, ...beside, ...together].forEach(declare));
  });
}
if (alone.length > 0) describe.sequential('alone', () => alone.forEach(declare));

afterAll(async () => {
  await Promise.allSettled(running);
  await target.close();
});
