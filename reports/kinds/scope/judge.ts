/** Facts of a scope probe -> what is recorded: whose requests are counted together. Nothing of it is promised. */
import type { ScopeAnswers, ScopeDifference, ScopeFacts } from '../../../schemas/facts.ts';
import { scopeCheckId } from '../../../schemas/load-checks.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { type Claim, claimOf, holds, inconclusive } from '../../verdicts/claim.ts';
import { brokenLedger, statusText } from '../../verdicts/evidence.ts';

const EXPECTED = 'recorded, not judged';

/** What a difference that could not be tested needs. */
const needed: Readonly<Partial<Record<ScopeDifference, string>>> = {
  endpoint: 'a second endpoint (--inst-id)',
  account: 'a valid key of another account (PROOFLOAD_OTHER_KEY)',
  address: 'a second address of this machine (--other-address)',
};

export function judgeScope(facts: ScopeFacts): Record<string, Claim> {
  return { [scopeCheckId(facts.limitId)]: claimFor(facts) };
}

function claimFor(facts: ScopeFacts): Claim {
  const { usual, variants, technique, servedAfter } = facts;
  const sent = variants.filter((one) => countOf(one) > 0);
  // Where the limit could not be reached, nothing else was sent.
  const isReached = usual.refused > 0 && servedAfter !== false;
  const missing = !isReached
    ? []
    : (Object.keys(needed) as ScopeDifference[]).filter((by) => !sent.some((one) => one.by === by));
  const seen =
    [...sent.map(wordsFor), ...missing.map((by) => `${by}: not tested, needs ${needed[by]}`)].join('; ') ||
    'no request was sent';
  const broken = brokenLedger(facts.health);
  if (broken) return inconclusive(EXPECTED, seen, broken);
  if (usual.refused === 0) {
    const none = grouped`none of ${usual.sent} requests got a 429`;
    if (technique === 'spend') return inconclusive(EXPECTED, seen, `the limit could not be exhausted: ${none}`);
    const needs = `a limit that counts requests whose body is still to come: while those were held, ${none}`;
    return claimOf({ kind: 'not-observable', needs }, EXPECTED);
  }
  if (servedAfter === false) {
    return inconclusive(EXPECTED, seen, 'the request was refused also when nothing was held any more');
  }
  if (sent.length === 0) {
    const needs = `another client: ${missing.map((by) => needed[by]).join(', or ')}`;
    return claimOf({ kind: 'not-observable', needs }, EXPECTED);
  }
  const reported = sent.filter(({ admitted, refused }) => admitted + refused > 0);
  return reported.length > 0 ? holds(EXPECTED, seen) : inconclusive(EXPECTED, seen, 'no response was conclusive');
}

const countOf = ({ admitted, refused, otherwise, unsure }: ScopeAnswers): number =>
  admitted + refused + unsure + Object.values(otherwise).reduce((sum, count) => sum + count, 0);

function wordsFor(one: ScopeAnswers): string {
  return `${nameOf(one)}: ${fateOf(one)}`;
}

function nameOf({ by, name }: ScopeAnswers): string {
  return name === '' ? `another ${by}` : `${by} ${name}`;
}

/**
 * A rate limit of its own has room for all that is sent, so one refusal is enough: a request was served when a slot
 * became free.
 */
function fateOf({ admitted, refused, otherwise }: ScopeAnswers): string {
  if (refused > 0) return grouped`same budget (${refused} of ${refused + admitted} refused)`;
  if (admitted > 0) return grouped`separate budget (${admitted} served)`;
  if (Object.keys(otherwise).length > 0) return `unknown, answered ${statusText(otherwise)}`;
  return 'inconclusive, the limit was free again';
}
