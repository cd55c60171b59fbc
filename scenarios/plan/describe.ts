/** A plan as plain lines for `proofload plan`; the plan itself is the JSON. */
import { duration, megabytes, number, plural } from '../../schemas/thousands.ts';
import type { LoadPlan, PlannedProbe, ScheduleEntry, Unobservable } from './types.ts';

/** Lines without colour and without line ends. */
export function describePlan(plan: LoadPlan): string[] {
  return [...schedulePart(plan), ...unobservablePart(plan), ...totals(plan)];
}

function schedulePart({ schedule, probes }: LoadPlan): string[] {
  if (schedule.length === 0) return ['Nothing would be sent.'];
  const rows = [...schedule]
    .sort((a, b) => a.startMs - b.startMs)
    .flatMap((entry) => probes.filter(({ id }) => id === entry.probeId).map((probe) => row(entry, probe)));
  return table([['from', 'to', 'probe', 'requests', 'bytes', 'exclusive', 'shares'], ...rows]);
}

function row({ startMs, endMs }: ScheduleEntry, probe: PlannedProbe): string[] {
  return [
    duration(startMs),
    duration(endMs),
    probe.id,
    number(probe.requests),
    megabytes(probe.bytes),
    probe.exclusive.join(' ') || '-',
    sharesOf(probe),
  ];
}

function sharesOf({ shared, early }: PlannedProbe): string {
  const atFirst = early ? [`${early.resources.join(' ')} (at first)`] : [];
  return [...shared, ...atFirst].join(' ') || '-';
}

function unobservablePart({ unobservable }: LoadPlan): string[] {
  if (unobservable.length === 0) return [];
  const reported = unobservable.map(({ checkIds, outcome }) => `  ${checkIds.join(', ')}: ${reason(outcome)}`);
  return ['', 'Not fully testable with these options:', ...reported];
}

function reason(outcome: Unobservable['outcome']): string {
  switch (outcome.kind) {
    case 'skipped':
      return `skipped by ${outcome.by}: ${outcome.why}`;
    case 'not-observable':
      return `needs ${outcome.needs}`;
    case 'inconclusive':
      return `${outcome.reason}; ${outcome.remedy}`;
    case 'error':
      return outcome.message;
  }
}

function totals(plan: LoadPlan): string[] {
  const { probes, declared, requests, bytes, durationMs } = plan;
  return [
    '',
    `${plural(declared.length, 'check')}, ${plural(probes.length, 'probe')}; at most ${plural(requests, 'request')} and ${megabytes(bytes)}`,
    `about ${duration(durationMs)}; ${floorText(plan)}`,
  ];
}

function floorText({ floorMs }: LoadPlan): string {
  if (floorMs === 0) return 'no rate window has to be waited for';
  return `minimum duration (rate windows): ${duration(floorMs)}`;
}

/** Columns as wide as their widest cell; the last one is left as it is. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows.map((cells) =>
    cells.map((cell, column) => (column === cells.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  '),
  );
}
