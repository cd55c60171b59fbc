/**
 * A load on a reference in a process of its own, with something going wrong: on the road between them, with the target,
 * or with the k6 that sends. The limits are small and their windows short, so that a scene takes seconds.
 */
import { rmSync } from 'node:fs';
import { type Judgement, judge } from '../../../reports/verdicts/index.ts';
import { planLoad, runLoad } from '../../../scenarios/index.ts';
import type { LoadFacts } from '../../../schemas/facts.ts';
import type { LimitTable } from '../../../schemas/limits.ts';
import { silent } from '../../../schemas/progress.ts';
import type { TargetConfig } from '../../../schemas/target.ts';
import { KEY, serveReference, temporaryDirectory } from '../cli.ts';
import { serveArguments } from '../scaled-load.ts';
import { type K6Conditions, k6Under } from './k6.ts';
import { type Road, startTroubledProxy, type TroubledProxy } from './proxy.ts';

/** What a scene can do to the target while it runs. */
export interface Stage {
  readonly road: TroubledProxy;
  /** The run's directory. */
  readonly dir: string;
  /** The target is gone, and restarts with an empty memory. */
  restart(goneMs: number): Promise<void>;
}

export interface Scene {
  readonly table: LimitTable;
  /** What the target keeps; default: what is promised. */
  readonly kept?: LimitTable;
  readonly only: readonly string[];
  /** Of the probes for those checks, the ids of those that are sent; default: all. */
  readonly probes?: RegExp;
  /** Further arguments for `proofload serve`. */
  readonly serve?: readonly string[];
  readonly road?: Road;
  readonly k6?: K6Conditions;
  /** Moments from the start of the load, ms, and what happens then. */
  readonly acts?: readonly (readonly [number, (stage: Stage) => unknown])[];
}

export interface Played extends Judgement {
  readonly facts: readonly LoadFacts[];
  readonly road: TroubledProxy;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves with the verdicts. k6 has to be in `K6_BIN`, as the setup of these tests leaves it. */
export async function play(scene: Scene): Promise<Played> {
  const { table, kept = table, only, probes = /./, serve = [], road, k6, acts = [] } = scene;
  const start = () => serveReference([...serveArguments(kept), ...serve]);
  let served = await start();
  const proxy = await startTroubledProxy(() => served.url, road);
  const dir = temporaryDirectory();
  const stage: Stage = {
    road: proxy,
    dir,
    async restart(goneMs) {
      // One that goes takes its connections with it, and does not wait for what is held open.
      proxy.drop();
      await served.stop();
      await pause(goneMs);
      served = await start();
    },
  };
  const acting: unknown[] = [];
  const timers = acts.map(([ms, act]) => setTimeout(() => acting.push(act(stage)), ms));
  try {
    const endpoints = [{ instId: 'inst-1', workersMax: 3, dedicated: true }];
    const { url } = proxy;
    const target: TargetConfig = { kind: 'reference', baseUrl: url, jobBaseUrl: url, endpoints, model: null };
    const roundTripMs = 1 + 2 * (road?.delayMs ?? 0);
    const calibration = { roundTripMs, quickJobMs: roundTripMs + 2, chatMs: roundTripMs + 5 };
    const whole = planLoad({ target, profile: 'gate', only, calibration, table });
    const plan = {
      ...whole,
      probes: whole.probes.filter(({ id }) => probes.test(id)),
    };
    const credentials = { accessKey: KEY, jobKey: KEY, brokeKey: null, otherKey: null };
    const k6Bin = k6 ? k6Under(dir, 'troubled', k6) : (process.env.K6_BIN ?? '');
    const signal = new AbortController().signal;
    const facts = await runLoad({ plan, credentials, runId: 'trouble', k6Bin, dir, progress: silent, signal });
    const evidence = { checkFacts: [], loadFacts: facts, declaredLoad: plan.declared, endpoints, table };
    return { facts, road: proxy, ...judge(evidence) };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    // A target that is restarting has to be there to be stopped.
    await Promise.all(acting);
    await proxy.close();
    await served.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Checks that have one of these verdicts, with what they say. */
export function having({ checks }: Judgement, ...verdicts: readonly string[]): string[] {
  return checks
    .filter(({ verdict }) => verdicts.includes(verdict))
    .map(({ id, verdict, observed, reason }) => `${id} ${verdict}: ${observed} (${reason ?? ''})`);
}

/** What was seen where nothing could be decided, and why. */
export const reasons = ({ checks }: Judgement): string[] =>
  checks.flatMap(({ verdict, observed, reason }) =>
    verdict === 'inconclusive' && reason ? [`${reason} (${observed})`] : [],
  );
