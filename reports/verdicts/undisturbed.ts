/**
 * Whether a rate probe had its limit to itself. Probes that start together send a job or two to prepare themselves, long
 * before the burst of another that such a job would count against. On a machine so busy that one of them gets going
 * seconds after the others, that job falls into a window that was to be idle, and the burst is refused one too early.
 */
import type { LoadFacts, RateFacts } from '../../schemas/facts.ts';
import type { LimitTable } from '../../schemas/limits.ts';
import { type Claim, unclear } from './claim.ts';

/** A request counts from when it arrives, and a limiter's window need not end to the millisecond. */
const MARGIN_MS = 50;

/** What others send besides can make a limit look smaller than it is, so it can do no harm to these. */
const STANDS: Readonly<Record<string, Claim['verdict']>> = { guarantee: 'holds', enforced: 'broken' };

/** The same claims, but for those on counts that requests of other probes are in. */
export function undisturbed(
  facts: LoadFacts,
  all: readonly LoadFacts[],
  table: LimitTable,
  claims: Record<string, Claim>,
): Record<string, Claim> {
  if (facts.kind !== 'rate') return claims;
  const own = Object.entries(claims).map(([id, claim]): [string, Claim] => {
    const counted = ['holds', 'broken'].includes(claim.verdict) && STANDS[id.split('.').at(-1) ?? ''] !== claim.verdict;
    const others = counted ? disturbance(id, facts, all, table) : 0;
    const why = `${others} requests with which other probes prepared themselves fell into its windows, on a machine too busy to start them together`;
    return [id, others === 0 ? claim : unclear(claim.expected, claim.observed, why)];
  });
  return Object.fromEntries(own);
}

/** How many requests of others count against this limit while this claim's requests do. */
function disturbance(id: string, facts: RateFacts, all: readonly LoadFacts[], table: LimitTable): number {
  const { zeroMs } = facts.health;
  const operations: readonly string[] = table.of('requests').find((one) => one.id === facts.limitId)?.operations ?? [];
  const lastMs = lastOf(id, facts);
  if (zeroMs === undefined || lastMs === null) return 0;
  const fromMs = zeroMs + facts.burst.fromMs - facts.windowMs - MARGIN_MS;
  return all
    .flatMap((other) => (other === facts || !('health' in other) ? [] : (other.health.preparation ?? [])))
    .filter(({ operation }) => operations.includes(operation))
    .filter(({ atMs, untilMs = atMs }) => untilMs >= fromMs && atMs <= zeroMs + lastMs).length;
}

/** When the last request was answered that this claim is about; null for one that rests on no count. */
function lastOf(id: string, { burst, over, pace }: RateFacts): number | null {
  if (id.endsWith('.guarantee')) return Math.max(burst.toMs, over.toMs, pace.toMs);
  return id.endsWith('.enforced') ? Math.max(burst.toMs, over.toMs) : null;
}
