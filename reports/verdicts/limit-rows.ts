/** One row for each limit of the table: what is documented, what was measured, and the verdict of its checks together. */
import type { LoadFacts } from '../../schemas/facts.ts';
import { isOwn, type Limit, type LimitTable } from '../../schemas/limits.ts';
import type { ResultCheck, ResultLimit } from '../../schemas/results.ts';
import type { RetentionFacts } from '../../schemas/retention.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import { kindOfLimit } from '../kinds/index.ts';
import type { Found } from '../kinds/kind.ts';

/** The row shows the most serious verdict of its checks; a limit that was not tested is never shown as passed. */
const seriousness: readonly Verdict[] = [
  'fail',
  'error',
  'inconclusive',
  'not-observable',
  'skipped',
  'known',
  'warn',
  'pass',
  'observed',
];

export function limitRows(
  checks: readonly ResultCheck[],
  facts: readonly LoadFacts[],
  table: LimitTable,
  watches: readonly RetentionFacts[] = [],
): ResultLimit[] {
  return table.rows.flatMap((limit) => {
    const own = checks.filter((check) => check.id.startsWith(`${limit.id}.`));
    const verdict = rowVerdict(own);
    return verdict ? [{ ...describe(limit, { facts, watches }), verdict, checks: own.map((check) => check.id) }] : [];
  });
}

const breaking: ReadonlySet<Verdict> = new Set(['fail', 'error', 'known']);

/** The same rows after verdicts of their checks have changed. */
export function rejudged(rows: readonly ResultLimit[], checks: readonly ResultCheck[]): ResultLimit[] {
  const byId = new Map(checks.map((check) => [check.id, check]));
  return rows.map((row) => {
    const verdict = rowVerdict(row.checks.flatMap((id) => byId.get(id) ?? []));
    return verdict ? { ...row, verdict } : row;
  });
}

/**
 * The value stands or falls with its guarantee and its enforcement. What else is documented of a limit can break the
 * row but not pass it, and the form of a refusal, which is convention, does neither.
 */
function rowVerdict(own: readonly ResultCheck[]): Verdict | undefined {
  const documented = own.filter((check) => check.level === 'documented');
  const value = documented.filter((check) => /\.(guarantee|enforced)$/.test(check.id));
  const judged = value.length > 0 ? value : documented;
  const broken = documented.filter((check) => breaking.has(check.verdict));
  const words = [...judged, ...broken].map((check) => check.verdict);
  return seriousness.find((word) => words.includes(word));
}

function describe(limit: Limit, found: Found): Omit<ResultLimit, 'verdict' | 'checks'> {
  const promised = isOwn(limit) ? { promisedBy: 'configuration' as const } : {};
  const row = { id: limit.id, kind: limit.kind, operations: limit.operations, ...promised };
  const own = found.facts.filter((one) => 'limitId' in one && one.limitId === limit.id);
  return { ...row, ...kindOfLimit(limit).row(limit, own, found) };
}
