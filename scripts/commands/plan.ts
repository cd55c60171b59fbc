/** `proofload plan`: everything a run would put on the target, and what it could not see. Sends nothing. */
import { describePlan, planLoad } from '../../scenarios/index.ts';
import type { Settings } from '../cli/settings.ts';
import type { Host } from '../host.ts';
import { referenceTarget } from '../run/reference-process.ts';
import { partsOf, select } from '../run/selection.ts';

/** Resolves with 0. Throws UsageError for settings that no run could work with. */
export async function printPlan({ target, profile, only, values }: Settings, host: Host): Promise<number> {
  select(partsOf.plan, only);
  // An address for the reference that is not running: a plan never uses it.
  const planned = target ?? referenceTarget('http://127.0.0.1');
  const plan = planLoad({ target: planned, profile, only, calibration: null });
  host.stdout.write(`${values.json ? JSON.stringify(plan, null, 2) : describePlan(plan).join('\n')}\n`);
  return 0;
}
