/** One row for each limit of the table: what is documented, what was measured, and the verdict of its checks together. */
import type { LoadFacts, Picture, QueueFacts } from '../../schemas/facts.ts';
import { isOwn, type Limit, type LimitTable, submittingOf } from '../../schemas/limits.ts';
import type { ResultCheck, ResultLimit } from '../../schemas/results.ts';
import type { RetentionFacts } from '../../schemas/retention.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import { type Measured, measureConcurrency, measureQueue, narrowest } from './measure.ts';
import { bytesPictures, measurePayload } from './payload-sides.ts';
import { isTaken } from './queue-evidence.ts';
import { algorithmOf, countsOf, measureRate } from './rate-survivors.ts';
import { describeRetention } from './retention.ts';

/** The row shows the most serious of what it stands for; a limit that nobody looked at is never shown as passed. */
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
    return verdict ? [{ ...describe(limit, facts, watches), verdict, checks: own.map((check) => check.id) }] : [];
  });
}

const breaking: ReadonlySet<Verdict> = new Set(['fail', 'error', 'known']);

/** The same rows after verdicts of their checks have changed. */
export function judgedAgain(rows: readonly ResultLimit[], checks: readonly ResultCheck[]): ResultLimit[] {
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

type Described = Omit<ResultLimit, 'verdict' | 'checks'>;

function describe(limit: Limit, facts: readonly LoadFacts[], watches: readonly RetentionFacts[]): Described {
  const promised = isOwn(limit) ? { promisedBy: 'configuration' as const } : {};
  const row = { id: limit.id, kind: limit.kind, operations: limit.operations, ...promised };
  const own = facts.filter((one) => 'limitId' in one && one.limitId === limit.id);
  switch (limit.kind) {
    case 'requests': {
      const documented = { value: limit.value, windowMs: limit.windowMs };
      // Who is same budget (`scope`) is asked of the same limit, and measures nothing.
      const probe = closest(
        own.filter((one) => one.kind === 'rate'),
        measureRate,
      );
      if (!probe) return { ...row, documented, measured: null };
      const { picture, health } = probe;
      const counts = countsOf(probe);
      const seen = { measured: measureRate(probe), algorithm: algorithmOf(probe), ...(counts ? { counts } : {}) };
      return { ...row, documented, ...seen, pictures: [picture], health };
    }
    case 'concurrent-requests': {
      const documented = { value: limit.value };
      const probes = own.flatMap((one) => (one.kind === 'concurrency' ? [one] : []));
      const measured = narrowest(probes.map(measureConcurrency));
      const pictures = probes.map((one) => one.picture);
      return { ...row, documented, measured, pictures, ...(probes[0] ? { health: probes[0].health } : {}) };
    }
    case 'content-bytes': {
      const documented = { value: limit.value };
      const probe = closest(
        own.filter((one) => one.kind === 'payload'),
        measurePayload,
      );
      if (!probe) return { ...row, documented, measured: null };
      const { health } = probe;
      return { ...row, documented, measured: measurePayload(probe), pictures: bytesPictures(probe), health };
    }
    case 'queue':
      return { ...row, ...describeQueue(limit, facts) };
    case 'retention':
      return { ...row, ...describeRetention(limit, watches) };
  }
}

/** The row speaks of the endpoint with the smallest border; the pictures of every one that was filled. */
function describeQueue(limit: Limit, facts: readonly LoadFacts[]) {
  const operation = submittingOf(limit);
  const probes = facts.filter((one): one is QueueFacts => one.kind === 'queue').sort((a, b) => a.border - b.border);
  const least = probes.filter(({ border }) => border === probes[0]?.border);
  const smallest = closest(least, (one) => measureQueue(one, operation));
  if (!smallest) return { documented: { value: limit.value }, measured: null };
  const pictures = probes.map((one): Picture => {
    const points = one.attempts
      .filter((attempt) => attempt.operation === operation && attempt.persisted !== false)
      .filter((attempt) => isTaken(attempt) || attempt.outcome === 'refused')
      .map((attempt) => ({ queued: attempt.queuedMin, accepted: isTaken(attempt) }));
    return { kind: 'queue', instId: one.instId, border: one.border, points };
  });
  const measured = measureQueue(smallest, operation);
  return { documented: { value: smallest.border }, measured, pictures, health: smallest.health };
}

/** Of the probes of one limit, which was asked about once more where the first time left something open, the one that says most. */
function closest<F extends LoadFacts>(probes: readonly F[], measure: (facts: F) => Measured | null): F | undefined {
  const best = narrowest(probes.map(measure));
  const as = (one: F) => {
    const measured = measure(one);
    return measured?.lower === best?.lower && measured?.upper === best?.upper;
  };
  return probes.findLast(as);
}
