/** Limits as people read them: what is documented, what was measured. */
import { limits } from '../schemas/limits.ts';
import type { ResultLimit } from '../schemas/results.ts';
import { number } from '../schemas/thousands.ts';
import { kindOfLimit } from './kinds/index.ts';

/** What the documentation says about a limit, e.g. `1,000 requests per 10 s`. */
export function documentedWords(limit: Pick<ResultLimit, 'id' | 'kind' | 'documented' | 'promisedBy'>): string {
  const row = limit.promisedBy ? undefined : limits.find((one) => one.id === limit.id);
  if (row) return kindOfLimit(row).documented(row);
  const { value } = limit.documented;
  const said = kindOfLimit(limit).amount(number(value), value, limit.documented);
  return limit.promisedBy ? `${said} (your ${limit.promisedBy})` : said;
}

/** What was measured: a point, an interval, or that no bound was found. */
export function measuredWords({
  kind,
  documented,
  measured,
}: Pick<ResultLimit, 'kind' | 'documented' | 'measured'>): string {
  if (!measured) return 'not measured';
  const { lower, upper, windowMs } = measured;
  const { amount, value = number } = kindOfLimit({ kind });
  const of = windowMs === undefined ? documented : { ...documented, windowMs };
  if (upper === null)
    return lower > 0 ? `no bound found: at least ${amount(value(lower), lower, of)}` : 'no bound found';
  if (upper === lower) return amount(value(lower), lower, of);
  return amount(`${value(lower)} to ${value(upper)}`, upper, of);
}

/** `run: rate`, `status, status-sync, stream: concurrency` */
export function limitName(limit: Pick<ResultLimit, 'kind' | 'operations'>): { operations: string; kind: string } {
  return { operations: limit.operations.join(', '), kind: kindOfLimit(limit).word };
}
