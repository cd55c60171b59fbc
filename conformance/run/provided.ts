/** What the vitest file is told by whoever starts it. No key is in it. */
import { BroadcastChannel } from 'node:worker_threads';
import type { Profile, TargetConfig } from '../../schemas/target.ts';
import type { Announced } from '../target/allowance.ts';

export interface SuiteInput {
  readonly target: TargetConfig;
  readonly profile: Profile;
  readonly only: readonly string[];
  readonly runId: string;
  readonly announced: Announced;
  /** From the start of the first check to the end of all, ms. */
  readonly deadlineMs: number;
}

/**
 * On which whoever started the checks of a run tells them to stop (`STOP`), and they tell that they listen (anything).
 * Between threads of this process, by the run's own name.
 */
export const stopChannel = (runId: string): BroadcastChannel => new BroadcastChannel(`proofload-stop-${runId}`);

export const STOP = 'stop';
