/**
 * The limits table at the scale of tests: the same rows with small values and short windows, so that a whole load takes
 * seconds. And the same numbers as settings of the reference, which then enforces exactly these limits.
 */
import { documentedTable, type Limit, type LimitTable, limitTable } from '../../schemas/limits.ts';

export interface Scale {
  /** Window of every rate limit, ms. Default: 1000. */
  readonly windowMs?: number;
  /** Values of single rows, by their id; the others are scaled. */
  readonly values?: Readonly<Record<string, number>>;
}

const WINDOW_MS = 1000;
/** So small that a burst is over within a short window on a machine that is busy with other tests too. */
const SHARE = 50;
/** Bytes and milliseconds of retention have further to go. */
const FINE_SHARE = 1000;
/** So many are left of more; a value that is smaller stays as it is. Enough for the probe of requests at once. */
const LEAST_RATE = 10;
const LEAST = 2;

const less = (value: number, least: number): number => Math.min(value, Math.max(least, Math.ceil(value / SHARE)));

function scaled(limit: Limit, windowMs: number, requested: number | undefined): Limit {
  switch (limit.kind) {
    case 'requests':
      return { ...limit, value: requested ?? less(limit.value, LEAST_RATE), windowMs };
    case 'concurrent-requests':
      return { ...limit, value: requested ?? less(limit.value, LEAST) };
    case 'content-bytes': {
      const value = requested ?? Math.ceil(limit.value / FINE_SHARE);
      return { ...limit, value, upperReading: Math.ceil((value * limit.upperReading) / limit.value) };
    }
    case 'queue': {
      const value = requested ?? less(limit.value, LEAST);
      return { ...limit, value, perWorker: Math.ceil((value * limit.perWorker) / limit.value) };
    }
    case 'retention':
      return { ...limit, value: requested ?? Math.ceil(limit.value / FINE_SHARE) };
  }
}

/** Every row of the spec's table, made small. */
export function scaledTable({ windowMs = WINDOW_MS, values = {} }: Scale = {}): LimitTable {
  return limitTable(documentedTable.rows.map((limit) => scaled(limit, windowMs, values[limit.id])));
}

/** Settings of the reference with which it keeps this table; to be spread over its default ones. */
export function settingsFor(table: LimitTable) {
  return {
    limits: Object.fromEntries(table.rows.map(({ id, value }) => [id, value])),
    windows: Object.fromEntries(table.of('requests').map(({ id, windowMs }) => [id, windowMs])),
    queuePerWorker: table.of('queue')[0]?.perWorker ?? null,
  };
}
