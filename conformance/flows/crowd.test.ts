/** Lost jobs are told from slow ones, and either way they are asked about seldom. */

import { expect, test } from 'vitest';
import type { Handler } from '../../reference/jobs/handler.ts';
import { body } from '../../reference/mutants/answers.ts';
import { defaultOptions, type ReferenceOptions } from '../../reference/options.ts';
import { specRules } from '../../reference/rules.ts';
import type { CheckFacts } from '../../schemas/facts.ts';
import { check } from '../check.ts';
import { checks } from '../checks/run.check.ts';
import { costs, partsOf } from '../costs/costs.ts';
import { runPlain } from '../run/plain.ts';
import { openReference } from '../target/in-process.ts';

const asked = checks.filter(({ id }) => id === 'run.none-lost').map(check);

async function ask(options: Partial<ReferenceOptions>): Promise<CheckFacts['outcome'] & { readonly sent: number }> {
  const target = openReference({ options });
  const [facts] = await runPlain(asked, { target, profile: 'gate', signal: new AbortController().signal });
  if (!facts) throw new Error('no request was sent');
  const [part] = partsOf(asked, target, 'gate').values();
  const { requests } = target.allowance.sent;
  expect(requests).toBeLessThan(part?.most ?? 0);
  return { ...facts.outcome, sent: requests };
}

/** Those that the handler is slow for. */
function slowFor(meant: (count: number) => boolean, ms: number): Partial<ReferenceOptions> {
  let count = 0;
  const handler = (inner: Handler): Handler =>
    async function* (input, sleep) {
      count += 1;
      if (meant(count)) await sleep(ms);
      return yield* inner(input, sleep);
    };
  return { rules: { ...specRules, handler } };
}

/** One in so many is for ever said to wait. */
function losing(every: number): Partial<ReferenceOptions> {
  const ids: unknown[] = [];
  const stuck = ({ id }: Readonly<Record<string, unknown>>): boolean => {
    if (!ids.includes(id)) ids.push(id);
    return ids.indexOf(id) % every === every - 1;
  };
  return body('status', (answer) => (stuck(answer) ? { id: answer.id, status: 'IN_QUEUE' } : answer))(
    defaultOptions({}),
  );
}

test('all end', async () => {
  expect(await ask({})).toMatchObject({ kind: 'ran', expectations: [{ holds: true }] });
  expect(costs.has('run.none-lost')).toBe(true);
});

test.each([200, 7, 2])('one in %i is never worked off: that is found, with few requests', async (every) => {
  const outcome = await ask(losing(every));
  expect(outcome).toMatchObject({ kind: 'ran', expectations: [{ holds: false }] });
  expect(JSON.stringify(outcome)).toMatch(/jobs had not ended after .*IN_QUEUE.*a job submitted afterwards/);
});

test.each([
  ['all', 8000, () => true],
  ['the later ones', 8000, (count: number) => count > 100],
  ['one in ten', 25_000, (count: number) => count % 10 === 0],
] as const)('a handler that is slow for %s is not taken for one that loses jobs', async (_who, ms, meant) => {
  expect(await ask(slowFor(meant, ms))).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringMatching(/of 200 jobs had not ended/),
  });
});
