/** The reference beside the target: asked the same once the target has answered, and never a reason to lose a run. */
import { observeReference } from '../../conformance/index.ts';
import { isInProcess } from '../../conformance/target/open.ts';
import type { ReferenceView } from '../../reports/differences/index.ts';
import type { TargetConfig } from '../../schemas/target.ts';
import type { Run } from './prepare.ts';

type Asking = Pick<Run, 'id' | 'settings' | 'interrupt'>;

/** Never rejects: where there is no answer it says why. */
export async function askReference({ id, settings, interrupt }: Asking, target: TargetConfig): Promise<ReferenceView> {
  if (isInProcess(target)) return { kind: 'itself' };
  const { signal } = interrupt;
  const { profile, only } = settings;
  try {
    return { kind: 'asked', ...(await observeReference({ profile, only, runId: id, signal })) };
  } catch (error) {
    if (signal.aborted) return { kind: 'missing', why: 'the run was stopped before the reference was asked' };
    const [message] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { kind: 'missing', why: `asking the reference broke: ${message}` };
  }
}
