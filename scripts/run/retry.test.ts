/** Which part of the load is asked once more: what is open, never what failed or broke. */
import { expect, test } from 'vitest';
import { planLoad } from '../../scenarios/index.ts';
import type { MissingFacts } from '../../schemas/facts.ts';
import type { TargetConfig } from '../../schemas/target.ts';
import { emptyRecord } from './record.ts';
import { openPart } from './retry.ts';

const target: TargetConfig = {
  kind: 'remote',
  baseUrl: 'http://127.0.0.1:9',
  jobBaseUrl: 'http://127.0.0.1:9',
  endpoints: [{ instId: 'one', workersMax: 3, dedicated: true }],
  model: null,
};
const plan = planLoad({ target, profile: 'gate', only: ['cancel.*', 'requests.*'], calibration: null });

/** The record of a load in which every probe of these operations ended so. */
function ended(...ends: readonly [string, MissingFacts['outcome']][]) {
  const record = emptyRecord();
  record.declaredLoad.push(...plan.declared);
  for (const { id, checkIds } of plan.probes) {
    const [, outcome] = ends.find(([operation]) => id.startsWith(operation)) ?? [];
    if (outcome) record.loadFacts.push({ kind: 'missing', checkIds, outcome });
  }
  return record;
}

const open = { kind: 'inconclusive', reason: 'it was late', remedy: 'a quiet machine' } as const;
const idsOf = (record: ReturnType<typeof ended>, tookMs = plan.durationMs) =>
  openPart(plan, record, tookMs)
    ?.probes.map(({ id }) => id)
    .sort() ?? null;
const probesOf = (operation: string) =>
  plan.probes.flatMap(({ id }) => (id.startsWith(operation) ? [`${id}.retry`] : [])).sort();

test('what was left open, and nothing that could not be seen or broke', () => {
  expect(idsOf(ended(['cancel', open], ['requests', { kind: 'not-observable', needs: 'more' }]))).toEqual(
    probesOf('cancel'),
  );
  expect(idsOf(ended(['requests', open], ['cancel', { kind: 'error', message: 'broke' }]))).toEqual(
    probesOf('requests'),
  );
});

test('where all is known there is nothing to retry', () => {
  expect(idsOf(ended(['', { kind: 'skipped', by: 'x', why: 'y' }]))).toBeNull();
});

test('a target that took much longer than planned is not asked again', () => {
  const record = ended(['cancel', open]);
  expect(idsOf(record, 2 * plan.durationMs + 60_000)).toEqual(probesOf('cancel'));
  expect(idsOf(record, 2 * plan.durationMs + 60_001)).toBeNull();
});
