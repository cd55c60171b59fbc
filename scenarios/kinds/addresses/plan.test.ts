import { expect, test } from 'vitest';
import { type ConcurrencyLimit, limitFor } from '../../../schemas/limits.ts';
import { contextFor, endpoint } from '../../plan/testing/targets.ts';
import { extraOf } from '../concurrency/plan.ts';
import { addressesCandidate } from './index.ts';

const limit = limitFor('concurrent-requests', 'inference') as ConcurrencyLimit;
const usual = contextFor([endpoint('big', 3)]);
const id = 'inference.concurrency.per-address';

test('several addresses each send the whole limit', () => {
  const [candidate] = addressesCandidate(limit, { ...usual, addresses: 4 });
  expect(candidate?.checkIds).toEqual([id]);
  expect(candidate?.probe).toMatchObject({
    parameters: { limit: limit.value, runners: 4 },
    requests: 4 * (limit.value + extraOf(limit)),
  });
});

test('from one address it runs only where the user names another', () => {
  expect(addressesCandidate(limit, usual)).toEqual([]);
  const alone = { ...usual, target: { ...usual.target } };
  Reflect.deleteProperty(alone.target, 'otherAddress');
  const [candidate] = addressesCandidate(limit, alone);
  expect(candidate).toMatchObject({ checkIds: [id], missing: { kind: 'not-observable' } });
  expect(JSON.stringify(candidate?.missing)).toContain('--other-address');
});
