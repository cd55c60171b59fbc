/**
 * The reference compared with the target: it gets the same requests once the target has answered, and its failure never
 * loses a run. It takes seconds of this machine's time, which are free while the load waits through an idle window.
 */
import { observeReference } from '../../conformance/index.ts';
import { isInProcess } from '../../conformance/target/open.ts';
import type { ReferenceView } from '../../reports/differences/index.ts';
import type { TargetConfig } from '../../schemas/target.ts';
import type { Run } from './prepare.ts';

type ReferenceRun = Pick<Run, 'id' | 'settings' | 'interrupt'>;

/** Never rejects: where there is no answer it says why. */
export async function runReference(run: ReferenceRun, target: TargetConfig): Promise<ReferenceView> {
  return (await runReferenceUntil(run, target, run.interrupt.signal)) ?? stopped;
}

const stopped: ReferenceView = { kind: 'missing', why: 'the run was stopped before the reference ran' };

/** The same, given up when `until` is aborted, with null unless the run was stopped as well. Never rejects. */
export async function runReferenceUntil(
  { id, settings, interrupt }: ReferenceRun,
  target: TargetConfig,
  until: AbortSignal,
): Promise<ReferenceView | null> {
  if (isInProcess(target)) return { kind: 'itself' };
  const { profile, only } = settings;
  try {
    return { kind: 'asked', ...(await observeReference({ profile, only, runId: id, signal: until })) };
  } catch (error) {
    if (interrupt.signal.aborted) return stopped;
    if (until.aborted) return null;
    const [message] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { kind: 'missing', why: `the run of the reference failed: ${message}` };
  }
}
