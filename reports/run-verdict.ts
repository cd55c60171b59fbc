/**
 * The verdict of the whole run, as one word and one exit code, as a pure function of its checks. It exists once, so
 * that the report, JUnit and the process can never disagree about it.
 *
 * Policy where two things are true at once: a broken promise that was seen stays seen, so `fail` wins over a harness
 * error elsewhere (exit 1, and every rendering names the error as well). Green is never reached by vacuity: a run in
 * which nothing held, because all was skipped or out of reach, has no verdict (exit 2). A baseline that is out of date
 * fails the run like a broken promise: otherwise it would go on excusing failures that no longer exist.
 */
import type { ResultCheck } from '../schemas/results.ts';
import type { RunVerdict } from '../schemas/results-parts.ts';
import type { Level, Verdict } from '../schemas/verdicts.ts';

export const EXIT = { conforms: 0, broken: 1, nothingSaid: 2, inconclusive: 3, interrupted: 130 } as const;

export interface RunState {
  /** Every declared check reported, and nothing else did. */
  readonly complete: boolean;
  /** The run was stopped (Ctrl-C, a deadline) before its end. */
  readonly interrupted?: boolean;
  /** An entry of the baseline is stale or expired. */
  readonly outdated?: boolean;
  /** `--strict`: a documented check, or goal, that was left open is not good enough. */
  readonly strict?: boolean;
}

export interface RunOutcome {
  readonly verdict: RunVerdict;
  readonly exitCode: number;
}

type Judged = Pick<ResultCheck, 'verdict' | 'level' | 'missing'>;

/** Levels whose checks need a decision. */
const wanted: ReadonlySet<Level> = new Set(['documented', 'goal']);

/** Verdicts that say something about the target; the others say why there is none. */
const saying: ReadonlySet<Verdict> = new Set(['pass', 'fail', 'warn', 'observed', 'known']);

/** Whether a check with this verdict said anything about the target. */
export const saysSomething = (verdict: Verdict): boolean => saying.has(verdict);

/** Whether it was not tested, and not by choice: the target does not offer what it needs, or an option is missing. */
export const wasNotTested = ({ verdict, missing }: Pick<ResultCheck, 'verdict' | 'missing'>): boolean =>
  verdict === 'not-observable' || missing !== undefined;

/** Word and exit code of a run. */
export function runVerdict(checks: readonly Judged[], state: RunState): RunOutcome {
  const has = (verdict: Verdict): boolean => checks.some((check) => check.verdict === verdict);
  const fails = has('fail') || state.outdated === true;
  if (state.interrupted) {
    return { verdict: fails ? 'fail' : has('error') ? 'error' : 'inconclusive', exitCode: EXIT.interrupted };
  }
  if (fails) return { verdict: 'fail', exitCode: EXIT.broken };
  if (has('error') || !state.complete) return { verdict: 'error', exitCode: EXIT.nothingSaid };
  if (!checks.some((check) => saysSomething(check.verdict))) {
    return { verdict: has('inconclusive') ? 'inconclusive' : 'error', exitCode: EXIT.nothingSaid };
  }
  const asked = checks.filter(({ level }) => wanted.has(level));
  const open = asked.some(({ verdict }) => verdict === 'inconclusive') || (state.strict && asked.some(wasNotTested));
  const held = has('pass') || has('known');
  if (open || !held) return { verdict: 'inconclusive', exitCode: state.strict ? EXIT.inconclusive : EXIT.conforms };
  return { verdict: 'pass', exitCode: EXIT.conforms };
}
