/**
 * Latency of several runs together, from the times of all of them. Where a run with an operation did not keep its times
 * there is no such row: percentiles made of percentiles would be numbers that were never measured.
 */
import type { ResultLatency, ResultStreams } from '../../schemas/latency.ts';
import type { Results } from '../../schemas/results.ts';
import type { Samples } from '../../schemas/samples.ts';
import { latencyRowsOf } from '../latency/rows.ts';
import { streamRowsOf } from '../latency/streams.ts';

export interface Part {
  readonly results: Results;
  /** Null where the run's directory has none. */
  readonly samples: Samples | null;
}

interface Merged {
  readonly latency: ResultLatency[];
  readonly streams: ResultStreams[];
  /** What could not be put together, a sentence each. */
  readonly notes: string[];
}

interface Row {
  readonly operation: string;
}

/** Rows of one operation: as they are where one run alone has them, else made again from the times of all. */
function mergeRows<R extends Row>(
  parts: readonly Part[],
  what: string,
  rowsOf: (results: Results) => readonly R[],
  again: (samples: readonly Samples[], operation: string) => readonly R[],
): { readonly rows: R[]; readonly notes: string[] } {
  const operations = [
    ...new Set(parts.flatMap(({ results }) => rowsOf(results).map(({ operation }) => operation))),
  ].sort();
  const merged = operations.map((operation) => {
    const having = parts.filter(({ results }) => rowsOf(results).some((row) => row.operation === operation));
    const [only, ...others] = having;
    if (only && others.length === 0) {
      return { rows: rowsOf(only.results).filter((row) => row.operation === operation), notes: [] };
    }
    const lacking = having.filter(({ samples }) => samples === null).map(({ results }) => results.run.id);
    if (lacking.length > 0) {
      return { rows: [], notes: [`${what} of ${operation} is left out: no times were kept of ${lacking.join(', ')}`] };
    }
    return {
      rows: again(
        having.flatMap(({ samples }) => samples ?? []),
        operation,
      ),
      notes: [],
    };
  });
  return { rows: merged.flatMap(({ rows }) => [...rows]), notes: merged.flatMap(({ notes }) => notes) };
}

export function mergeLatency(parts: readonly Part[]): Merged {
  const paced = mergeRows(
    parts,
    'latency',
    ({ latency = [] }) => latency,
    (samples, operation) =>
      latencyRowsOf(samples.flatMap(({ latency }) => latency).filter((one) => one.operation === operation)),
  );
  const streamed = mergeRows(
    parts,
    'the time to the first token',
    ({ streams = [] }) => streams,
    (samples, operation) =>
      streamRowsOf(samples.flatMap(({ streams }) => streams).filter((one) => one.operation === operation)),
  );
  return { latency: paced.rows, streams: streamed.rows, notes: [...paced.notes, ...streamed.notes] };
}
