/**
 * Every number of spec part 8, and the queue rule of part 7, as one typed table. The reference enforces it, the
 * planner and the probes are built from it, the report prints it. No number of the spec stands anywhere else.
 *
 * Units are those of the IETF RateLimit fields: `requests` per window, `content-bytes`, `concurrent-requests`.
 */
import {
  type BudgetId,
  type DocumentedBudgetId,
  type DocumentedOperationId,
  isSubmitting,
  type Operation,
  type OperationId,
  type Submitting,
} from './operations.ts';
import { isDocumentedOperation, type OwnOperation, operationIn } from './own.ts';

export const limitKinds = ['requests', 'concurrent-requests', 'content-bytes', 'queue', 'retention'] as const;
export type LimitKind = (typeof limitKinds)[number];

/** Whose operations a row speaks of: those of the spec alone, or also those that a configuration adds. */
interface Names {
  readonly operation: OperationId;
  readonly budget: BudgetId;
}

interface DocumentedNames extends Names {
  readonly operation: DocumentedOperationId;
  readonly budget: DocumentedBudgetId;
}

/** Section of the rows that a configuration promises and not the spec. */
export const OWN_SECTION = 'configuration';

interface LimitBase<N extends Names> {
  /** `BUDGET.rate`, `.concurrency`, `.payload`, `.queue`, `.retention`. */
  readonly id: string;
  readonly budget: N['budget'];
  /** The operations that count against it together. */
  readonly operations: readonly N['operation'][];
  /** Of the spec, or OWN_SECTION. */
  readonly section: string;
}

/** At most `value` requests in any `windowMs` milliseconds. */
export interface RateLimit<N extends Names = Names> extends LimitBase<N> {
  readonly kind: 'requests';
  readonly value: number;
  readonly windowMs: number;
}

/** At most `value` requests in flight at once, per endpoint or per client address. */
export interface ConcurrencyLimit<N extends Names = Names> extends LimitBase<N> {
  readonly kind: 'concurrent-requests';
  readonly value: number;
  readonly per: 'endpoint' | 'address';
}

/**
 * A body of at most `value` bytes is accepted. The spec writes megabytes without saying which: a body within the
 * decimal reading (`value`) must be accepted, one beyond the binary reading (`upperReading`) must be refused, and
 * between the two nothing is promised.
 */
export interface PayloadLimit<N extends Names = Names> extends LimitBase<N> {
  readonly kind: 'content-bytes';
  readonly value: number;
  readonly upperReading: number;
}

/** Refused with `status` exactly when the queue exceeds both `value` jobs and WorkersMax x `perWorker` jobs. */
export interface QueueLimit<N extends Names = Names> extends LimitBase<N> {
  readonly kind: 'queue';
  readonly value: number;
  readonly perWorker: number;
  readonly status: number;
}

/** A finished job stays available for `value` milliseconds after its completion. */
export interface RetentionLimit<N extends Names = Names> extends LimitBase<N> {
  readonly kind: 'retention';
  readonly value: number;
}

export type Limit<N extends Names = Names> =
  | RateLimit<N>
  | ConcurrencyLimit<N>
  | PayloadLimit<N>
  | QueueLimit<N>
  | RetentionLimit<N>;

export type DocumentedLimit = Limit<DocumentedNames>;

const WINDOW_MS = 10_000;
const MINUTE_MS = 60_000;
const MEGABYTE = 1_000_000;
const MEBIBYTE = 1_048_576;
/** An operation with a budget of its own name. */
type Both = DocumentedBudgetId & DocumentedOperationId;

const STATUS_FAMILY: readonly DocumentedOperationId[] = ['status', 'status-sync', 'stream'];

function rate(
  budget: DocumentedBudgetId,
  operations: readonly DocumentedOperationId[],
  value: number,
): RateLimit<DocumentedNames> {
  return { id: `${budget}.rate`, kind: 'requests', budget, operations, value, windowMs: WINDOW_MS, section: '8.2' };
}

function concurrency(
  budget: DocumentedBudgetId,
  operations: readonly DocumentedOperationId[],
  value: number,
): ConcurrencyLimit<DocumentedNames> {
  const jobs = budget !== 'inference';
  return {
    id: `${budget}.concurrency`,
    kind: 'concurrent-requests',
    budget,
    operations,
    value,
    per: jobs ? 'endpoint' : 'address',
    section: jobs ? '8.2' : '8.1',
  };
}

function payload(budget: Both, megabytes: number): PayloadLimit<DocumentedNames> {
  const [value, upperReading] = [megabytes * MEGABYTE, megabytes * MEBIBYTE];
  return {
    id: `${budget}.payload`,
    kind: 'content-bytes',
    budget,
    operations: [budget],
    value,
    upperReading,
    section: '8.2',
  };
}

function queue(budget: Both): QueueLimit<DocumentedNames> {
  return {
    id: `${budget}.queue`,
    kind: 'queue',
    budget,
    operations: [budget],
    value: 50,
    perWorker: 500,
    status: 429,
    section: '7',
  };
}

