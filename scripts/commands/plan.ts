/**
 * `proofload plan`: everything a run would put on the target, and what it could not see. Sends nothing. No run sends more
 * than is said here: the contract checks end unanswered before they would.
 */
import {
  announceContract,
  contractDeadlineMs,
  declaredChecks,
  longestWaitMs,
  wiringAmount,
} from '../../conformance/index.ts';
import { inAll } from '../../reports/counts.ts';
import { describePlan, planLoad } from '../../scenarios/index.ts';
import { tableOf } from '../../schemas/limits.ts';
import { matchesOnly } from '../../schemas/only.ts';
import type { Amount } from '../../schemas/results.ts';
import type { TargetConfig } from '../../schemas/target.ts';
import { duration, megabytes, plural } from '../../schemas/thousands.ts';
import { workloadNotes } from '../../schemas/workloads.ts';
import type { Settings } from '../cli/settings.ts';
import type { Host } from '../host.ts';
import { referenceCredentials, referenceTarget, secondAddress } from '../run/reference-process.ts';
import { partsOf, select, selected } from '../run/selection.ts';

interface Parts {
  readonly wiring: Amount;
  /** `waitMs`: how long its longest wait takes, during which the load runs. */
  readonly contract: Amount & { readonly checks: number; readonly waitMs: number; readonly deadlineMs: number };
  /** Where nothing at all could be decided the first time. */
  readonly again: Amount;
}

/** Resolves with 0. Throws UsageError for settings that no run could work with. */
export async function printPlan(given: Settings, host: Host): Promise<number> {
  const settings = await selected('plan', given);
  const { profile, only, values, goals = [] } = settings;
  select(partsOf.plan, only, goals, tableOf(settings.target ?? {}));
  // An address for the reference that is not running: a plan never uses it.
  const target = settings.target ?? { ...referenceTarget('http://127.0.0.1'), ...(await secondAddress()) };
  const load = planLoad({ target, profile, only, calibration: null, goals });
  const contract = await contractPart(target, settings);
  const parts = { wiring: wiringAmount(target), contract, again: values.once ? inAll() : inAll(contract, load) };
  const total = inAll(parts.wiring, parts.contract, load, parts.again);
  const notes = workloadNotes(target.workloads);
  const lines = [...describePlan(load), '', ...described(parts, total), ...notes];
  const text = values.json ? JSON.stringify({ ...load, ...parts, total, notes }, null, 2) : lines.join('\n');
  host.stdout.write(`${text}\n`);
  return 0;
}

async function contractPart(target: TargetConfig, settings: Settings): Promise<Parts['contract']> {
  const { profile, only } = settings;
  const credentials = settings.target === null ? referenceCredentials(settings.credentials) : settings.credentials;
  const { requests, bytes } = await announceContract({ target, credentials, profile, only });
  const checks = declaredChecks().filter(({ id }) => matchesOnly(only, id)).length;
  const deadlineMs = contractDeadlineMs(profile, null);
  return { checks, requests, bytes, deadlineMs, waitMs: longestWaitMs({ target, profile, only }) };
}

function described({ wiring, contract, again }: Parts, total: Amount): string[] {
  const within = `at most ${duration(contract.deadlineMs)} (longer on a slow target)`;
  const waits = contract.waitMs > 0 ? `; jobs age for ${duration(contract.waitMs)}, and the load runs during that` : '';
  return [
    `wiring check: at most ${amount(wiring)}`,
    ...(contract.checks > 0
      ? [`contract: ${plural(contract.checks, 'check')} in ${within}; at most ${amount(contract)}${waits}`]
      : []),
    ...(again.requests > 0 ? [`retry, if all checks are inconclusive: at most ${amount(again)}`] : []),
    `in all at most ${amount(total)}`,
  ];
}

const amount = ({ requests, bytes }: Amount): string => `${plural(requests, 'request')} with ${megabytes(bytes)}`;
