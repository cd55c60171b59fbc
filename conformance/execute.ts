/**
 * Runs one check against one target and turns whatever happens into facts. It always ends: in the facts of a check that
 * ran, or in the reason why there are none.
 */
import { setMaxListeners } from 'node:events';
import type { CheckFacts, CheckOutcome, Exchange } from '../schemas/facts.ts';
import type { RetentionFacts } from '../schemas/retention.ts';
import type { Profile } from '../schemas/target.ts';
import { type Check, declarationOf } from './check.ts';
import { CheckContext, ELSEWHERE } from './context.ts';
import { missing } from './needs.ts';
import { Inconclusive, NotObservable, RequirementFailed, Skipped, TargetFailure } from './target/signals.ts';
import type { Target } from './target/target.ts';

const DEFAULT_TIMEOUT_MS = 180_000;
const LAST_MS = 10_000;

export interface Execution {
  readonly target: Target;
  readonly profile: Profile;
  readonly signal: AbortSignal;
  /** When all checks of the run end. */
  readonly deadline?: Deadline;
}

export interface Deadline {
  /** From the start of the run; in messages. */
  readonly ms: number;
  /** On the clock of `performance.now()`. */
  readonly atMs: number;
}

/**
 * @throws the signal's reason when the run was interrupted while the check ran: it then has no facts.
 */
export async function execute(check: Check, { target, profile, signal, deadline }: Execution): Promise<CheckFacts> {
  signal.throwIfAborted();
  const startedMs = performance.now();
  const lacking = missing(check, target, profile);
  const { outcome, exchanges, leftBehind, retention } = lacking
    ? { outcome: lacking, exchanges: [], leftBehind: [], retention: null }
    : await attempt(check, target, signal, deadline);
  return {
    ...declarationOf(check),
    outcome,
    exchanges,
    durationMs: Math.round(performance.now() - startedMs),
    ...(leftBehind.length > 0 ? { leftBehind } : {}),
    ...(retention ? { retention } : {}),
  };
}

interface Attempt {
  readonly outcome: CheckOutcome;
  readonly exchanges: readonly Exchange[];
  readonly leftBehind: readonly string[];
  readonly retention: RetentionFacts | null;
}

/** The clean-up comes after the outcome is final, so that it can't change the outcome. */
async function attempt(
  check: Check,
  target: Target,
  signal: AbortSignal,
  deadline: Deadline | undefined,
): Promise<Attempt> {
  const own = check.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  // The checks of every response come after all others, and have little to send.
  const laterMs = check.last === true ? LAST_MS : 0;
  const leftMs = deadline ? Math.max(0, deadline.atMs + laterMs - performance.now()) : Number.POSITIVE_INFINITY;
  const timeoutMs = Math.min(own, leftMs);
  const ends = new AbortController();
  const late = (): Inconclusive =>
    deadline && leftMs < own
      ? new Inconclusive(
          `the deadline of all contract checks (${Math.round(deadline.ms / 1000)} s) passed before it was finished`,
          'see what fails, which may have taken the time; or run it by itself (--only)',
        )
      : new Inconclusive(
          `it was not finished after ${timeoutMs / 1000} s`,
          'check for other load on the endpoint, the most common cause',
        );
  if (leftMs === 0) return { outcome: ended(check, new CheckContext(target, signal), late()), ...NOTHING_SENT };
  const timer = setTimeout(() => ends.abort(late()), timeoutMs);
  const both = AbortSignal.any([signal, ends.signal]);
  // A check that sends hundreds of requests at once listens to it hundreds of times; that is no leak.
  setMaxListeners(0, both);
  const context = new CheckContext(target, both, { check: check.id, shared: '' });
  const error: unknown = await check.run(context).then(
    () => null,
    (reason: unknown) => reason ?? new Error('a check threw nothing'),
  );
  clearTimeout(timer);
  target.allowance.over(check.id);
  const outcome = ended(check, context, error);
  const leftBehind = await context.cleanUp();
  if (error !== null && signal.aborted) throw signal.reason;
  return { outcome, exchanges: context.evidence.list(), leftBehind, retention: context.retention };
}

/** That another operation does not respond is found by its own checks, and blames none of this one's promises. */
function isForeign({ id }: Check, error: unknown): boolean {
  return error instanceof TargetFailure && error.operation !== null && !id.startsWith(`${error.operation}.`);
}

function ended(check: Check, context: CheckContext, thrown: unknown): CheckOutcome {
  const { expectations } = context;
  const error = isForeign(check, thrown) ? new Inconclusive((thrown as Error).message, ELSEWHERE) : thrown;
  // What was already found stays found: a later obstacle can't take back an expectation that did not hold.
  const broken = expectations.some((one) => !one.holds);
  if (error instanceof TargetFailure || error instanceof RequirementFailed) {
    const { what, expected, observed } = error.fact;
    context.expect(what, expected, observed, false);
    return { kind: 'ran', expectations };
  }
  if (broken && isSignal(error)) return { kind: 'ran', expectations };
  if (error instanceof Inconclusive) return { kind: 'inconclusive', reason: error.message, remedy: error.remedy };
  if (error instanceof NotObservable) return { kind: 'not-observable', needs: error.needs };
  if (error instanceof Skipped) return { kind: 'skipped', by: error.by, why: error.message };
  if (error !== null) return { kind: 'error', message: error instanceof Error ? error.message : String(error) };
  if (expectations.length === 0) return { kind: 'error', message: 'the check recorded no expectation' };
  return { kind: 'ran', expectations };
}

const NOTHING_SENT = { exchanges: [], leftBehind: [], retention: null } as const;

const isSignal = (error: unknown): boolean =>
  error instanceof Inconclusive || error instanceof NotObservable || error instanceof Skipped;
