/**
 * A baseline laid over the checks of a run. It works both ways: what is listed and broken becomes `known`, and what is
 * listed and not broken any more fails the run, so that a baseline can only say what is true. What was not observed
 * (skipped, inconclusive, not selected) proves neither, and leaves its entry alone; an `error` is never covered.
 */
import { REFERENCE_TARGET } from '../../schemas/baseline.ts';
import { type Operation, operations } from '../../schemas/operations.ts';
import type { BaselineReport, KnownDeviation, OutdatedEntry, ResultCheck } from '../../schemas/results.ts';
import type { TargetConfig } from '../../schemas/target.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import { type Baseline, isPlaceholder, type ReadEntry } from './baseline.ts';

/** What an entry can call this target: `reference`, or the addresses of its interfaces. */
function namesOf(target: TargetConfig): readonly string[] {
  if (target.kind === 'reference') return [REFERENCE_TARGET];
  return [target.baseUrl, target.jobBaseUrl].filter((url): url is string => url !== null);
}

/** Whether an entry may speak of more targets than one. */
export const isGlob = (pattern: string): boolean => pattern.includes('*');

/** Brackets stand in addresses (IPv6), so `*` is the only character with a meaning here. */
function matches(pattern: string, name: string): boolean {
  const escaped = pattern.split(/\*+/).map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`).test(name);
}

/** Whether an entry for `pattern` applies to a run on this target. */
export function appliesTo(pattern: string, target: TargetConfig): boolean {
  const written = pattern.replace(/\/+$/, '');
  return namesOf(target).some((name) => matches(written, name));
}

/** How a new entry for this check names the target: by the address of the interface of the check. */
export function targetNameFor(checkId: string, target: TargetConfig): string {
  if (target.kind === 'reference') return REFERENCE_TARGET;
  const [subject = ''] = checkId.split('.');
  const all: readonly Operation[] = [...operations, ...(target.operations ?? [])];
  const onInference =
    subject === 'inference' ||
    all.some(({ id, budget, interface: side }) => (id === subject || budget === subject) && side === 'inference');
  const [first, second] = onInference ? [target.baseUrl, target.jobBaseUrl] : [target.jobBaseUrl, target.baseUrl];
  return first ?? second ?? REFERENCE_TARGET;
}

export interface Applied {
  readonly checks: readonly ResultCheck[];
  readonly report: BaselineReport;
}

/** What an entry turns out to be in this run; exactly one of these. */
type Standing =
  | { readonly kind: 'known' | 'quiet' }
  | { readonly kind: 'stale' | 'expired'; readonly why: string; readonly remedy: string }
  | { readonly kind: 'unobserved'; readonly verdict: Verdict | null };

const observing: ReadonlySet<Verdict> = new Set(['pass', 'fail', 'warn', 'observed']);
const words: Readonly<Partial<Record<Verdict, string>>> = { fail: 'fails', warn: 'warns' };

/**
 * `today` is a day in UTC, `2026-12-01`. Each check id occurs once in `checks`. Neither the order of the checks nor
 * that of the entries matters for any verdict.
 */
export function applyBaseline(
  { file, entries }: Pick<Baseline, 'file' | 'entries'>,
  checks: readonly ResultCheck[],
  { target, today }: { readonly target: TargetConfig; readonly today: string },
): Applied {
  const here = entries.filter((entry) => appliesTo(entry.target, target));
  const byId = new Map(checks.map((check) => [check.id, check.verdict]));
  const standings = here.map((entry) => ({ entry, standing: standingOf(entry, byId.get(entry.check), today) }));
  const covering = new Map(
    standings.flatMap(({ entry, standing }) => (standing.kind === 'known' ? [[entry.check, entry] as const] : [])),
  );
  const outdated = (kind: 'stale' | 'expired'): OutdatedEntry[] =>
    standings.flatMap(({ entry: { check, at, target }, standing }) =>
      standing.kind === kind ? [{ check, at, target, why: standing.why, remedy: standing.remedy }] : [],
    );
  const dates = [...covering.values()].flatMap((entry) => entry.expires ?? []).sort();
  return {
    checks: checks.map((check) => asKnown(check, covering.get(check.id))),
    report: {
      file,
      entries: here.length,
      elsewhere: entries.length - here.length,
      known: covering.size,
      nextExpires: dates[0] ?? null,
      stale: outdated('stale'),
      expired: outdated('expired'),
      unobserved: standings.flatMap(({ entry: { check }, standing }) =>
        standing.kind === 'unobserved' ? [{ check, verdict: standing.verdict }] : [],
      ),
      quiet: standings.flatMap(({ entry, standing }) => (standing.kind === 'quiet' ? [entry.check] : [])),
      unexplained: [...covering.values()].filter((entry) => isPlaceholder(entry.reason)).map((entry) => entry.check),
    },
  };
}

function standingOf(entry: ReadEntry, verdict: Verdict | undefined, today: string): Standing {
  if (verdict === undefined) return { kind: 'unobserved', verdict: null };
  const holds = verdict === 'pass' || verdict === 'observed';
  if (holds && !entry.flaky) return stale(entry, verdict);
  if (entry.expires !== undefined && entry.expires < today) {
    const now = observing.has(verdict) && !holds ? `, and the check still ${words[verdict]}` : '';
    return {
      kind: 'expired',
      why: `expired on ${entry.expires}${now}`,
      remedy: 'mend what it excuses and remove the entry, or decide on a later date',
    };
  }
  if (holds) return { kind: 'quiet' };
  if (!observing.has(verdict)) return { kind: 'unobserved', verdict };
  return verdict === entry.expect ? { kind: 'known' } : mismatched(entry, verdict);
}

function stale(entry: ReadEntry, verdict: Verdict): Standing {
  const why = verdict === 'pass' ? 'the check passes now' : 'the check is recorded only and can neither fail nor warn';
  const remedy = isGlob(entry.target)
    ? 'remove the entry, or narrow its target, which may speak of others too'
    : 'remove the entry, or run again with --update-baseline';
  return { kind: 'stale', why, remedy };
}

/** Broken in another way than expected: a worse one is not covered, and of neither is the entry true. */
function mismatched(entry: ReadEntry, verdict: Verdict): Standing {
  return {
    kind: 'stale',
    why: `the check ${words[verdict]} now, where the entry expects it to ${entry.expect}`,
    remedy: `review it; if that is accepted, write 'expect: ${verdict}'`,
  };
}

function asKnown(check: ResultCheck, entry: ReadEntry | undefined): ResultCheck {
  if (!entry) return check;
  const known: KnownDeviation = {
    verdict: entry.expect,
    reason: entry.reason,
    ...(entry.ticket === undefined ? {} : { ticket: String(entry.ticket) }),
    ...(entry.expires === undefined ? {} : { expires: entry.expires }),
    ...(entry.flaky ? { flaky: true } : {}),
  };
  return { ...check, verdict: 'known', known };
}

/** Two entries that speak of the same check on the same target, where it would be open which one counts. */
export function ambiguous(entries: readonly ReadEntry[], target: TargetConfig): [ReadEntry, ReadEntry] | undefined {
  const seen = new Map<string, ReadEntry>();
  for (const entry of entries.filter((one) => appliesTo(one.target, target))) {
    const before = seen.get(entry.check);
    if (before) return [before, entry];
    seen.set(entry.check, entry);
  }
  return undefined;
}
