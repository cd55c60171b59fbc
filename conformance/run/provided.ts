/** What the vitest file gets from its caller. No key is in it. */
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
 * The starter of the checks sends `STOP` on it to stop them. The checks send any message on it once they listen.
 * It connects threads of this process that name the same run.
 */
export const stopChannel = (runId: string): BroadcastChannel => new BroadcastChannel(`proofload-stop-${runId}`);

export const STOP = 'stop';
