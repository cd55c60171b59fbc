/**
 * What one probe needs to know of the others before it may blame its own limit: a refusal is a rate limit's only if
 * neither the concurrency limit nor the queue can explain it, as documented and as measured in this run.
 */
import type { ConcurrencyFacts, LoadFacts, QueueFacts, RateFacts } from '../../schemas/facts.ts';
import { documentedTable, isAdded, type Limit, type LimitTable } from '../../schemas/limits.ts';
import type { BudgetId, HttpMethod, OperationId } from '../../schemas/operations.ts';
import type { EndpointConfig } from '../../schemas/target.ts';
import { measureConcurrency, refusesHeldRequests } from '../kinds/concurrency/measure.ts';
import { queueRefusals } from '../kinds/queue/measure.ts';
import { measureRate } from '../kinds/rate/survivors.ts';
import { narrowest } from './measure.ts';

export interface JudgingContext {
  /** All that was seen of the rate limits of the spec's operations: what the spec says of these together. */
  readonly rates: readonly RateFacts[];
  /** The limits that are promised. */
  readonly table: LimitTable;
  /** The rate that is surely allowed, requests per window: the lower of documented and measured. */
  rateFloor(budget: BudgetId): number;
  /** Requests at once that are surely allowed. */
  concurrencyFloor(budget: BudgetId): number;
  /** The same as far as this run has measured it; 0 where it has not. */
  concurrencyProven(budget: BudgetId): number;
  /** The queue, in jobs, within which this endpoint surely refuses nothing. */
  queueFloor(instId: string): number;
  /** Whether others may be using the endpoint, and so its budgets. */
  shared(instId: string): boolean;
  /** Whether this target counts requests whose body is still arriving, as seen on any limit of the interface. */
  countsHeldRequests(limit: Limit): boolean;
}

/** The spec's own, in an order that does not depend on which probe was done first: sentences list them. */
function inTableOrder(rates: readonly RateFacts[], table: LimitTable): readonly RateFacts[] {
  const own = table.rows.filter((row) => !isAdded(row)).map(({ id }) => id);
  return own.flatMap((id) => rates.filter(({ limitId }) => limitId === id));
}

export function judgingContext(
  facts: readonly LoadFacts[],
  endpoints: readonly EndpointConfig[],
  table: LimitTable = documentedTable,
): JudgingContext {
  const rates = facts.filter((one): one is RateFacts => one.kind === 'rate');
  const concurrencies = facts.filter((one): one is ConcurrencyFacts => one.kind === 'concurrency');
  const queues = facts.filter((one): one is QueueFacts => one.kind === 'queue');
  const lowest = (values: readonly number[]) => values.reduce((least, value) => Math.min(least, value), Infinity);
  const rateFloor = (budget: BudgetId): number => {
    const limit = table.find('requests', budget);
    const own = rates.filter((one) => one.limitId === limit?.id);
    // Whose every request was refused, as where another one spends it, may refuse anything else too.
    if (own.some(({ mostAdmitted, overflow }) => mostAdmitted === 0 && overflow.refused > 0)) return 0;
    return Math.min(limit?.value ?? Infinity, narrowest(own.map(measureRate))?.lower ?? Infinity);
  };
  const rateMayRefuse = ({ limitId, opened }: ConcurrencyFacts): boolean => {
    const row = table.rows.find((one) => one.id === limitId);
    return row !== undefined && opened > rateFloor(row.budget);
  };
  return {
    table,
    rates: inTableOrder(rates, table),
    rateFloor,
    concurrencyFloor(budget) {
      const limit = table.find('concurrent-requests', budget);
      // What the rate limit may have refused shows no lower one: each would excuse the other.
      const own = concurrencies.filter(
        (one) => one.limitId === limit?.id && measureConcurrency(one) !== null && !rateMayRefuse(one),
      );
      // Waiting jobs fill the queue too, so where held bodies gave an answer theirs is the better one.
      const held = own.filter((one) => one.technique !== 'long-poll');
      const measured = (held.length > 0 ? held : own).map((one) => measureConcurrency(one)?.lower ?? Infinity);
      return Math.min(limit?.value ?? Infinity, lowest(measured));
    },
    concurrencyProven(budget) {
      const limit = table.find('concurrent-requests', budget);
      const own = concurrencies.filter((one) => one.limitId === limit?.id);
      const measured = own.flatMap((one) => measureConcurrency(one)?.lower ?? []);
      return measured.length === 0 ? 0 : lowest(measured);
    },
    queueFloor(instId) {
      const limit = table.find('queue', 'run');
      const workersMax = endpoints.find((one) => one.instId === instId)?.workersMax ?? 0;
      const documented = limit ? Math.max(limit.value, limit.perWorker * workersMax) : Infinity;
      // A queue that refuses below its own border is broken, and then no better on another endpoint.
      const broken = queues.flatMap((one) => queueRefusals(one).filter((attempt) => attempt.queuedMax < one.border));
      return Math.min(documented, lowest(broken.map((attempt) => attempt.queuedMin)));
    },
    shared: (instId) => endpoints.some((one) => one.instId === instId && !one.dedicated),
    countsHeldRequests(limit) {
      const sameInterface = (id: string) => table.rows.some((one) => one.id === id && one.section === limit.section);
      const requested = methodsSent(limit.operations, table);
      // A body that is buffered before anything is counted may be so for POST alone, or for GET.
      const alike = (one: ConcurrencyFacts) =>
        methodsSent(one.operations, table, one.getAnsweredAtOnce !== undefined).some((method) =>
          requested.includes(method),
        );
      return concurrencies.some(
        (one) => sameInterface(one.limitId) && alike(one) && refusesHeldRequests(one) && !rateMayRefuse(one),
      );
    },
  };
}

/** Of these operations, as the probes send them: POST alone where a GET was not kept waiting. */
function methodsSent(ids: readonly OperationId[], table: LimitTable, postOnly = false): readonly HttpMethod[] {
  return ids.flatMap((id) => {
    const { methods } = table.operation(id);
    return postOnly && methods.includes('POST') ? (['POST'] as const) : methods;
  });
}
