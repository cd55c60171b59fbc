/**
 * The exchanges that the page shows. results.json has all of them; the page has those of checks that did not hold, up to
 * a total length: first the one that shows each break, then the others.
 */
import type { Exchange } from '../../schemas/facts.ts';
import type { ResultCheck } from '../../schemas/results.ts';
import { tellingExchange } from '../essentials.ts';
import { withoutFinding, worstFirst } from '../severity.ts';

/** Characters for all exchanges together, so that the page opens at once however much broke. */
const ROOM = 400_000;
const MOST_OF_A_CHECK = 6;
/** Markup, headers and labels around the two bodies. */
const FRAME = 900;
/** Such characters are written as several. */
const ESCAPED = /[&<>"'`]/g;
const ESCAPED_LENGTH = 6;
const ADDRESS = 160;

export const BODY_CHARACTERS = 1500;

/** Found broken, also where a baseline expects it: its details start with the exchange that shows it. */
export const broke = ({ verdict }: Pick<ResultCheck, 'verdict'>): boolean =>
  ['fail', 'warn', 'known'].includes(verdict);

function cost(exchange: Exchange): number {
  const bodies = [exchange.requestBody, exchange.responseBody].map((one = '') => {
    const text = one.slice(0, BODY_CHARACTERS);
    return text.length + (text.match(ESCAPED)?.length ?? 0) * (ESCAPED_LENGTH - 1);
  });
  return FRAME + Math.min(exchange.url.length, ADDRESS) + bodies.reduce((sum, one) => sum + one, 0);
}

/** The exchanges that the page shows of each check, by its id; the others are named by their number. */
export function evidencePlan(checks: readonly ResultCheck[]): ReadonlyMap<string, readonly Exchange[]> {
  const plan = new Map<string, Exchange[]>();
  let room = ROOM;
  const take = (check: ResultCheck, exchange: Exchange | undefined): void => {
    if (!exchange) return;
    const price = cost(exchange);
    if (price > room) return;
    room -= price;
    plan.set(check.id, [...(plan.get(check.id) ?? []), exchange]);
  };
  const unsettled = worstFirst(checks).filter(({ verdict }) => !withoutFinding.has(verdict));
  for (const check of unsettled) take(check, tellingExchange(check));
  for (const check of unsettled) {
    const telling = tellingExchange(check);
    const others = (check.evidence?.exchanges ?? []).filter((one) => one !== telling);
    for (const one of others.slice(0, MOST_OF_A_CHECK - 1)) take(check, one);
  }
  return plan;
}
