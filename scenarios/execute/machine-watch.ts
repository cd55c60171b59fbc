/**
 * Watches the machine that the load comes from while a probe runs: how much of its processors is left, how long this
 * process was kept from running, and how large k6 grew. A load average would be no help: it says what wanted to run,
 * over a minute, and a probe is over by then.
 */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { MachineLoad } from '../../schemas/generator.ts';

export interface MachineWatch {
  /** Sets the process whose memory to watch. */
  follow(pid: number): void;
  /** Ends the watch; calling it twice does no harm. */
  stop(): MachineLoad;
}

/** Processor time of all cores since the machine started, ms. */
export interface ProcessorTimes {
  readonly idleMs: number;
  readonly totalMs: number;
}

/** For tests: where the numbers come from. */
export interface MachineSources {
  processors(): ProcessorTimes;
  /** Largest resident size so far, bytes; null where the system doesn't have it. */
  peakBytes(pid: number): number | null;
}

const SAMPLE_MS = 500;
/** A probe may be over in less than a second, and what is larger at its end is seen only while it is there. */
const MEMORY_MS = 50;
/**
 * The least head-room is that of a whole second: in half of one a single busy moment of k6 fills a core. And of a probe
 * that is over before the first sample there is none: systems count processor time in steps of ten milliseconds.
 */
const SAMPLES_EACH = 2;
const LOOP_RESOLUTION_MS = 10;
const NANOSECONDS = 1e6;
const KIBIBYTE = 1024;

/** @param loop whether this process sends itself, so that it matters how long it was kept from running */
export function watchMachine(loop: boolean, sources: MachineSources = ofThisMachine): MachineWatch {
  const taken = [sources.processors()];
  let pid: number | null = null;
  let peakBytes: number | null = null;
  const delays = loop ? startDelays() : null;
  const takeSample = (): void => void taken.push(sources.processors());
  const weigh = (): void => {
    if (pid !== null) peakBytes = sources.peakBytes(pid) ?? peakBytes;
  };
  const timers = [setInterval(takeSample, SAMPLE_MS), setInterval(weigh, MEMORY_MS)];
  for (const timer of timers) timer.unref();
  return {
    follow(one) {
      pid = one;
    },
    stop() {
      for (const timer of timers) clearInterval(timer);
      takeSample();
      weigh();
      delays?.disable();
      const [first, last] = [taken[0], taken.at(-1)];
      return {
        idleShare: first && last && taken.length > SAMPLES_EACH ? idleBetween(first, last) : null,
        leastIdleShare: leastIdle(taken),
        loopLagMs: delays ? lagOf(delays) : null,
        peakBytes,
      };
    },
  };
}

function startDelays(): IntervalHistogram {
  const delays = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  delays.enable();
  return delays;
}

/** The histogram counts from one tick of its timer to the next, so an idle loop shows the timer's own period. */
function lagOf(delays: IntervalHistogram): number {
  return delays.count === 0 ? 0 : Math.max(0, delays.max / NANOSECONDS - LOOP_RESOLUTION_MS);
}

/** null where no time has passed between the two. */
function idleBetween(from: ProcessorTimes, to: ProcessorTimes): number | null {
  const totalMs = to.totalMs - from.totalMs;
  return totalMs > 0 ? Math.min(1, Math.max(0, (to.idleMs - from.idleMs) / totalMs)) : null;
}

function leastIdle(taken: readonly ProcessorTimes[]): number | null {
  const shares = taken.flatMap((to, index) => {
    const from = taken[index - SAMPLES_EACH];
    return (from ? idleBetween(from, to) : null) ?? [];
  });
  return shares.length > 0 ? Math.min(...shares) : null;
}

const ofThisMachine: MachineSources = {
  processors() {
    return cpus().reduce(
      (sum, { times }) => ({
        idleMs: sum.idleMs + times.idle,
        totalMs: sum.totalMs + times.user + times.nice + times.sys + times.idle + times.irq,
      }),
      { idleMs: 0, totalMs: 0 },
    );
  },
  peakBytes(pid) {
    try {
      const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      return kibibytes === undefined ? null : Number(kibibytes) * KIBIBYTE;
    } catch {
      // Not Linux, or the process is gone: what was seen before stands.
      return null;
    }
  },
};
