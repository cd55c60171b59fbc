/**
 * Carries out a plan: starts each probe as soon as what it needs is free, in the planned order, by events and not by
 * the planned clock, so that a probe that takes longer than expected delays others but never disturbs them.
 */
import { setMaxListeners } from 'node:events';
import type { LoadFacts } from '../schemas/facts.ts';
import { decodeLedger, type Ledger } from '../schemas/ledger.ts';
import type { Progress } from '../schemas/progress.ts';
import type { Credentials } from '../schemas/target.ts';
import { executeProbe, sendingFor } from './execute/index.ts';
import { releaseOwnJobs } from './execute/script.ts';
import { pause } from './execute/stopwatch.ts';
import type { LoadPlan, PlannedProbe, Spending } from './plan/types.ts';
import { type CarryOutEnvironment, carryOut, type Execute } from './run/carry-out.ts';
import { Spans } from './run/spans.ts';
import { interrupted, spentOf } from './run/spent.ts';
import { type Placed, placeInOrder, type Sent } from './schedule.ts';

export interface LoadInput {
  readonly plan: LoadPlan;
  readonly credentials: Credentials;
  /** Stands in everything that is sent. */
  readonly runId: string;
  readonly k6Bin: string;
  /** The run's directory; ledgers and logs go to `ledger/` and `k6/` in it. */
  readonly dir: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Takes keys out of what is kept as evidence: a target may send one back; default: nothing is taken out. */
  readonly mask?: (text: string) => string;
  /** What was sent so long before, as far as it matters to those that keep within a limit; default: nothing. */
  readonly spentBefore?: readonly { readonly agoMs: number; readonly spends: Spending }[];
  /**
   * Called when all that is left waits for idle windows, so that this machine has seconds to spare; it has to end with
   * the signal. Never called where there is no such time.
   */
  inIdle?(until: AbortSignal): Promise<void>;
  /** Processes that send together what can be split; default: one. */
  readonly runners?: number;
  /** Addresses of this machine that they send from, one each; default: the system's choice. */
  readonly sources?: readonly string[];
  /** What the whole of it is called while it goes on. */
  readonly title?: string;
  /** When the load began, on `performance.now()`, for when each probe ran; default: now. */
  readonly beganMs?: number;
}

const WHOLE = 'load';
const PREPARED = 'prepared';

/** How long stopped probes get to cancel their own jobs before they are given up, ms. */
const CLEAN_UP_MS = 15_000;

/**
 * Runs the whole plan. Resolves with facts for every declared check, also when it is aborted: probes that did not run
 * have a reason.
 *
 * @param execute for tests: sends a probe and returns its ledger
 */
export async function runLoad(input: LoadInput, execute: Execute = executeProbe): Promise<LoadFacts[]> {
  const { plan, progress, signal } = input;
  // Each probe and each request of ours listens to it for as long as it lasts; that is no leak to warn about.
  setMaxListeners(0, signal);
  const missing: LoadFacts[] = plan.unobservable.map((one) => ({ kind: 'missing', ...one }));
  const { target } = plan;
  const { credentials, runId, k6Bin, dir } = input;
  const { mask } = input;
  const { doneJobs } = plan;
  const { runners, sources } = input;
  const more = { ...(mask ? { mask } : {}), ...(runners ? { runners } : {}), ...(sources ? { sources } : {}) };
  const env = { target, doneJobs, credentials, runId, k6Bin, dir, signal, progress, ...more };
  if (plan.probes.length === 0) return missing;
  // The one task that shows how much of everything is left; the probes come and go below it.
  progress.begin({
    id: WHOLE,
    title: input.title ?? 'load: probes',
    total: plan.probes.length,
    estimateMs: plan.durationMs,
  });
  const nowMs = performance.now();
  const before = (input.spentBefore ?? []).map(({ agoMs, spends }) => ({ spends, endMs: nowMs - agoMs }));
  const facts = await runAll(plan, env, execute, before, input);
  progress.end(WHOLE, signal.aborted ? 'stopped' : undefined);
  return [...missing, ...facts];
}

interface Started {
  readonly startMs: number;
  readonly done: Promise<void>;
  preparedMs?: number;
}

/** Where it stands: when it is over is not known of one that has taken longer than expected. */
function placedNow([probe, { startMs, preparedMs }]: readonly [PlannedProbe, Started], nowMs: number): Placed {
  const expected = (afterMs: number): number =>
    nowMs < startMs + afterMs ? startMs + afterMs : Number.POSITIVE_INFINITY;
  return {
    probe,
    startMs,
    preparedMs: preparedMs ?? (probe.early ? expected(probe.early.estimateMs) : startMs),
    endMs: expected(probe.estimateMs),
  };
}

