/**
 * What weakens evidence, whatever it seems to show, as data: a generator that stumbled, other traffic, a missing answer.
 * One gate applies all of it, so that no judge can forget any.
 */
import { type Claim, unclear } from './claim.ts';

export interface Doubt {
  readonly reason: string;
  /** What it takes away: that a promise is kept, that it is broken, or any answer at all. */
  readonly undermines: 'pass' | 'fail' | 'both';
  /** The checks that it is about, by id or its end, such as `guarantee`; absent: all. */
  readonly of?: readonly string[];
  /** Those of them that it does not touch. */
  readonly except?: readonly string[];
}

/** The same claims, but for those that a doubt undermines: these are inconclusive, for the first such reason. */
export function gate(claims: Record<string, Claim>, doubts: readonly Doubt[]): Record<string, Claim> {
  const gated = Object.entries(claims).map(([id, claim]): [string, Claim] => {
    const doubt = doubts.find((one) => isAbout(one, id) && takes(one, claim));
    return [id, doubt ? unclear(claim.expected, claim.observed, doubt.reason) : claim];
  });
  return Object.fromEntries(gated);
}

function isAbout({ of, except = [] }: Doubt, id: string): boolean {
  const isOne = (name: string): boolean => id === name || id.endsWith(`.${name}`);
  return !except.some(isOne) && (of?.some(isOne) ?? true);
}

function takes({ undermines }: Doubt, { verdict }: Claim): boolean {
  if (verdict === 'holds') return undermines !== 'fail';
  if (verdict === 'broken') return undermines !== 'pass';
  // What is missing is missing for the same reason, and a reason found further on would only lead astray.
  return verdict === 'inconclusive' && undermines === 'both';
}

/** A doubt where there is a reason for one. */
export const doubt = (
  undermines: Doubt['undermines'],
  reason: string | undefined,
  about: Pick<Doubt, 'of' | 'except'> = {},
): readonly Doubt[] => (reason === undefined ? [] : [{ undermines, reason, ...about }]);
