/** The suite on the reference: everything it promises is found to hold. */
import { afterAll, describe, expect, test } from 'vitest';
import type { CheckFacts } from '../schemas/facts.ts';
import { allChecks } from './checks/index.ts';
import { execute } from './execute.ts';
import { complaint } from './run/plain.ts';
import { openReference } from './target/in-process.ts';

const target = openReference();
afterAll(() => target.close());

/** What the in-process reference can't show. */
const notShown: Readonly<Record<string, CheckFacts['outcome']['kind']>> = {};

describe.sequential('every check on the reference', () => {
  test.each(allChecks)('$id', async (check) => {
    const facts = await execute(check, { target, profile: 'gate', signal: new AbortController().signal });
    expect(complaint(facts), JSON.stringify(facts.exchanges.slice(-2), null, 1)).toBeNull();
    expect(facts.outcome).toMatchObject({ kind: notShown[check.id] ?? 'ran' });
    expect(facts.exchanges.length).toBeGreaterThan(0);
  });
});
