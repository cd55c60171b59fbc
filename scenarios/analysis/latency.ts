/**
 * Ledger -> latency of its paced phases. Bursts are left out: their requests wait for one another in the sender, so
 * their latency is that of a queue in the sender alone.
 *
 * Everything is kept as it was measured, request by request, so that percentiles over several ledgers are exact.
 */
import { type PacedPhase, type PacedRequests, type StatusClass, statusClassOf } from '../../schemas/latency.ts';
import type { LedgerEntry } from '../../schemas/ledger.ts';
import type { Many } from '../../schemas/ledger-rows.ts';
import { leavesJobs, type OperationId } from '../../schemas/operations.ts';
import { idInTurn } from '../execute/requests.ts';
import { pollTimes, slots, slotsIn, watchSpan } from '../k6/lib/schedule.ts';
import type { ProbeParameters } from '../probe.ts';
import { column, leastOf } from './column.ts';

/** Moments of one request, ms on one clock. */
export type Turn = Pick<LedgerEntry, 'dueMs' | 'begunMs' | 'endMs'>;

/**
 * For each of the turns, in the order in which they begin: how long after its moment, and after a connection was free
 * for it, its sender began. While all connections wait for answers, nothing can be sent, and that is the target's doing;
 * a request that was not sent although a connection was free is late by the sender.
 */
export function ownLateness(turns: Many<Turn>, connections: number): Float64Array {
  const busyUntil: number[] = [];
  return column(turns, ({ dueMs = Number.NaN, begunMs = dueMs, endMs }) => {
    const freeMs = busyUntil.length < connections ? Number.NEGATIVE_INFINITY : takeLeast(busyUntil);
    insert(busyUntil, endMs);
    return Math.max(0, begunMs - Math.max(dueMs, freeMs));
  });
}

function takeLeast(heap: number[]): number {
  const least = heap[0] ?? Number.NEGATIVE_INFINITY;
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return least;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const child =
      (heap[left + 1] ?? Number.POSITIVE_INFINITY) < (heap[left] ?? Number.POSITIVE_INFINITY) ? left + 1 : left;
    const value = heap[child];
    if (value === undefined || value >= last) break;
    heap[at] = value;
    at = child;
  }
  heap[at] = last;
  return least;
}

function insert(heap: number[], value: number): void {
  let at = heap.length;
  heap.push(value);
  while (at > 0) {
    const parent = (at - 1) >>> 1;
    const above = heap[parent] ?? value;
    if (above <= value) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = value;
}

/** A phase whose every request has its moment. */
export interface Schedule {
  readonly phase: string;
  readonly moments: number;
  readonly periodMs: number;
  /** Taken in turn. */
  readonly operations: readonly OperationId[];
  /** How many requests it can have in flight. */
  readonly connections: number;
}

/** The paced phases that a probe of this kind has; none for those that only send bursts or one by one. */
export function schedulesOf(parameters: ProbeParameters): readonly Schedule[] {
  if (parameters.kind === 'unlimited') {
    const { operation, vus, periodMs, durationMs } = parameters;
    const moments = slots({ fromMs: 0, periodMs, untilMs: durationMs });
    return [{ phase: 'pace', moments, periodMs, operations: [operation], connections: vus }];
  }
  if (parameters.kind !== 'rate') return [];
  const { operation, siblings, vus, polls, paces } = parameters;
  const watch = watchSpan(parameters);
  const all: readonly Schedule[] = [
    {
      phase: 'poll',
      moments: pollTimes(polls).length,
      periodMs: polls.spans[0]?.periodMs ?? 0,
      operations: [operation],
      connections: 1,
    },
    {
      phase: 'pace',
      moments: slotsIn(paces),
      periodMs: paces[0]?.periodMs ?? 0,
      operations: [operation, ...siblings],
      connections: Math.min(vus, slotsIn(paces)),
    },
    {
      phase: 'watch',
      moments: leavesJobs(operation) ? slots(watch) : 0,
      periodMs: watch.periodMs,
      operations: ['health'],
      connections: 1,
    },
  ];
  return all.filter(({ moments }) => moments > 0);
}

/** What became of each schedule. One of which nothing was sent is there too: it was planned. */
export function pacedPhases(rows: Many<LedgerEntry>, schedules: readonly Schedule[]): PacedPhase[] {
  return schedules.map((schedule) => {
    const own = rows
      .filter((row) => row.phase === schedule.phase && row.dueMs !== undefined && row.begunMs !== undefined)
      .toSorted((a, b) => begunMsOf(a) - begunMsOf(b));
    const begunMs = column(own, begunMsOf);
    return {
      phase: schedule.phase,
      periodMs: schedule.periodMs,
      planned: plannedBy(schedule),
      tookMs: own.length === 0 ? 0 : (begunMs.at(-1) ?? 0) - leastOf(own, dueMsOf),
      requests: grouped(own, ownLateness(own, schedule.connections)),
    };
  });
}

const dueMsOf = ({ dueMs }: LedgerEntry): number => dueMs ?? Number.NaN;
const begunMsOf = ({ begunMs }: LedgerEntry): number => begunMs ?? Number.NaN;

function plannedBy({ moments, operations }: Schedule): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let slot = 0; slot < moments; slot += 1) {
    const id = idInTurn(operations, slot);
    counts[id] = (counts[id] ?? 0) + 1;
  }
  return counts;
}

const micro = (ms: number): number => Math.round(ms * 1000) / 1000;

/** @param lateness of each row, the sender's own */
function grouped(rows: Many<LedgerEntry>, lateness: Float64Array): PacedRequests[] {
  // In two steps: a key made of both would be a new text for each of a million requests.
  const numbers = new Map<string, Map<StatusClass, number>>();
  const groups: Pick<PacedRequests, 'operation' | 'statusClass'>[] = [];
  const groupOf = column(rows, ({ operation, status }) => {
    const classes = numbers.get(operation) ?? new Map<StatusClass, number>();
    numbers.set(operation, classes);
    const statusClass = statusClassOf(status);
    const group = classes.get(statusClass) ?? groups.push({ operation, statusClass }) - 1;
    classes.set(statusClass, group);
    return group;
  });
  return groups.map((group, number) => {
    const isOne = (_: unknown, index: number): boolean => groupOf[index] === number;
    const own = rows.filter(isOne);
    return {
      ...group,
      dueToEndMs: listOf(own, (row) => took(dueMsOf(row), row.endMs)),
      sentToEndMs: listOf(own, ({ sentMs, endMs }) => took(sentMs, endMs)),
      sentToFirstByteMs: listOf(own, ({ sentMs, firstByteMs }) => took(sentMs, firstByteMs)),
      lateMs: listOf(own, (row) => took(dueMsOf(row), begunMsOf(row))),
      ownLateMs: Array.from(lateness.filter(isOne), micro),
    };
  });
}

/** `map` gives lists of anything, in which a number takes three times as much. */
function listOf(rows: Many<LedgerEntry>, pick: (row: LedgerEntry) => number): number[] {
  const list = new Array<number>(rows.length);
  rows.forEach((row, index) => {
    list[index] = pick(row);
  });
  return list;
}

/**
 * A clock that is set back while a request is on its way is reported elsewhere; here it must not make a time negative.
 */
function took(fromMs: number, toMs: number): number {
  return micro(Math.max(0, toMs - fromMs));
}
