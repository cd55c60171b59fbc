import { expect, test } from 'vitest';
import { documentedTable } from '../../../schemas/limits.ts';
import { loadChecks, scopedLimits } from '../../../schemas/load-checks.ts';
import type { PlanContext } from '../../plan/context.ts';
import { contextFor, endpoint } from '../../plan/testing/targets.ts';
import { scopeCandidate, scopedRows } from './index.ts';

const usual = contextFor([endpoint('big', 3), endpoint('small', 1)]);
const rows = scopedRows(documentedTable);
const candidate = (id: string, context: PlanContext = usual) => {
  const row = rows.find((one) => one.id === id);
  if (!row) throw new Error(`no row '${id}'`);
  return scopeCandidate(row, context);
};
const variantsOf = (id: string, context?: PlanContext) => {
  const parameters = candidate(id, context).probe?.parameters;
  return parameters?.kind === 'scope' ? parameters.variants.map(({ by, name }) => `${by} ${name}`.trim()) : [];
};

test('every limit with a scope is in the table, and its check is recorded only', () => {
  expect(rows.map(({ id }) => id).sort()).toEqual([...scopedLimits].sort());
  const checks = loadChecks.filter(({ id }) => id.endsWith('.scope'));
  expect(checks.map(({ limitId, level }) => [limitId, level]).sort()).toEqual(
    scopedLimits.map((id) => [id, 'observed']).sort(),
  );
});

test('another endpoint, key and address are tried, and for a rate another connection', () => {
  expect(variantsOf('requests.rate')).toEqual(['endpoint small', 'account', 'address 127.0.0.2', 'connection']);
  expect(variantsOf('requests.concurrency')).toEqual(['endpoint small', 'account', 'address 127.0.0.2']);
});

test('variants that are not configured are not tried', () => {
  const { otherAddress: _, ...target } = usual.target;
  const alone = { ...contextFor([endpoint('big', 3)]), target };
  expect(variantsOf('requests.rate', alone)).toEqual(['account', 'connection']);
});

test('a purge is for dedicated endpoints, and keeps their queues exclusive', () => {
  const shared = contextFor([endpoint('shared', 3, false)]);
  expect(JSON.stringify(candidate('purge-queue.rate', shared).missing)).toContain('--dedicated');
  const mixed = contextFor([endpoint('own', 1), endpoint('shared', 3, false)]);
  expect(variantsOf('purge-queue.rate', mixed)).not.toContain('endpoint shared');
  expect(candidate('purge-queue.rate').probe?.exclusive).toEqual(['budget:purge-queue', 'queue:small', 'queue:big']);
});

test('the other endpoint has to be free, and for purges it is the one that no queue probe fills', () => {
  expect(candidate('requests.rate').probe?.elsewhere).toEqual({ instId: 'small', spends: { requests: 10 } });
  expect(candidate('purge-queue.rate').probe?.elsewhere).toEqual({ instId: 'big', spends: { 'purge-queue': 2 } });
  expect(candidate('purge-queue.rate').probe?.parameters.instId).toBe('small');
  const alone = candidate('purge-queue.rate', contextFor([endpoint('only', 1)])).probe;
  expect(alone?.parameters.instId).toBe('only');
  expect(alone).not.toHaveProperty('elsewhere');
  // Held, one is enough to tell.
  expect(candidate('requests.concurrency').probe?.elsewhere).toEqual({ instId: 'small', spends: { requests: 1 } });
});

test('held requests stay within the rate limit, so that a refusal is for their number', () => {
  const probe = candidate('requests.concurrency').probe;
  expect(probe?.requests).toBeLessThanOrEqual(documentedTable.find('requests', 'requests')?.value ?? 0);
  expect(probe).toMatchObject({ startsIdle: false, spends: { requests: probe?.requests } });
});

test('no variant gets more requests than its own limit would allow, if it had one', () => {
  const roundsOf = (id: string) => {
    const parameters = candidate(id).probe?.parameters;
    return parameters?.kind === 'scope' ? parameters.rounds : 0;
  };
  for (const { id, value } of rows) expect(roundsOf(id)).toBeLessThanOrEqual(value);
  expect([roundsOf('requests.rate'), roundsOf('purge-queue.rate')]).toEqual([3, 2]);
});

test('a limit that is spent is exclusive during it, and need not be full before', () => {
  for (const id of ['requests.rate', 'purge-queue.rate']) {
    const { probe } = candidate(id);
    expect(probe?.exclusive[0]).toBe(`budget:${id.replace('.rate', '')}`);
    expect(probe).toMatchObject({ startsIdle: true, parameters: { most: probe?.requests } });
  }
});
