/**
 * The checks that rest on long waits, all at the same time as the load: their jobs are submitted before it, and no
 * request is sent for them until it is over. They need no test runner, only time.
 */
import type { CheckFacts } from '../../schemas/facts.ts';
import type { Amount } from '../../schemas/results.ts';
import type { Credentials, Profile, TargetConfig } from '../../schemas/target.ts';
import type { Check } from '../check.ts';
import { announced, partsOf } from '../costs/costs.ts';
import { execute } from '../execute.ts';
import { LongWaits } from '../target/long-waits.ts';
import { isInProcess, openTarget } from '../target/open.ts';

/**
 * The checks that a run executes at once, and those that run later, together with the load. On a virtual clock there is
 * nothing to wait for, and checks that the profile leaves out say so at once.
 */
export function parted(
  checks: readonly Check[],
  { target, profile }: { readonly target: TargetConfig; readonly profile: Profile },
): { readonly now: readonly Check[]; readonly later: readonly Check[] } {
  const waits = profile === 'nightly' && !isInProcess(target);
  const isLater = (one: Check): boolean => waits && one.longWait !== undefined;
  return { now: checks.filter((one) => !isLater(one)), later: checks.filter(isLater) };
}

export interface WaitInput {
  readonly target: TargetConfig;
  readonly credentials: Credentials;
  readonly profile: Profile;
  readonly runId: string;
  readonly signal: AbortSignal;
}

export interface Waited {
  /** Of every check that came to its end; the others were interrupted. */
  readonly facts: readonly CheckFacts[];
  readonly announced: Amount;
  readonly sent: Amount;
}

export interface Waits {
  /** Resolves once nothing more is sent until the load is over; never rejects. */
  readonly still: Promise<void>;
  /** Lets them go on; to be called in any case. */
  loadIsOver(): void;
  /** @throws Error when the harness itself broke. */
  readonly done: Promise<Waited>;
}

/** Starts these checks. */
export function beginWaits(checks: readonly Check[], input: WaitInput): Waits {
  let loadIsOver = (): void => {};
  const over = new Promise<void>((resolve) => {
    loadIsOver = resolve;
  });
  const names = [...new Set(checks.flatMap(({ longWait }) => longWait ?? []))];
  const longWaits = new LongWaits(over, names);
  const done = executeAll(checks, input, longWaits);
  const ended = done.then(
    () => {},
    () => {},
  );
  return { still: Promise.race([longWaits.still, ended]), loadIsOver, done };
}

async function executeAll(checks: readonly Check[], input: WaitInput, longWaits: LongWaits): Promise<Waited> {
  const { profile, signal, runId } = input;
  const target = await openTarget(input.target, input.credentials, runId, { longWaits });
  const most = announced(checks, target, profile);
  target.allowance.limit(most, partsOf(checks, target, profile));
  try {
    const outcomes = await Promise.allSettled(checks.map((check) => execute(check, { target, profile, signal })));
    const broken = outcomes.find((one) => one.status === 'rejected');
    if (broken && !signal.aborted) throw broken.reason;
    const facts = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const { requests, bytes } = most;
    return { facts, announced: { requests, bytes }, sent: target.allowance.sent };
  } finally {
    await target.close();
  }
}
