/**
 * A whole load in seconds: the reference keeps a scaled table, in a process of its own, and plan and judge are given the
 * same one. For the tests of many limits, limiters and faults for which the real numbers would take hours.
 */
import { rmSync } from 'node:fs';
import { type Judgement, judge } from '../../reports/verdicts/index.ts';
import { type LoadPlan, planLoad, runLoad } from '../../scenarios/index.ts';
import { settingsFor } from '../../scenarios/testing/scaled-table.ts';
import type { LoadFacts } from '../../schemas/facts.ts';
import type { LimitTable } from '../../schemas/limits.ts';
import { silent } from '../../schemas/progress.ts';
import type { EndpointConfig, Profile, TargetConfig } from '../../schemas/target.ts';
import { KEY, serveReference, temporaryDirectory } from './cli.ts';

export interface ScaledLoad {
  /** What is promised. */
  readonly table: LimitTable;
  /** What the reference keeps; default: what is promised. */
  readonly kept?: LimitTable;
  /** Further arguments for `proofload serve`, such as `--limiter token` or `--mutant NAME`. */
  readonly serve?: readonly string[];
  readonly only: readonly string[];
  /** Default: three workers. */
  readonly endpoints?: readonly EndpointConfig[];
  readonly profile?: Profile;
}

export interface ScaledOutcome extends Judgement {
  readonly plan: LoadPlan;
  readonly facts: readonly LoadFacts[];
}

/** `--set` arguments with which `proofload serve` keeps this table. */
export function serveArguments(table: LimitTable): string[] {
  const { limits, windows, queuePerWorker } = settingsFor(table);
  const set = (prefix: string, values: Readonly<Record<string, number>>): string[] =>
    Object.entries(values).map(([id, value]) => `${prefix}.${id}=${value}`);
  const all = [...set('limits', limits), ...set('windows', windows), `queuePerWorker=${queuePerWorker}`];
  return all.flatMap((one) => ['--set', one]);
}

/** Resolves with the verdicts and what they rest on. k6 has to be in `K6_BIN`, as the e2e tests' setup leaves it. */
export async function runScaledLoad({
  table,
  kept = table,
  serve = [],
  only,
  endpoints = [{ instId: 'inst-1', workersMax: 3, dedicated: true }],
  profile = 'gate',
}: ScaledLoad): Promise<ScaledOutcome> {
  const served = await serveReference([...serveArguments(kept), ...serve]);
  const dir = temporaryDirectory();
  try {
    const { url } = served;
    const target: TargetConfig = { kind: 'reference', baseUrl: url, jobBaseUrl: url, endpoints, model: null };
    const calibration = { roundTripMs: 1, quickJobMs: 2, chatMs: 5 };
    const plan = planLoad({ target, profile, only, calibration, table });
    const credentials = { accessKey: KEY, jobKey: KEY, brokeKey: null, otherKey: null };
    const signal = new AbortController().signal;
    const k6Bin = process.env.K6_BIN ?? '';
    const facts = await runLoad({ plan, credentials, runId: 'scaled', k6Bin, dir, progress: silent, signal });
    const evidence = { checkFacts: [], loadFacts: facts, declaredLoad: plan.declared, endpoints, table };
    return { plan, facts, ...judge(evidence) };
  } finally {
    await served.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The verdicts by check id. */
export const verdictsOf = ({ checks }: Judgement): Record<string, string> =>
  Object.fromEntries(checks.map(({ id, verdict }) => [id, verdict]));
