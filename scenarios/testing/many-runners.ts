/**
 * What many runners would leave of one rate probe, at a limiter that keeps a log, played without sending: for how long and
 * how large their ledgers are, and what is made of them, where no machine is at hand that could send as much.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeMark, encodeShort, headOf } from '../../schemas/ledger.ts';
import { encodeRunner } from '../../schemas/ledger-runner.ts';
import { slotTimes } from '../k6/lib/schedule.ts';
import { rateTimes } from '../kinds/rate/timeline.ts';
import type { RateParameters } from '../probe.ts';
import { slidingLog } from './rate-simulation.ts';

export interface Amounts {
  readonly runners: number;
  /** Requests in a window. */
  readonly limit: number;
  readonly windowMs: number;
  /** How many windows the pace goes on for. */
  readonly paceWindows: number;
}

const CONNECTIONS_PER_RUNNER = 10;
/** The limit at once takes a second. */
const BURST_MS = 1000;
const WAY_MS = 10;
/** Clocks are so far off, at most, and known no better; ms. */
const ERROR_MS = 5;
const BEYOND_SHARE = 0.1;

export function parametersOf({ runners, limit, windowMs, paceWindows }: Amounts): RateParameters {
  const vus = runners * CONNECTIONS_PER_RUNNER;
  const overflowCap = Math.ceil((limit * (1 + BEYOND_SHARE)) / vus);
  const operation = { operation: 'run', siblings: [], absent: [], limitId: 'run.rate', instId: 'inst-1' } as const;
  const times = rateTimes({ limit, windowMs, burstMs: BURST_MS, paceWindows });
  return {
    kind: 'rate',
    ...operation,
    limit,
    windowMs,
    vus,
    beyondVus: vus,
    overflowCap,
    overflowRefusals: overflowCap,
    refillCap: 0,
    ...times,
  };
}

/** Writes a file for each runner, and resolves with their names and how many lines they have in all. */
export function playRunners(directory: string, amounts: Amounts): { readonly files: string[]; readonly lines: number } {
  const { runners: count, limit } = amounts;
  const parameters = parametersOf(amounts);
  const files = Array.from({ length: count }, (_, index) => join(directory, `ledger.${index}`));
  const waiting = files.map((): string[] => []);
  const offsets = files.map((_, index) => ((index * 7919) % (2 * ERROR_MS)) - ERROR_MS);
  let lines = 0;
  const write = (index: number, line: string): void => {
    const own = waiting[index];
    lines += 1;
    if (own && own.push(line) === LINES_AT_ONCE) flush(index);
  };
  const flush = (index: number): void => {
    appendFileSync(files[index] ?? '', (waiting[index] ?? []).map((line) => `${line}\n`).join(''));
    waiting[index] = [];
  };
  files.forEach((_, index) => {
    const runner = { index, count, runId: 'played', startAtMs: 0, offsetMs: 0, errorMs: ERROR_MS };
    write(index, encodeMark({ mark: 'start', wallMs: offsets[index] ?? 0, monotonicMs: 0 }));
    write(index, encodeRunner(runner));
  });
  const admits = slidingLog(limit, amounts.windowMs);
  const heads = new Map(['burst', 'second-burst', 'pace', 'overflow'].map((phase) => [phase, headOf(phase, 'run')]));
  const send = (phase: string, index: number, atMs: number): void => {
    const status = admits(atMs + WAY_MS) ? OK : REFUSED;
    write(
      index % count,
      encodeShort(heads.get(phase) ?? '', atMs, 0, 2 * WAY_MS, atMs + 2 * WAY_MS, status, undefined),
    );
  };
  const burst = (phase: string, fromMs: number, many: number): void => {
    for (let index = 0; index < many; index += 1) send(phase, index, fromMs + (index * BURST_MS) / many);
  };
  const { burstAtMs, secondBurstAtMs = 0, paces, overflowAtMs, overflowCap, vus } = parameters;
  burst('burst', burstAtMs, limit);
  burst('second-burst', secondBurstAtMs, limit);
  for (const span of paces) for (const [slot, atMs] of slotTimes(span).entries()) send('pace', slot, atMs);
  burst('overflow', overflowAtMs, overflowCap * vus);
  files.forEach((_, index) => {
    write(index, encodeMark({ mark: 'end', wallMs: (offsets[index] ?? 0) + 1e6, monotonicMs: 1e6 }));
    flush(index);
  });
  return { files, lines };
}

const [OK, REFUSED] = [200, 429];
const LINES_AT_ONCE = 10_000;
