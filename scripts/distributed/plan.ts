/**
 * What runners on other machines are to send, as a file: enough to plan the same again once their ledgers are there. It
 * holds no key.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  canBeParted,
  type LoadPlan,
  type PlannedProbe,
  planLoad,
  scriptParameters,
  sendingFor,
} from '../../scenarios/index.ts';
import type { ScriptParameters } from '../../scenarios/k6/lib/parameters.ts';
import { at, parseJson } from '../../schemas/json.ts';
import { NO_KEYS, type Profile, type TargetConfig, UsageError } from '../../schemas/target.ts';
import { suiteVersion } from '../package.ts';

export const PLAN_FILE = 'plan.json';
/** Where the ledgers are put that were collected: `PROBE.RUNNER.ndjson`. */
export const LEDGERS = 'ledgers';

export interface DistributedPlan {
  readonly suiteVersion: string;
  readonly runId: string;
  readonly runners: number;
  readonly target: TargetConfig;
  readonly profile: Profile;
  /** Globs on check ids; empty: all that several can send. */
  readonly only: readonly string[];
}

/** The plan of what several can send; the rest is for one machine. Throws UsageError where that is nothing. */
export function planOf({
  target,
  profile,
  only,
  runners,
}: Pick<DistributedPlan, 'target' | 'profile' | 'only' | 'runners'>): LoadPlan {
  // As many times a whole limit of long answers costs too much to be sent unasked.
  const input = { target, profile, calibration: null, addresses: only.length > 0 ? runners : 1 };
  const wanted = planLoad({ ...input, only });
  const checkIds = probesOf(wanted).flatMap((probe) => probe.checkIds);
  if (checkIds.length > 0) return planLoad({ ...input, only: checkIds });
  throw new UsageError(
    "none of this is sent by several: only rates, health and 'per-address' are, as with --only 'run.rate.*'",
  );
}

export const probesOf = ({ probes }: LoadPlan): PlannedProbe[] =>
  probes.filter(({ parameters }) => canBeParted(parameters));

/** What the script of a probe is given; when all of them start the environment says. */
export function parametersOf(
  probe: PlannedProbe,
  plan: LoadPlan,
  { target, runId }: DistributedPlan,
): ScriptParameters {
  const afterMs = Math.round(plan.schedule.find(({ probeId }) => probeId === probe.id)?.startMs ?? 0);
  const { addresses, workersMax } = sendingFor(probe.parameters, { target, runId, credentials: NO_KEYS });
  const own = scriptParameters(probe, { addresses, workersMax }, { startAtMs: null, afterMs, timeUrl: null });
  return { ...own, patienceMs: own.patienceMs + afterMs + EARLY_MOST_MS };
}

/** A pod may be there so long before the common start. */
const EARLY_MOST_MS = 900_000;

/** undefined where the directory is none of `distribute`. Throws UsageError where its plan can't be used. */
export async function readDistributed(directory: string): Promise<DistributedPlan | undefined> {
  const text = await readFile(join(directory, PLAN_FILE), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const plan = parsed(text);
  if (!plan) throw new UsageError(`${join(directory, PLAN_FILE)} is none that proofload distribute wrote`);
  if (plan.suiteVersion === suiteVersion()) return plan;
  throw new UsageError(
    `${directory} is of proofload ${plan.suiteVersion}, and this is ${suiteVersion()}: use that one`,
  );
}

function parsed(text: string): DistributedPlan | undefined {
  const value = parseJson(text);
  const isOurs = ['runners', 'suiteVersion'].every((name) => at(value, name) !== undefined);
  return isOurs ? (value as DistributedPlan) : undefined;
}
