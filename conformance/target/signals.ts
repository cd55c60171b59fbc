/**
 * The ways a check can end before its last line, as exceptions: each carries what the outcome needs. Whatever else is
 * thrown in a check is an error of ours, never a finding about the target.
 */

/** The target did not answer as HTTP demands: refused, reset, timed out, garbage. A fact about the target. */
export class TargetFailure extends Error {
  override readonly name = 'TargetFailure';
  readonly what: string;
  readonly expected: string;
  readonly observed: string;

  constructor(fact: { what: string; expected: string; observed: string }) {
    super(`${fact.what}: ${fact.observed}`);
    this.what = fact.what;
    this.expected = fact.expected;
    this.observed = fact.observed;
  }
}

/** A precondition that has to hold for the check to mean anything, and failing it is the finding. */
export class RequirementFailed extends Error {
  override readonly name = 'RequirementFailed';
}

/** The evidence does not carry a verdict. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive';
  readonly remedy: string;

  constructor(reason: string, remedy: string) {
    super(reason);
    this.remedy = remedy;
  }
}

/** The target as configured does not offer what the check looks at. */
export class NotObservable extends Error {
  override readonly name = 'NotObservable';
  readonly needs: string;

  constructor(needs: string) {
    super(`needs ${needs}`);
    this.needs = needs;
  }
}
