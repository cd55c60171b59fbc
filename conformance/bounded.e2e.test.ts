/**
 * The contract ends by its deadline whatever the target does, over sockets and on the machine's own clock. Each trouble
 * takes up to two minutes, so a test run looks at one of them, another one for each commit; `npm run bounded` looks at all.
 */
import { expect, test } from 'vitest';
import { mutants } from '../reference/mutants.ts';
import { defaultOptions } from '../reference/options.ts';
import { json } from '../reference/reply.ts';
import { type OperatorFault, ResponsesSeen } from '../reference/testing/operators.ts';
import { operations } from '../schemas/operations.ts';
import { ofThisCommit } from '../test/setup/sweeps.ts';
import { allChecks } from './checks/index.ts';
import { contractDeadlineMs } from './index.ts';
import { complaint, runPlain } from './run/plain.ts';
import type { Target } from './target/target.ts';
import { withServed } from './testing/served.ts';

/** For the checks that come last, and to clean up. */
const AFTERWARDS_MS = 15_000;
const MS = contractDeadlineMs('gate', null);

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

test.each(all ? troubles() : ofThisCommit(troubles()))(
  '$subject, $name',
  { timeout: MS + 4 * AFTERWARDS_MS },
  async ({ subject, name, apply }) => {
    const bounded = async (target: Target) => {
      const beganMs = performance.now();
      const deadline = { ms: MS, atMs: beganMs + MS };
      const facts = await runPlain(allChecks, {
        target,
        profile: 'gate',
        signal: new AbortController().signal,
        deadline,
      });
      return { facts, tookMs: performance.now() - beganMs };
    };
    const { facts, tookMs } = await withServed('bounded', bounded, apply(defaultOptions({})));
    expect(facts.length).toBe(allChecks.length);
    expect(facts.filter(({ outcome }) => outcome.kind === 'error')).toEqual([]);
    expect(tookMs).toBeLessThan(MS + AFTERWARDS_MS);
    const findings = facts.filter((one) => complaint(one) !== null).length;
    // What is only slow, or breaks now and then, may go unseen.
    if (name === 'always' && !subject.endsWith('slow')) expect(findings).toBeGreaterThan(0);
    if (all) console.log(`${Math.round(tookMs / 1000)} s, ${findings} findings`);
  },
);
