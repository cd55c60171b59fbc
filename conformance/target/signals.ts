/**
 * The ways a check can end before its last line, as exceptions: each carries what the outcome needs. Any other
 * exception in a check is an error of ours, never a finding about the target.
 */
import type { DocumentedOperationId } from '../../schemas/operations.ts';

/** Something that was expected and isn't so. */
export interface Fact {
  readonly what: string;
  readonly expected: string;
  readonly observed: string;
}

/** A fact about the target after which the check can't go on. */
abstract class FactError extends Error {
  readonly fact: Fact;

  constructor(fact: Fact) {
    super(`${fact.what}: expected ${fact.expected}, observed ${fact.observed}`);
    this.fact = fact;
  }
}

/** The target did not answer as HTTP demands: refused, reset, timed out, garbage. */
export class TargetFailure extends FactError {
  override readonly name = 'TargetFailure';
  operation: DocumentedOperationId | null = null;
  /** The connection had been left open by an earlier response, and was closed before this one began. */
  onKept = false;
}

/** A precondition does not hold, and that is what the check is there to find. */
export class RequirementFailed extends FactError {
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

/** The target as configured does not offer what the check needs. */
export class NotObservable extends Error {
  override readonly name = 'NotObservable';
  readonly needs: string;

  constructor(needs: string) {
    super(`needs ${needs}`);
    this.needs = needs;
  }
}

/** The configuration leaves out what the check needs, and the report says so. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
  readonly by: string;

  constructor(by: string, why: string) {
    super(why);
    this.by = by;
  }
}
