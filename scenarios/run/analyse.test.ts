import { expect, test } from 'vitest';
import { decodeLedger } from '../../schemas/ledger.ts';
import { kindOf } from '../kinds/index.ts';
import { planLoad } from '../plan/index.ts';
import { quick, usual } from '../plan/testing/targets.ts';
import { analyse } from './analyse.ts';
import { failed, interrupted } from './spent.ts';
import { ledgerOf } from './testing/fake-execute.ts';

const { probes } = planLoad({ target: usual, profile: 'gate', only: [], calibration: quick });

test('each kind of probe meets its own analysis, with the least number that it sends', () => {
  for (const probe of probes) {
    const facts = analyse(probe, decodeLedger(ledgerOf()));
    expect(facts.kind).toBe(probe.parameters.kind);
    if (facts.kind !== 'missing') expect(facts.health.planned).toBe(kindOf(probe.parameters).least(probe.parameters));
  }
});

test('what did not come to an end names its checks and why', () => {
  const [probe] = probes;
  if (!probe) throw new Error('no probe');
  expect(interrupted(probe)).toMatchObject({ checkIds: probe.checkIds, outcome: { kind: 'skipped', by: 'interrupt' } });
  expect(failed(probe, new Error('why')).outcome).toEqual({ kind: 'error', message: `${probe.id}: why` });
  expect(failed(probe, 'text', ['one']).checkIds).toEqual(['one']);
});
