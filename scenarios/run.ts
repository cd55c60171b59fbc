/**
 * Carries out a plan: starts each probe as soon as what it needs is free, in the planned order, by events and not by
 * the planned clock, so that a probe that takes longer than expected delays others but never disturbs them.
 */
import { setMaxListeners } from 'node:events';
import type { LoadFacts } from '../schemas/facts.ts';
import { decodeLedger, type Ledger } from '../schemas/ledger.ts';
import type { Progress } from '../schemas/progress.ts';
import type { Credentials } from '../schemas/target.ts';
import { executeProbe } from './execute/index.ts';
import { isRate } from './plan/stages.ts';
import { stagger } from './plan/stagger.ts';
import type { LoadPlan, PlannedProbe, Spending } from './plan/types.ts';
import { Deadlines } from './run/deadlines.ts';
import { type Execute, type GangEnvironment, runGang } from './run/gang.ts';
import { interrupted } from './run/missing.ts';
import { Spans } from './run/spans.ts';
import { spentOf } from './run/spent.ts';
import { choose, type Finished, finishedAt, type Gang, type Running, runningFrom, Turns } from './schedule.ts';

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
  /** What was sent so long before; default: nothing that may still count. */
  readonly spentBefore?: readonly { readonly agoMs: number; readonly spends: Spending }[];
  /**
   * Told when all that is left waits through its idle window, so that this machine has seconds to spare; what it does
   * has to end with the signal. May be called again, and never is where there is no such window.
   */
  inIdle?(until: AbortSignal): Promise<void>;
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
 * Runs the whole plan. Resolves with facts for every declared check, also when it is aborted: what was not done says
 * so. Rejects only on a plan that names a probe it does not contain.
 *
 * @param execute for tests: what sends a probe and returns its ledger
 */
