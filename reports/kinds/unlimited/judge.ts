/** Facts of load on an operation without a stated limit -> its one claim (spec part 8.2: health). */
import type { UnlimitedFacts } from '../../../schemas/facts.ts';
import { highestRate, type LimitTable } from '../../../schemas/limits.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { broken, type Claim, holds, inconclusive } from '../../verdicts/claim.ts';
import { brokenLedger, missingAnswers, neverServed, serverErrorIn, statusText } from '../../verdicts/evidence.ts';

export function judgeUnlimited(facts: UnlimitedFacts, table: LimitTable): Claim {
  const highest = highestRate(table)?.value ?? 0;
  const expected = grouped`no refusal, also beyond ${highest} requests in a window`;
  const { part } = facts;
  const seen = grouped`${part.refused} of ${part.sent} refused, at most ${facts.fullestWindow} in a window (${statusText(part.statuses)})`;
  const overload = serverErrorIn(part.statuses) !== undefined;
  if (part.refused > 0) {
    return overload ? inconclusive(expected, seen, 'a server error may be an overload') : broken(expected, seen);
  }
  const weak =
    brokenLedger(facts.health) ??
    neverServed(table.operation(facts.operation), [], [part.statuses]) ??
    missingAnswers(facts.health, part.sent - part.admitted - part.refused);
  if (weak) return inconclusive(expected, seen, weak);
  if (facts.fullestWindow <= highest)
    return inconclusive(expected, seen, 'the load was not above the highest rate limit');
  return holds(expected, seen);
}
