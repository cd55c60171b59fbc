/** The contract checks as a whole: their declarations, running them, and the connection check before them. */
import type { CheckFacts } from '../schemas/facts.ts';
import { tableOf } from '../schemas/limits.ts';
import type { Progress } from '../schemas/progress.ts';
import type { Amount } from '../schemas/results.ts';
import type { Calibration, Credentials, Profile, TargetConfig } from '../schemas/target.ts';
import type { CheckDeclaration } from '../schemas/verdicts.ts';
import { type Check, declarationOf } from './check.ts';
import { allChecks } from './checks/index.ts';
import { announced } from './costs/costs.ts';
import { beginWaits, parted, type Waits } from './run/long-waits.ts';
import { selected } from './run/select.ts';
import { runUnderVitest } from './run/vitest.ts';
import type { Recent } from './target/budget.ts';
import { openTarget } from './target/open.ts';

// When the contract checks end, whatever the target does: a CI job can't hang along with a broken service.
// A job that is lost is waited for a minute; a few of them, one after the other, leave time for the rest.

const DEADLINE_MS: Readonly<Record<Profile, number>> = { smoke: 60_000, gate: 240_000, nightly: 480_000 };
/** About as many chats and jobs as the checks make, which a service with one worker does one after the other. */
const IN_A_ROW = 500;

/** ms from their start. Longer where the wiring check measured a slow service; without a calibration the usual one. */
export function contractDeadlineMs(profile: Profile, calibration: Calibration | null): number {
  const { roundTripMs = 0, quickJobMs = 0, chatMs = 0 } = calibration ?? {};
  return DEADLINE_MS[profile] + IN_A_ROW * (roundTripMs + (quickJobMs ?? 0) + (chatMs ?? 0));
}

export { observeReference } from './run/observe.ts';
export { checkWiring, wiringAmount } from './wiring/wiring.ts';

/** Every contract check. Sends nothing. */
export function declaredChecks(): CheckDeclaration[] {
  return allChecks.map(declarationOf);
}

export interface ConformanceInput {
  /** A reference without addresses is the one in-process, on a virtual clock. */
  readonly target: TargetConfig;
  readonly credentials: Credentials;
  readonly profile: Profile;
  /** Globs on check ids; none selects all. */
  readonly only: readonly string[];
  /** Stands in everything that is sent. */
  readonly runId: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** From the first check on; default: the usual one of the profile. */
  readonly deadlineMs?: number;
  /** What it is called while it goes on. */
  readonly title?: string;
}

const TASK = 'conformance';
const WAITS = 'waits';
const NOTHING: Amount = { requests: 0, bytes: 0 };

const amountOf = ({ requests, bytes }: Amount): Amount => ({ requests, bytes });

type AnnounceInput = Pick<ConformanceInput, 'target' | 'credentials' | 'profile'>;

async function announceFor(checks: readonly Check[], { target: config, credentials, profile }: AnnounceInput) {
  const target = await openTarget(config, credentials);
  try {
    return announced(checks, target, profile);
  } finally {
    await target.close();
  }
}

/** What the selected checks would send to this target at most. Sends nothing. */
export async function announceContract(input: AnnounceInput & Pick<ConformanceInput, 'only'>): Promise<Amount> {
  const { now, later } = parted(selected(allChecks, input.only), input);
  // The two parts share no results, since the later one runs on its own.
  const parts = [await announceFor(now, input), await announceFor(later, input)];
  return parts.reduce<Amount>(
    (all, { requests, bytes }) => ({ requests: all.requests + requests, bytes: all.bytes + bytes }),
    NOTHING,
  );
}

export interface ContractRun {
  readonly declared: CheckDeclaration[];
  readonly facts: CheckFacts[];
  readonly traffic: { readonly announced: Amount; readonly sent: Amount };
  /** Requests of each budget, so lately before the end that they may still count against it; times from the last check's. */
  readonly lately: readonly Recent[];
  /** Until the deadline. */
  readonly leftMs: number;
}

/**
 * Runs the selected checks, except those that `beginLongWaits` runs. When the signal ends the run early, `facts` holds
 * those that had finished; every declared check has facts otherwise.
 *
 * @throws Error when the harness itself broke.
 */
export async function runConformance(input: ConformanceInput): Promise<ContractRun> {
  const { target, credentials, profile, only, runId, progress, signal } = input;
  const { deadlineMs = contractDeadlineMs(profile, null) } = input;
  const { now } = parted(selected(allChecks, only), input);
  const declared = now.map(declarationOf);
  const announcement = await announceFor(now, input);
  if (declared.length === 0 || signal.aborted)
    return {
      declared,
      facts: [],
      traffic: { announced: amountOf(announcement), sent: NOTHING },
      lately: [],
      leftMs: deadlineMs,
    };
  progress.begin({ id: TASK, title: input.title ?? 'contract checks', total: declared.length });
  const beganMs = performance.now();
  const onFacts = (done: number): void => progress.advance(TASK, done);
  const reported = { target, profile, only, runId, announced: announcement, deadlineMs };
  const collected = await runUnderVitest({ input: reported, credentials, signal, onFacts });
  const byId = new Map(collected.facts.map((one) => [one.id, one]));
  const facts = declared.flatMap(({ id }) => byId.get(id) ?? []);
  progress.end(TASK, facts.length === declared.length ? 'done' : `${facts.length} of ${declared.length} done`);
  const traffic = { announced: amountOf(announcement), sent: collected.sent };
  return { declared, facts, traffic, lately: collected.lately, leftMs: deadlineMs - (performance.now() - beganMs) };
}

/** How long the waits of the selected checks take, ms; 0 where none has to wait. */
export function longestWaitMs({
  target,
  profile,
  only,
}: Omit<AnnounceInput, 'credentials'> & { only: readonly string[] }): number {
  const { later } = parted(selected(allChecks, only), { target, profile });
  const named = new Set(later.map(({ longWait }) => longWait));
  return tableOf(target)
    .of('retention')
    .reduce((most, { budget, value }) => (named.has(budget) ? Math.max(most, value) : most), 0);
}

/**
 * Begins with the selected checks that rest on long waits; null where there are none, or none that has to wait. The
 * load may begin when `still` resolves; call `loadIsOver` at its end. `done` resolves early when interrupted.
 */
export function beginLongWaits(input: ConformanceInput): Waits | null {
  const { only, progress } = input;
  const { later } = parted(selected(allChecks, only), input);
  if (later.length === 0) return null;
  const estimateMs = longestWaitMs(input);
  progress.begin({ id: WAITS, title: 'contract checks: how long jobs stay available', estimateMs });
  const waits = beginWaits(later, input);
  const done = waits.done.finally(() => progress.end(WAITS));
  // A fault is reported to the caller that awaits it, after the load.
  done.catch(() => {});
  return { ...waits, done };
}