export async function runLoad(input: LoadInput, execute: Execute = executeProbe): Promise<LoadFacts[]> {
  const { plan, progress, signal } = input;
  // Each probe and each request of ours listens to it for as long as it lasts; that is no leak to warn about.
  setMaxListeners(0, signal);
  const missing: LoadFacts[] = plan.unobservable.map((one) => ({ kind: 'missing', ...one }));
  const { target } = plan;
  const { credentials, runId, k6Bin, dir } = input;
  const { mask } = input;
  const env = { target, credentials, runId, k6Bin, dir, signal, progress, ...(mask ? { mask } : {}) };
  if (plan.probes.length === 0) return missing;
  // The one task that tells how much of everything is left; the probes come and go below it.
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

function gangsOf({ stages, probes }: LoadPlan): Gang[] {
  return stages.map(({ probeIds }) =>
    probeIds.map((id): PlannedProbe => {
      const probe = probes.find((one) => one.id === id);
      if (!probe) throw new Error(`the plan has a stage with '${id}', but no such probe`);
      return probe;
    }),
  );
}

interface Started {
  readonly startMs: number;
  readonly done: Promise<void>;
  /** Ids of those past their preparation. */
  readonly prepared: Set<string>;
  /** To put off one of them. */
  readonly stops: ReadonlyMap<string, AbortController>;
}

function runningNow(started: ReadonlyMap<Gang, Started>, nowMs: number): Running[] {
  return [...started].flatMap(([gang, { startMs, prepared }]) =>
    gang.map((probe) => runningFrom(probe, startMs, nowMs, probe.early !== undefined && !prepared.has(probe.id))),
  );
}

async function runAll(
  plan: LoadPlan,
  whole: Omit<GangEnvironment, 'prepared' | 'execute'>,
  send: Execute,
  before: readonly Finished[],
  { inIdle, beganMs }: Pick<LoadInput, 'inIdle' | 'beganMs'>,
): Promise<LoadFacts[]> {
  let gangs = gangsOf(plan);
  const { signal, progress } = whole;
  const facts = new Map<Gang, LoadFacts[]>();
  const finished: Finished[] = [...before];
  const started = new Map<Gang, Started>();
  const spent = new Map<string, Spending>();
  const idle: Promise<void>[] = [];
  const spans = new Spans(beganMs);
  const watched = spans.watch(send);
  const execute: Execute<Ledger> = async (probe, env) => {
    // Of the text nothing is kept: that of a long load takes as much memory as all that is in it.
    const ledger = decodeLedger(await watched(probe, env));
    const planned = plan.probes.find(({ id }) => id === probe.id);
    if (planned) spent.set(probe.id, spentOf(planned, ledger, plan.table));
    return ledger;
  };
  const changed = new EventTarget();
  const deadlines = new Deadlines();
  const turns = new Turns(gangs, plan.schedule, plan.table);
  let pending = [...gangs];
  let over = 0;
  const start = (gang: Gang, running: readonly Running[]): void => {
    const prepared = new Set<string>();
    const stops = new Map(gang.map(({ id }) => [id, new AbortController()]));
    const startMs = performance.now();
    deadlines.add(gang, running, startMs);
    const tell = (probeId: string) => {
      prepared.add(probeId);
      changed.dispatchEvent(new Event(PREPARED));
    };
    const putOff = (probeId: string) => stops.get(probeId)?.signal ?? signal;
    const done = runGang(gang, { ...whole, execute, prepared: tell, putOff }).then((result) => {
      facts.set(
        gang,
        result.facts.map((one) => spans.tell(one)),
      );
      started.delete(gang);
      const endMs = performance.now();
      finished.push(...gang.flatMap((probe) => finishedAt(probe, endMs, spent.get(probe.id))));
      // Their bursts are placed relative to one another once more.
      const rates = result.putOff.filter(isRate);
      const later = rates.length > 0 ? [stagger(rates)] : [];
      gangs = [...gangs, ...later];
      pending = [...pending, ...later];
      over += gang.length - rates.length;
      progress.advance(WHOLE, over);
    });
    started.set(gang, { done, prepared, startMs, stops });
    if (inIdle && pending.length === 0) idle.push(useIdle(started, signal, inIdle));
  };
  while (!signal.aborted && (pending.length > 0 || started.size > 0)) {
    const nowMs = performance.now();
    const running = runningNow(started, nowMs);
    for (const id of deadlines.missed(running, nowMs)) for (const { stops } of started.values()) stops.get(id)?.abort();
    const { next, soonestMs } = choose(pending, { running, finished, table: plan.table }, nowMs, turns);
    if (next) {
      pending = pending.filter((gang) => gang !== next);
      start(next, running);
      continue;
    }
    const ends = [...started.values()].map(({ done }) => done);
    const wakeMs = Math.min(soonestMs, deadlines.nextMs(nowMs));
    await firstOf(ends, wakeMs - nowMs, [signal, 'abort'], [changed, PREPARED]);
  }
  if (signal.aborted) await firstOf([Promise.all([...started.values()].map(({ done }) => done))], CLEAN_UP_MS);
  await Promise.all(idle);
  return gangs.flatMap((gang) => facts.get(gang) ?? gang.map(interrupted));
}

/** Lets another use the time until the bursts of the rate probes, once whatever else runs is over. */
async function useIdle(
  started: ReadonlyMap<Gang, Started>,
  signal: AbortSignal,
  use: (until: AbortSignal) => Promise<void>,
): Promise<void> {
  const waiting = [...started].filter(([gang]) => gang.some(isRate));
  const others = [...started].filter(([gang]) => !gang.some(isRate)).map(([, { done }]) => done);
  const mindFromMs = waiting.flatMap(([gang, { startMs }]) =>
    gang.flatMap(({ idle }) => (idle ? startMs + idle.loudMs : [])),
  );
  const idleMs = Math.min(...mindFromMs) - performance.now();
  if (idleMs <= 0 || mindFromMs.length === 0) return;
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(new Error('the idle window is over')), idleMs);
  const until = AbortSignal.any([signal, over.signal]);
  try {
    await Promise.all(others);
    if (!until.aborted) await use(until);
  } finally {
    clearTimeout(timer);
  }
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
