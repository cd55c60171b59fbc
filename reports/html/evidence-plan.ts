/**
 * How much evidence the page shows. All of it stands in results.json; a page that takes seconds to open is read by
 * nobody, so it holds so many characters of exchanges and no more: first what shows a break, then the rest of what
 * broke or stayed open, then one exchange for each check that passed, as far as there is room.
 */
import type { Exchange } from '../../schemas/facts.ts';
import type { ResultCheck } from '../../schemas/results.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import { tellingExchange } from '../essentials.ts';
import { worstFirst } from '../severity.ts';

/** Characters for all exchanges together: what the other parts of a check leave of a page that opens at once. */
const PAGE = 1_150_000;
const PART_OF_A_CHECK = 1500;
const LEAST_ROOM = 100_000;
const MOST_OF_A_CHECK = 6;
/** Markup, headers and labels around the two bodies. */
const FRAME = 900;
/** Such characters are written as several. */
const ESCAPED = /[&<>"'`]/g;
const ESCAPED_LENGTH = 6;
const ADDRESS = 160;

export const BODY_CHARACTERS = 1500;
/** What held is shown as an example, not to be studied. */
export const PASSED_BODY_CHARACTERS = 300;

const held: ReadonlySet<Verdict> = new Set(['pass', 'observed', 'not-observable', 'skipped']);

export const isHeld = ({ verdict }: Pick<ResultCheck, 'verdict'>): boolean => held.has(verdict);

/** Found broken, also where a baseline expects it: its details start with the exchange that shows it. */
export const broke = ({ verdict }: Pick<ResultCheck, 'verdict'>): boolean =>
  ['fail', 'warn', 'known'].includes(verdict);

function cost(exchange: Exchange, most: number): number {
  const bodies = [exchange.requestBody, exchange.responseBody].map((one = '') => {
    const text = one.slice(0, most);
    return text.length + (text.match(ESCAPED)?.length ?? 0) * (ESCAPED_LENGTH - 1);
  });
  return FRAME + Math.min(exchange.url.length, ADDRESS) + bodies.reduce((sum, one) => sum + one, 0);
}

/** The exchanges that the page shows of each check, by its id; the others are named by their number. */
export function evidencePlan(checks: readonly ResultCheck[]): ReadonlyMap<string, readonly Exchange[]> {
  const plan = new Map<string, Exchange[]>();
  let room = Math.max(LEAST_ROOM, PAGE - PART_OF_A_CHECK * checks.length);
  const take = (check: ResultCheck, exchange: Exchange | undefined): void => {
    if (!exchange) return;
    const price = cost(exchange, isHeld(check) ? PASSED_BODY_CHARACTERS : BODY_CHARACTERS);
    if (price > room) return;
    room -= price;
    plan.set(check.id, [...(plan.get(check.id) ?? []), exchange]);
  };
  const sorted = worstFirst(checks);
  const unsettled = sorted.filter((check) => !isHeld(check));
  for (const check of unsettled) take(check, tellingExchange(check));
  for (const check of unsettled) {
    const telling = tellingExchange(check);
    const others = (check.evidence?.exchanges ?? []).filter((one) => one !== telling);
    for (const one of others.slice(0, MOST_OF_A_CHECK - 1)) take(check, one);
  }
  for (const check of sorted.filter(isHeld)) take(check, check.evidence?.exchanges?.[0]);
  return plan;
}
