/**
 * A service that is right, with a handler that takes seconds for what is meant to be quick: nothing of that is a broken
 * promise, and what is asked again and again meanwhile stays within what was announced.
 */
import { expect, test } from 'vitest';
import type { Handler } from '../reference/jobs/handler.ts';
import { specRules } from '../reference/rules.ts';
import { allChecks } from './checks/index.ts';
import { announced, partsOf } from './costs/costs.ts';
import { runPlain } from './run/plain.ts';
import { openReference } from './target/in-process.ts';

test.each([1000, 8000])('a second, or eight, for every job: %i ms', { timeout: 120_000 }, async (ms) => {
  const slowed = (inner: Handler): Handler =>
    async function* (input, sleep) {
      await sleep(ms);
      return yield* inner(input, sleep);
    };
  const target = openReference({ options: { rules: { ...specRules, handler: slowed }, latencyMs: 50 } });
  const most = announced(allChecks, target, 'gate');
  target.allowance.limit(most, partsOf(allChecks, target, 'gate'));
  const facts = await runPlain(allChecks, { target, profile: 'gate', signal: new AbortController().signal });
  const wrong = facts.filter(
    ({ level, outcome }) =>
      outcome.kind === 'error' ||
      (level !== 'observed' && outcome.kind === 'ran' && outcome.expectations.some((one) => !one.holds)),
  );
  expect(wrong.map(({ id, outcome }) => [id, outcome])).toEqual([]);
  const short = facts.filter(({ outcome }) => outcome.kind === 'inconclusive' && /have been sent/.test(outcome.reason));
  expect(short.map(({ id }) => id)).toEqual([]);
  expect(target.allowance.sent.requests).toBeLessThanOrEqual(most.requests);
});