async function runAll(
  plan: LoadPlan,
  whole: Omit<CarryOutEnvironment, 'execute'>,
  send: Execute,
  before: readonly Sent[],
  { inIdle, beganMs }: Pick<LoadInput, 'inIdle' | 'beganMs'>,
): Promise<LoadFacts[]> {
  const { signal, progress } = whole;
  const { table } = plan;
  const spans = new Spans(beganMs);
  const watched = spans.watch(send);
  const spent = new Map<string, Spending>();
  const execute: Execute<Ledger> = async (probe, env) => {
    // Of the text nothing is kept: that of a long load takes as much memory as all that is in it.
    const ledger = decodeLedger(await watched(probe, env));
    const planned = plan.probes.find(({ id }) => id === probe.id);
    if (planned) spent.set(probe.id, spentOf(planned, ledger, table));
    return ledger;
  };
  const facts = new Map<PlannedProbe, LoadFacts>();
  const started = new Map<PlannedProbe, Started>();
  const over: Placed[] = [];
  const changed = new EventTarget();
  const start = (probe: PlannedProbe, startMs: number): void => {
    const prepared = (): void => {
      const own = started.get(probe);
      if (own) own.preparedMs = performance.now();
      changed.dispatchEvent(new Event(PREPARED));
    };
    const done = carryOut(probe, { ...whole, execute, prepared }).then((result) => {
      const endMs = performance.now();
      over.push({
        probe,
        startMs,
        preparedMs: started.get(probe)?.preparedMs ?? endMs,
        endMs,
        // One that broke may have sent all that it might.
        spent: spent.get(probe.id) ?? probe.spends,
      });
      started.delete(probe);
      facts.set(probe, spans.tell(result));
      progress.advance(WHOLE, over.length);
    });
    started.set(probe, { startMs, done });
  };
  const startedAtMs = performance.now();
  let pending = plan.probes;
  let lent: Promise<void> | undefined;
  while (!signal.aborted && (pending.length > 0 || started.size > 0)) {
    const nowMs = performance.now();
    const placed = [...over, ...[...started].map((one) => placedNow(one, nowMs))];
    const next = placeInOrder(pending, { placed, before, table, beganMs: startedAtMs }, nowMs);
    const ready = next.filter(({ startMs }) => startMs <= nowMs);
    for (const { probe } of ready) start(probe, nowMs);
    pending = pending.filter((probe) => !started.has(probe));
    const later = next.filter(({ startMs }) => startMs > nowMs);
    const wakeMs = later.reduce((least, { startMs }) => Math.min(least, startMs), Number.POSITIVE_INFINITY);
    if (inIdle && !lent && started.size === 0 && pending.every(({ startsIdle }) => startsIdle))
      lent = lend(wakeMs - nowMs, signal, inIdle);
    const ends = [...started.values()].map(({ done }) => done);
    await firstOf(ends, wakeMs - nowMs, [signal, 'abort'], [changed, PREPARED]);
  }
  if (signal.aborted) await firstOf([Promise.all([...started.values()].map(({ done }) => done))], CLEAN_UP_MS);
  await lent;
  await clearQueues(plan, whole);
  return plan.probes.map((probe) => facts.get(probe) ?? interrupted(probe));
}

/**
 * Jobs of ours that workers would be busy with for long are taken back, when nothing is measured any more and the purge
 * is not refused for what was sent before. Best effort.
 */
async function clearQueues({ probes, table }: LoadPlan, env: Omit<CarryOutEnvironment, 'execute'>): Promise<void> {
  const filled = probes.filter(({ leavesQueue }) => leavesQueue);
  if (filled.length === 0) return;
  await pause(table.find('requests', 'purge-queue')?.windowMs ?? 0, env.signal).catch(() => {});
  for (const { parameters } of filled) await releaseOwnJobs(sendingFor(parameters, env), { jobIds: [], purge: true });
}

/** A shorter time is not lent, ms. */
const LENT_LEAST_MS = 1000;

/** Lets another use the time until the next probe starts, ms; infinite where none does. */
async function lend(ms: number, signal: AbortSignal, use: (until: AbortSignal) => Promise<void>): Promise<void> {
  if (!Number.isFinite(ms) || ms < LENT_LEAST_MS) return;
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(new Error('the next probe starts')), ms);
  await use(AbortSignal.any([signal, over.signal])).finally(() => clearTimeout(timer));
}

/** Resolves when one of the promises does, after `ms`, or at one of the events. */
async function firstOf(
  promises: readonly Promise<unknown>[],
  ms: number,
  ...events: readonly (readonly [EventTarget, string])[]
): Promise<void> {
  let wake = () => {};
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const timer = Number.isFinite(ms) ? setTimeout(wake, Math.max(1, ms)) : undefined;
  for (const [target, name] of events) target.addEventListener(name, wake);
  try {
    await Promise.race([woken, ...promises]);
  } finally {
    clearTimeout(timer);
    for (const [target, name] of events) target.removeEventListener(name, wake);
  }
}
