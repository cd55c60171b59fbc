/** Facts of probes that did not come to an end: each of their checks gets the reason, so that none is ever silent. */
import type { MissingFacts } from '../../schemas/facts.ts';
import type { Probe } from '../probe.ts';

export function interrupted(probe: Probe): MissingFacts {
  const why = 'the run was stopped before this probe was done';
  return { kind: 'missing', checkIds: probe.checkIds, outcome: { kind: 'skipped', by: 'interrupt', why } };
}

export function failed(probe: Probe, error: unknown, checkIds = probe.checkIds): MissingFacts {
  const message = `${probe.id}: ${error instanceof Error ? error.message : String(error)}`;
  return { kind: 'missing', checkIds, outcome: { kind: 'error', message } };
}
