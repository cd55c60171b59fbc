/** Facts of a rate probe get the latency of its ledger; facts of others stay as they are. */
import { expect, test } from 'vitest';
import { decodeLedger, encodeEntry } from '../../schemas/ledger.ts';
import { analyseUnlimited } from '../kinds/unlimited/index.ts';
import type { Probe, UnlimitedParameters } from '../probe.ts';
import { withPaced } from './analyse.ts';

const parameters: UnlimitedParameters = {
  kind: 'unlimited',
  instId: 'inst-a',
  operation: 'health',
  vus: 1,
  periodMs: 10,
  durationMs: 20,
  windowMs: 1000,
};
const probe: Probe = {
  id: 'health.unlimited',
  title: '',
  checkIds: [],
  parameters,
  requests: 2,
  bytes: 0,
  estimateMs: 0,
  floorMs: 0,
  exclusive: [],
};

test('the paced phases stand next to the facts of the limit', () => {
  const times = { sentMs: 11, firstByteMs: 12, endMs: 13, dueMs: 10, begunMs: 10.5 };
  const ledger = encodeEntry({ phase: 'pace', operation: 'health', ...times, status: 200, error: '', note: '' });
  const facts = withPaced(probe, decodeLedger(ledger), analyseUnlimited(parameters, decodeLedger(ledger), 1));
  expect(facts).toMatchObject({
    kind: 'unlimited',
    part: { sent: 1 },
    paced: [{ phase: 'pace', planned: { health: 2 }, requests: [{ dueToEndMs: [3], lateMs: [0.5] }] }],
  });
});

test('what was not carried out has no latency', () => {
  const facts = { kind: 'missing', checkIds: [], outcome: { kind: 'error', message: 'broken' } } as const;
  expect(withPaced(probe, decodeLedger(''), facts)).toBe(facts);
});
