/** What the vitest file is told by whoever starts it. No key is in it. */
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
