/** The parts of several runs' results that are neither checks nor limits: traffic, baseline, reference, generator. */
import type {
  Amount,
  BaselineReport,
  ReferenceReport,
  ResultCheck,
  ResultDifference,
  Results,
  Traffic,
} from '../../schemas/results.ts';
import type { RunSelection } from '../../schemas/results-parts.ts';
import { inAll } from '../counts.ts';
import { generatorReportOf } from '../verdicts/generator.ts';

const whole = (parts: readonly { readonly announced: Amount; readonly sent: Amount }[]) =>
  parts.length === 0
    ? undefined
    : { announced: inAll(...parts.map((one) => one.announced)), sent: inAll(...parts.map((one) => one.sent)) };

/** Undefined where no run has it. */
export function mergeTraffic(runs: readonly Results[]): Traffic | undefined {
  const all = runs.flatMap(({ run }) => run.traffic ?? []);
  if (all.length === 0) return undefined;
  const wiring = whole(all.flatMap((one) => one.wiring ?? []));
  const contract = whole(all.flatMap((one) => one.contract ?? []));
  const loads = all.flatMap((one) => one.load ?? []);
  const requests = loads.reduce((total, { sent }) => total + sent.requests, 0);
  const load =
    loads.length > 0 ? { announced: inAll(...loads.map(({ announced }) => announced)), sent: { requests } } : undefined;
  return { ...(wiring ? { wiring } : {}), ...(contract ? { contract } : {}), ...(load ? { load } : {}) };
}

const distinct = <T>(items: readonly T[], keyOf: (item: T) => string): T[] => [
  ...new Map(items.map((item) => [keyOf(item), item])).values(),
];

/** What is stale in one run and broken in another is flaky, and known. */
export function mergeBaselines(runs: readonly Results[], checks: readonly ResultCheck[]): BaselineReport | undefined {
  const reports = runs.flatMap(({ baseline }) => baseline ?? []);
  const [first] = reports;
  if (!first) return undefined;
  const known = checks.filter((check) => check.known);
  const excused = new Set(known.map(({ id }) => id));
  const dates = known.flatMap((check) => check.known?.expires ?? []).sort();
  const seen = new Set(reports.flatMap((one) => [...one.stale, ...one.expired].map(({ check }) => check)));
  const unseen = (id: string): boolean =>
    !excused.has(id) && !seen.has(id) && reports.every((one) => one.unobserved.some(({ check }) => check === id));
  const ids = (of: (one: BaselineReport) => readonly string[]): string[] => [...new Set(reports.flatMap(of))];
  return {
    file: [...new Set(reports.map(({ file }) => file))].join(', '),
    entries: Math.max(...reports.map(({ entries }) => entries)),
    elsewhere: Math.max(...reports.map(({ elsewhere }) => elsewhere)),
    known: known.length,
    nextExpires: dates[0] ?? null,
    stale: distinct(
      reports.flatMap(({ stale }) => stale),
      ({ at }) => at,
    ).filter(({ check }) => !excused.has(check)),
    expired: distinct(
      reports.flatMap(({ expired }) => expired),
      ({ at }) => at,
    ),
    unobserved: distinct(
      first.unobserved.filter(({ check }) => unseen(check)),
      ({ check }) => check,
    ),
    quiet: ids(({ quiet }) => quiet).filter((id) => !excused.has(id)),
    unexplained: ids(({ unexplained }) => unexplained),
  };
}

const contracts: readonly ReferenceReport['contract'][] = ['asked', 'itself', 'missing'];

export function mergeReferences(runs: readonly Results[]): ReferenceReport | undefined {
  const reports = runs.flatMap(({ reference }) => reference ?? []);
  const contract = contracts.find((one) => reports.some((report) => report.contract === one));
  if (contract === undefined) return undefined;
  const groups = new Map<string, ResultDifference>();
  for (const one of reports.flatMap(({ differences }) => differences)) {
    const key = JSON.stringify([one.operation, one.request, one.text, one.kind]);
    const before = groups.get(key);
    groups.set(key, { ...one, checks: [...new Set([...(before?.checks ?? []), ...one.checks])] });
  }
  const why = reports.find((report) => report.contract === contract)?.why;
  return {
    contract,
    ...(why === undefined ? {} : { why }),
    differences: [...groups.values()],
    more: reports.reduce((all, { more }) => all + more, 0),
  };
}

export const mergeGenerators = (runs: readonly Results[]) =>
  generatorReportOf(runs.flatMap(({ run }) => run.generator?.probes ?? []));

/** The selections of all of them; null where one of them has none. */
export function mergeSelections(runs: readonly Results[]): RunSelection | null {
  const all = runs.flatMap(({ run }) => run.asked ?? []);
  if (all.length < runs.length) return null;
  const everything = all.some(({ only, contract, load }) => only.length === 0 && contract && load);
  return {
    contract: all.some(({ contract }) => contract),
    load: all.some(({ load }) => load),
    only: everything ? [] : [...new Set(all.flatMap(({ only }) => only))].sort(),
    goals: Object.assign({}, ...all.map(({ goals }) => goals)),
  };
}