function retention(budget: Both, value: number): RetentionLimit<DocumentedNames> {
  return { id: `${budget}.retention`, kind: 'retention', budget, operations: [budget], value, section: '8.2' };
}

export const limits: readonly DocumentedLimit[] = [
  concurrency('inference', ['models', 'chat', 'completions'], 1000),
  rate('run', ['run'], 1000),
  concurrency('run', ['run'], 200),
  payload('run', 10),
  queue('run'),
  retention('run', 30 * MINUTE_MS),
  rate('runsync', ['runsync'], 2000),
  concurrency('runsync', ['runsync'], 400),
  payload('runsync', 20),
  queue('runsync'),
  retention('runsync', MINUTE_MS),
  rate('status', STATUS_FAMILY, 2000),
  concurrency('status', STATUS_FAMILY, 400),
  rate('cancel', ['cancel'], 100),
  concurrency('cancel', ['cancel'], 20),
  rate('purge-queue', ['purge-queue'], 2),
  rate('requests', ['requests'], 10),
  concurrency('requests', ['requests'], 2),
];

type LimitOf<K extends LimitKind, N extends Names = Names> = Extract<Limit<N>, { kind: K }>;

/**
 * Rows that belong together: planning and judging take their numbers from them, both documented and configured ones.
 */
export interface LimitTable {
  readonly rows: readonly Limit[];
  /** All rows of one kind. */
  of<K extends LimitKind>(kind: K): readonly LimitOf<K>[];
  /** The row of this kind for a budget, or undefined where there is none. */
  find<K extends LimitKind>(kind: K, budget: BudgetId): LimitOf<K> | undefined;
  /** An operation of the rows, or any of the spec's. Throws on another one. */
  operation(id: OperationId): Operation;
}

/**
 * A table of these rows, of which no two have the same id.
 * @param own the operations that they name and the spec doesn't have
 */
export function limitTable(rows: readonly Limit[], own: readonly OwnOperation[] = []): LimitTable {
  const of = <K extends LimitKind>(kind: K) => rows.filter((one): one is LimitOf<K> => one.kind === kind);
  return {
    rows,
    of,
    find: (kind, budget) => of(kind).find((one) => one.budget === budget),
    operation: (id) => operationIn(own, id),
  };
}

/** The operation that a limit is measured by: its others count with it. */
export const firstOf = ({ operations: [first = 'health'] }: Limit, table: LimitTable): Operation =>
  table.operation(first);

/** The operation whose jobs a limit is about. */
export const submittingOf = ({ operations }: Limit): Submitting => operations.find(isSubmitting) ?? 'run';

/** The spec's. */
export const documentedTable: LimitTable = limitTable(limits);

/** Whether the configuration promises it: a row of its own, or another value in place of the spec's. */
export const isOwn = ({ section }: Limit): boolean => section === OWN_SECTION;

/** Whether it is on operations that the spec doesn't have, so that the spec says nothing of it and others either. */
export const isAdded = ({ operations }: Limit): boolean => !operations.every(isDocumentedOperation);

/** Of the spec's operations the rate limit of the most requests in a time: what is added may be another service's. */
export function highestRate(table: LimitTable): RateLimit | undefined {
  const rates = table.of('requests').filter((row) => !isAdded(row));
  return rates.sort((a, b) => b.value / b.windowMs - a.value / a.windowMs)[0];
}

/** What a target promises: the spec's rows, with those of its configuration added or in place of the same id. */
export function tableOf({ limits: own = [], operations }: Promised): LimitTable {
  if (own.length === 0) return documentedTable;
  const rows = limits.map((row): Limit => own.find(({ id }) => id === row.id) ?? row);
  return limitTable([...rows, ...own.filter((row) => !rows.includes(row))], operations);
}

/** So few requests in a window that one client, or one probe, takes most of them. */
const SMALL_LIMIT = 20;

export const isSmall = ({ value }: Pick<RateLimit, 'value'>): boolean => value <= SMALL_LIMIT;

/** The part of a target's configuration that promises something. */
export interface Promised {
  readonly operations?: readonly OwnOperation[];
  /** One with the id of a row of the spec stands in its place. */
  readonly limits?: readonly Limit[];
}

/** All rows of one kind that the spec has. */
export function limitsOf<K extends LimitKind>(kind: K): readonly LimitOf<K, DocumentedNames>[] {
  return limits.filter((one): one is LimitOf<K, DocumentedNames> => one.kind === kind);
}

/** The spec's row of this kind for a budget, or undefined where it states none. */
export function limitFor<K extends LimitKind>(
  kind: K,
  budget: DocumentedBudgetId,
): LimitOf<K, DocumentedNames> | undefined {
  return limitsOf(kind).find((one) => one.budget === budget);
}

/**
 * The largest queue, in jobs, at which nothing may be refused for the queue (spec part 7): the rule needs the queue
 * beyond both numbers, so the larger of the two decides.
 */
export function queueBorder(limit: QueueLimit, workersMax: number): number {
  return Math.max(limit.value, limit.perWorker * workersMax);
}
