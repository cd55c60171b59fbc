/**
 * Ledger -> latency of its paced phases. Bursts are left out: their requests wait for one another in the sender, so
 * their latency is that of a queue which nobody but the sender has.
 *
 * Everything is kept as it was measured, request by request, so that percentiles over several ledgers are exact.
 */
import { type PacedPhase, type PacedRequests, type StatusClass, statusClassOf } from '../../schemas/latency.ts';
import type { LedgerRow } from '../../schemas/ledger-rows.ts';
import type { OperationId } from '../../schemas/operations.ts';
import { idInTurn } from '../execute/requests.ts';
import { pollTimes, slots, watchSpan } from '../k6/lib/schedule.ts';
import type { ProbeParameters } from '../probe.ts';
import { keep } from './keep.ts';
import { ownLateness } from './own-lateness.ts';

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
  const { operation, siblings, vus, polls, pace } = parameters;
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
      moments: slots(pace),
      periodMs: pace.periodMs,
      operations: [operation, ...siblings],
      connections: Math.min(vus, slots(pace)),
    },
    {
      phase: 'watch',
      moments: operation === 'run' ? slots(watch) : 0,
      periodMs: watch.periodMs,
      operations: ['health'],
      connections: 1,
    },
  ];
  return all.filter(({ moments }) => moments > 0);
}

/** What became of each schedule. One of which nothing was sent is there too: it was planned. */
export function pacedPhases(entries: readonly LedgerRow[], schedules: readonly Schedule[]): PacedPhase[] {
  return schedules.map((schedule) => {
    const isOwn = (entry: LedgerRow): entry is Scheduled => entry.phase === schedule.phase && isScheduled(entry);
    const own = keep(entries, isOwn).toSorted((a, b) => a.begunMs - b.begunMs);
    const firstMs = own.reduce((least, { dueMs }) => Math.min(least, dueMs), Number.POSITIVE_INFINITY);
    return {
      phase: schedule.phase,
      periodMs: schedule.periodMs,
      planned: plannedBy(schedule),
      tookMs: own.length === 0 ? 0 : (own.at(-1)?.begunMs ?? firstMs) - firstMs,
      requests: grouped(own, ownLateness(own, schedule.connections)),
    };
  });
}

interface Scheduled extends LedgerRow {
  readonly dueMs: number;
  readonly begunMs: number;
}

const isScheduled = (entry: LedgerRow): entry is Scheduled => entry.dueMs !== undefined && entry.begunMs !== undefined;

function plannedBy({ moments, operations }: Schedule): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let slot = 0; slot < moments; slot += 1) {
    const id = idInTurn(operations, slot);
    counts[id] = (counts[id] ?? 0) + 1;
  }
  return counts;
}

interface Columns {
  readonly operation: string;
  readonly statusClass: StatusClass;
  readonly dueToEndMs: number[];
  readonly sentToEndMs: number[];
  readonly sentToFirstByteMs: number[];
  readonly lateMs: number[];
  readonly ownLateMs: number[];
}

const micro = (ms: number): number => Math.round(ms * 1000) / 1000;

function grouped(entries: readonly Scheduled[], own: readonly number[]): PacedRequests[] {
  const groups = groupsOf(entries);
  const filled = new Map<Columns, number>();
  entries.forEach(({ operation, status, dueMs, begunMs, sentMs, firstByteMs, endMs }, index) => {
    const group = groups.get(operation)?.get(statusClassOf(status));
    if (!group) return;
    const at = filled.get(group) ?? 0;
    group.dueToEndMs[at] = took(dueMs, endMs);
    group.sentToEndMs[at] = took(sentMs, endMs);
    group.sentToFirstByteMs[at] = took(sentMs, firstByteMs);
    group.lateMs[at] = took(dueMs, begunMs);
    group.ownLateMs[at] = micro(own[index] ?? 0);
    filled.set(group, at + 1);
  });
  return [...filled.keys()];
}

type ByClass<T> = Map<StatusClass, T>;

/**
 * The lists of each operation and class, as long as they will be, since one that grows leaves several of its size behind.
 * In two steps: a key made of both would be a new text for each of a million requests.
 */
function groupsOf(entries: readonly Scheduled[]): ReadonlyMap<string, ByClass<Columns>> {
  const counts = new Map<string, ByClass<number>>();
  for (const { operation, status } of entries) {
    const classes = counts.get(operation) ?? new Map<StatusClass, number>();
    if (classes.size === 0) counts.set(operation, classes);
    const statusClass = statusClassOf(status);
    classes.set(statusClass, (classes.get(statusClass) ?? 0) + 1);
  }
  const columnsOf = (operation: string, classes: ByClass<number>) =>
    new Map([...classes].map(([statusClass, length]) => [statusClass, columns(operation, statusClass, length)]));
  return new Map([...counts].map(([operation, classes]) => [operation, columnsOf(operation, classes)]));
}

function columns(operation: string, statusClass: StatusClass, length: number): Columns {
  const list = () => new Array<number>(length);
  return {
    operation,
    statusClass,
    dueToEndMs: list(),
    sentToEndMs: list(),
    sentToFirstByteMs: list(),
    lateMs: list(),
    ownLateMs: list(),
  };
}

/** A clock set back while a request was on its way is told elsewhere; here it must not make a time negative. */
function took(fromMs: number, toMs: number): number {
  return micro(Math.max(0, toMs - fromMs));
}
