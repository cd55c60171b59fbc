/**
 * The form of results.json on disk. Many checks share requests, so each exchange is stored once, in the list
 * `exchanges`, and the evidence of a check holds indices into that list.
 */
import type { Exchange } from '../schemas/facts.ts';
import { RESULTS_SCHEMA_VERSION, type ResultCheck, type Results, type StoredResults } from '../schemas/results.ts';

export function stored(results: Results): StoredResults {
  const exchanges: Exchange[] = [];
  const indices = new Map<string, number>();
  const indexOf = (exchange: Exchange): number => {
    const key = JSON.stringify(exchange);
    const index = indices.get(key) ?? exchanges.push(exchange) - 1;
    indices.set(key, index);
    return index;
  };
  const checks = results.checks.map(({ evidence, ...check }) => {
    if (!evidence) return check;
    const { exchanges: own, ...others } = evidence;
    return { ...check, evidence: own ? { ...others, exchanges: own.map(indexOf) } : others };
  });
  return { ...results, checks, exchanges };
}

/** The reverse of `stored`. */
export function restored({ exchanges, ...results }: StoredResults): Results {
  const checks = results.checks.map(({ evidence, ...check }): ResultCheck => {
    if (!evidence) return check;
    const { exchanges: own, ...others } = evidence;
    return { ...check, evidence: own ? { ...others, exchanges: own.flatMap((at) => exchanges[at] ?? []) } : others };
  });
  return { ...results, checks };
}

/** Schema version 1 stored the exchanges inside each check. What is not even that is returned as it is. */
export function upgraded(value: { readonly schemaVersion: number }): unknown {
  if (value.schemaVersion !== 1) return value;
  try {
    return stored({ ...(value as unknown as Results), schemaVersion: RESULTS_SCHEMA_VERSION });
  } catch {
    return value;
  }
}

/** JSON text with one line for each check, limit and exchange, so that two files can be compared and searched by line. */
export function jsonText(results: StoredResults): string {
  const entries = Object.entries(results).map(([key, value]) => {
    const lines: readonly string[] = Array.isArray(value) ? value.map((one) => JSON.stringify(one)) : [];
    return `${JSON.stringify(key)}: ${lines.length > 0 ? `[\n${lines.join(',\n')}\n]` : JSON.stringify(value)}`;
  });
  return `{\n${entries.join(',\n')}\n}\n`;
}
