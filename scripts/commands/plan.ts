/** `proofload plan`: everything a run would put on the target, and what it could not see. Sends nothing. */
import { type LoadPlan, planLoad } from '../../scenarios/index.ts';
import type { CheckOutcome } from '../../schemas/facts.ts';
import type { Settings } from '../cli/settings.ts';
import type { Host } from '../host.ts';
import { duration } from '../progress-lines.ts';
import { referenceTarget } from '../run/reference-process.ts';
import { partsOf, select } from '../run/selection.ts';

/** Resolves with 0. Throws UsageError for settings that no run could work with. */
export async function printPlan(settings: Settings, host: Host): Promise<number> {
  select(partsOf.plan, settings.only);
  const target = settings.target ?? referenceTarget('http://127.0.0.1');
  const plan = planLoad({ target, profile: settings.profile, only: settings.only, calibration: null });
  host.stdout.write(settings.values.json ? `${JSON.stringify(plan, null, 2)}\n` : `${planLines(plan).join('\n')}\n`);
  return 0;
}

/** The plan for a person: the schedule, what is not looked at and why, and the sums; one string a line. */
export function planLines(plan: LoadPlan): readonly string[] {
  const probes = new Map(plan.probes.map((probe) => [probe.id, probe]));
  const rows = [...plan.schedule]
    .sort((a, b) => a.startMs - b.startMs)
    .map(({ probeId, startMs, endMs }) => {
      const probe = probes.get(probeId);
      const cells = [
        duration(startMs),
        duration(endMs - startMs),
        number(probe?.requests ?? 0),
        size(probe?.bytes ?? 0),
      ];
      return `${cells.map((cell) => cell.padStart(12)).join('')}  ${probeId}: ${probe?.title ?? ''}`;
    });
  const heading = ['starts', 'lasts', 'requests', 'bytes'].map((cell) => cell.padStart(12)).join('');
  const missing = plan.unobservable.map(({ checkIds, outcome }) => `  ${checkIds.join(', ')}: ${why(outcome)}`);
  const sums = `${number(plan.requests)} requests and ${size(plan.bytes)} at most`;
  return [
    ...(rows.length > 0 ? [`${heading}  probe`, ...rows] : ['no load is planned']),
    ...(missing.length > 0 ? ['', 'not answered:', ...missing] : []),
    '',
    `${plan.probes.length} probes for ${plan.declared.length} checks: ${sums}, in about ${duration(plan.durationMs)};`,
    `the documented windows alone take ${duration(plan.floorMs)}. The contract checks come before, without load.`,
  ];
}

function why(outcome: Exclude<CheckOutcome, { kind: 'ran' }>): string {
  switch (outcome.kind) {
    case 'skipped':
      return `skipped by ${outcome.by}: ${outcome.why}`;
    case 'not-observable':
      return `not observable, needs ${outcome.needs}`;
    case 'inconclusive':
      return `inconclusive: ${outcome.reason}; ${outcome.remedy}`;
    case 'error':
      return outcome.message;
  }
}

const number = (value: number): string => value.toLocaleString('en');

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(0)} kB` : `${(bytes / 1_000_000).toFixed(0)} MB`;
}
