/**
 * Everything between a checked configuration and the first check: the reference if it is the target, the wiring, k6,
 * the plan. What fails here is bad input, and nothing has been judged by then.
 */
import { checkWiring } from '../../conformance/index.ts';
import type { Baseline } from '../../reports/index.ts';
import { type LoadPlan, planLoad } from '../../scenarios/index.ts';
import type { Traffic } from '../../schemas/results.ts';
import type { Calibration, Credentials, TargetConfig } from '../../schemas/target.ts';
import type { Settings } from '../cli/settings.ts';
import type { Host } from '../host.ts';
import { type K6, provisionK6 } from '../k6/provision.ts';
import type { TerminalProgress } from '../progress.ts';
import type { Job } from './github.ts';
import type { Interrupt } from './interrupt.ts';
import { refusalOf } from './liveness.ts';
import { referenceCredentials, referenceTarget, secondAddress, startReference } from './reference-process.ts';
import { includesDocumented, type Parts } from './selection.ts';
import { checkThroughK6 } from './through-k6.ts';

/** The first one after 127.0.0.1, where the system takes all of 127.0.0.0/8 for its own. */
const FIRST = 2;
const MOST = 250;

/**
 * One for each runner; none where it is one runner, or where the target can't be reached from them, as one on another
 * machine: it would see this machine as one.
 */
export async function sourceAddresses(runners: number, target: TargetConfig): Promise<readonly string[]> {
  const urls = [target.baseUrl, target.jobBaseUrl].filter((url) => url !== null).map((url) => new URL(url));
  if (runners < 2 || runners > MOST || !urls.every(isLoopback)) return [];
  const all = Array.from({ length: runners }, (_, index) => `127.0.0.${FIRST + index}`);
  const refused = await Promise.all(urls.flatMap((url) => all.map((address) => refusalOf(url, address))));
  return refused.every((code) => code === null) ? all : [];
}

const isLoopback = ({ hostname }: URL): boolean => /^127(\.\d+){3}$/.test(hostname) || hostname === 'localhost';

/** What all stages of one run share. */
export interface Run {
  readonly id: string;
  readonly startedAt: Date;
  readonly parts: Parts;
  readonly settings: Settings;
  /** What is expected to fail; null where nothing is. */
  readonly baseline: Baseline | null;
  /** The file that every run appends a line to. */
  readonly history: string;
  readonly host: Host;
  /** The run's directory. */
  readonly dir: string;
  readonly progress: TerminalProgress;
  readonly job: Job;
  readonly interrupt: Interrupt;
  /** To be done in any case once the run is over. */
  readonly cleanUp: (() => Promise<void>)[];
}

export interface Prepared {
  /** With the model that was chosen. */
  readonly target: TargetConfig;
  readonly credentials: Credentials;
  /** Absent where there was nothing to wire: the reference in-process. */
  readonly wiring?: Traffic['wiring'];
  readonly calibration?: Calibration;
  /** null when no load is sent. `sources`: the addresses that runners send from; empty: the system's choice. */
  readonly load: { readonly plan: LoadPlan; readonly k6: K6; readonly sources: readonly string[] } | null;
}

/**
 * The connection is checked before k6 is obtained: a wrong address should show in a second, and a compiler running at
 * the same time would spoil the round trips that are measured here. Throws UsageError, or the signal's reason when
 * interrupted.
 */
export async function prepare(run: Run): Promise<Prepared> {
  const { parts, settings, host, progress } = run;
  const { signal } = run.interrupt;
  const credentials = settings.target === null ? referenceCredentials(settings.credentials) : settings.credentials;
  if (settings.target === null && !parts.load) return { target: referenceTarget(null), credentials, load: null };
  const given = settings.target ?? (await ownReference(run, credentials));
  signal.throwIfAborted();
  const {
    target,
    calibration,
    traffic: wiring,
  } = await checkWiring({
    target: given,
    credentials,
    runId: run.id,
    signal,
    documented: includesDocumented(parts, settings),
  });
  if (!parts.load) return { target, credentials, calibration, wiring, load: null };
  const k6 = await provisionK6({ progress, signal, env: host.env });
  const { profile, only, goals = [] } = settings;
  await checkThroughK6({ target, credentials, runId: run.id, k6Bin: k6.path, signal });
  const sources = await sourceAddresses(settings.values.runners ?? 1, target);
  return {
    target,
    credentials,
    calibration,
    wiring,
    load: {
      plan: planLoad({ target, profile, only, calibration, goals, addresses: sources.length || 1 }),
      k6,
      sources,
    },
  };
}

async function ownReference({ host, cleanUp }: Run, credentials: Credentials): Promise<TargetConfig> {
  const reference = await startReference(credentials, host.env);
  cleanUp.push(reference.stop);
  return { ...referenceTarget(reference.url), ...(await secondAddress()) };
}
