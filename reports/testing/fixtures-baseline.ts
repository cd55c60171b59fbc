/**
 * For tests only: the results of a run with a baseline. `green`: two failures and a warning are known · `outdated`: one
 * entry is stale, one expired · `settled`: no failure is expected.
 */
import type { Results } from '../../schemas/results.ts';
import { assemble } from '../assemble.ts';
import type { ReadEntry } from '../baseline/baseline.ts';
import { sampleResults } from './fixtures.ts';

export type BaselineKind = 'green' | 'outdated' | 'settled';

const entry = (line: number, check: string, changes: Partial<ReadEntry> = {}): ReadEntry => ({
  check,
  target: 'https://jobs.staging.example',
  expect: 'fail',
  reason: 'The gateway keeps a counter of its own <for each node>',
  at: `baseline.yaml:${line}`,
  ...changes,
});

const soon = { expires: '2026-12-01', ticket: 'GATE-412' };
const warning = entry(20, 'run.payload.refusal', { expect: 'warn', reason: 'TODO: say why this is expected' });

const entries: Readonly<Record<BaselineKind, readonly ReadEntry[]>> = {
  green: [
    entry(4, 'run.rate.enforced', soon),
    entry(12, 'runsync.payload.guarantee', { expires: '2027-01-31' }),
    warning,
    entry(26, 'runsync.rate.enforced'),
    entry(32, 'run.route', { target: 'https://elsewhere.example' }),
  ],
  outdated: [
    entry(4, 'run.rate.enforced', { ...soon, expires: '2026-11-20' }),
    entry(12, 'runsync.payload.guarantee'),
    entry(18, 'cancel.rate.enforced'),
    warning,
  ],
  settled: [],
};

/** The failing sample, with what it shows of a baseline. */
export function baselineResults(kind: BaselineKind): Results {
  const sample = sampleResults(kind === 'settled' ? 'passing' : 'failing');
  return assemble({
    ...sample,
    target: sampleResults('failing').target,
    declared: sample.checks.map((check) => check.id),
    clauses: [],
    baseline: { file: 'baseline.yaml', text: '', entries: entries[kind] },
  });
}
