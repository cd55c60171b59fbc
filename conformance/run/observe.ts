/**
 * The reference in the same run, so that the report can list what it does differently from the target. It runs in this
 * process on its virtual clock, with endpoints and keys of its own, and never at the same time as the checks of the
 * target: it would take the machine from those that measure times.
 */
import type { CheckFacts } from '../../schemas/facts.ts';
import type { Profile, TargetConfig } from '../../schemas/target.ts';
import { allChecks } from '../checks/index.ts';
import { openReference } from '../target/in-process.ts';
import { runPlain } from './plain.ts';
import { selected } from './select.ts';

export interface ObserveInput {
  readonly profile: Profile;
  /** Globs on check ids; none selects all. */
  readonly only: readonly string[];
  readonly runId: string;
  readonly signal: AbortSignal;
}

export interface Observation {
  readonly facts: readonly CheckFacts[];
  /** As the reference describes itself. */
  readonly target: TargetConfig;
}

/** Throws the signal's reason when interrupted, and any other error: then there is no observation. */
export async function observeReference({ profile, only, runId, signal }: ObserveInput): Promise<Observation> {
  signal.throwIfAborted();
  const target = openReference({ runId });
  try {
    const facts = await runPlain(selected(allChecks, only), { target, profile, signal });
    return { facts, target: target.config };
  } finally {
    await target.close();
  }
}
