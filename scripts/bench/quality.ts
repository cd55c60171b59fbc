/**
 * How good the load is, as a server sees it that writes down when each request came: a pace puts into each window what
 * was planned, hardly late, and a burst is over in a moment. What is sent is what a rate probe sends.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executeProbe } from '../../scenarios/execute/index.ts';
import { slots } from '../../scenarios/k6/lib/schedule.ts';
import { pacePeriodMs } from '../../scenarios/plan/timeline.ts';
import type { Probe, RateParameters } from '../../scenarios/probe.ts';
import { decodeLedger, zeroOf } from '../../schemas/ledger.ts';
import { limitFor } from '../../schemas/limits.ts';
import { silent } from '../../schemas/progress.ts';
import { provisionK6 } from '../k6/provision.ts';
import { packageRoot } from '../package.ts';
import { median, quantile } from './measure.ts';
import { rawBurst, rawPace } from './raw.ts';
import { paceSeen } from './windows.ts';

export type Report = (name: string, value: string, goal?: string) => void;

const BURST = 1100;
const VUS = 50;
const WARM_MS = 2000;
const PACE_WINDOWS = 2;
const WINDOW_MS = limitFor('requests', 'run')?.windowMs ?? 0;

export interface Counting {
  readonly url: string;
  /** What came since it was asked last: operation and wall clock, ms. */
  arrivals(): Promise<readonly (readonly [string, number])[]>;
  stop(): void;
}

export async function startCounting(): Promise<Counting> {
  const child = fork(join(packageRoot(), 'dist', 'scripts', 'bench', 'counting-server.js'));
  const [first]: unknown[] = await once(child, 'message');
  if (typeof first !== 'object' || first === null || !('url' in first)) throw new Error('no address came');
  return {
    url: String(first.url),
    async arrivals() {
      child.send('arrivals');
      const [told]: unknown[] = await once(child, 'message');
      if (typeof told !== 'object' || told === null || !('arrivals' in told)) throw new Error('no arrivals came');
      const { arrivals } = told;
      if (!Array.isArray(arrivals)) throw new Error('no arrivals came');
      return arrivals.map((one: unknown): [string, number] =>
        Array.isArray(one) ? [String(one[0]), Number(one[1])] : ['', 0],
      );
    },
    stop: () => child.disconnect(),
  };
}

/** A burst alone, or a pace after a burst of next to nothing. */
function parameters(burst: number, pacedLimit: number | null): RateParameters {
  const vus = Math.min(VUS, burst);
  const overAtMs = WARM_MS + 1500;
  const periodMs = pacedLimit === null ? WINDOW_MS : pacePeriodMs(pacedLimit, WINDOW_MS);
  const fromMs = overAtMs + 1000;
  const none = { fromMs: 0, periodMs: WINDOW_MS, untilMs: 0 };
  const untilMs = fromMs + PACE_WINDOWS * Math.floor(WINDOW_MS / periodMs) * periodMs;
  return {
    kind: 'rate',
    limitId: 'run.rate',
    instId: 'inst-1',
    operation: 'run',
    siblings: [],
    limit: burst,
    windowMs: WINDOW_MS,
    vus,
    burstAtMs: WARM_MS,
    overAtMs,
    overCap: 1,
    overRefusals: 1,
    pace: pacedLimit === null ? none : { fromMs, periodMs, untilMs },
    echoesAtMs: [],
    echoCap: 0,
    polls: { spans: [], edgesMs: [] },
    untilMs: Math.max(overAtMs, untilMs),
  };
}

/** As many requests as fast as the connections allow, and next to nothing else. */
export const burstOf = (requests: number): RateParameters => parameters(requests, null);

/** Sends it, and returns when its requests of the operation came, ms on the sender's clock. */
export async function sent(to: RateParameters, server: Counting, k6Bin: string): Promise<readonly number[]> {
  const dir = await mkdtemp(join(tmpdir(), 'proofload-bench-'));
  const nothing = { checkIds: [], requests: 0, bytes: 0, floorMs: 0, exclusive: [] };
  const probe: Probe = { id: 'bench', title: '', parameters: to, estimateMs: to.pace.untilMs + WARM_MS, ...nothing };
  const endpoints = [{ instId: 'inst-1', workersMax: 3, dedicated: true }];
  const target = { kind: 'remote', baseUrl: null, jobBaseUrl: server.url, endpoints, model: null } as const;
  const credentials = { accessKey: null, jobKey: 'bench', brokeKey: null, otherKey: null };
  const signal = new AbortController().signal;
  try {
    const env = { target, credentials, runId: 'bench', k6Bin, dir, signal, progress: () => {} };
    const ledger = decodeLedger(await executeProbe(probe, env));
    const zeroMs = zeroOf(ledger);
    if (zeroMs === undefined || ledger.marks.length < 2) throw new Error('the load of a benchmark was cut short');
    return (await runsOf(server)).map((wallMs) => wallMs - zeroMs);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** The first few warm the server up, which compiles its code while it serves them, and is what is measured by. */
const BURSTS = 5;

async function burst(server: Counting, k6Bin: string, report: Report): Promise<void> {
  const to = parameters(BURST, null);
  const spans: number[] = [];
  const raw: number[] = [];
  const span = (all: readonly number[]): number => Math.max(...all) - Math.min(...all);
  for (let round = 0; round < BURSTS; round += 1) {
    const came = (await sent(to, server, k6Bin)).filter((ms) => ms < to.overAtMs);
    if (came.length !== BURST) throw new Error(`of a burst of ${BURST} came ${came.length}`);
    spans.push(span(came));
    await rawBurst(server.url, BURST, VUS);
    raw.push(span(await runsOf(server)));
  }
  const each = (all: readonly number[]): string => all.map((ms) => Math.round(ms)).join(' ');
  report(`burst of ${BURST}, ${VUS} warm connections: ms each`, each(spans), `all ${BURST} came`);
  report('  from first to last arrival, median', `${Math.round(median(spans))} ms`, 'below 300 ms');
  report('  the same from bare sockets: ms each', each(raw), 'what this machine can do');
}

/** When requests of the operation came since it was asked last, ms. */
async function runsOf(server: Counting): Promise<readonly number[]> {
  return (await server.arrivals()).flatMap(([operation, wallMs]) => (operation === 'run' ? [wallMs] : []));
}

async function pace(limit: number, server: Counting, k6Bin: string, report: Report): Promise<void> {
  // One warm connection for each that the pace uses, as after a burst.
  const to = parameters(VUS, limit);
  const { fromMs, periodMs } = to.pace;
  const came = (await sent(to, server, k6Bin)).filter((ms) => ms > fromMs - periodMs / 2);
  const { windows, late } = paceSeen(came, { fromMs, periodMs, count: slots(to.pace), windowMs: WINDOW_MS });
  const planned = windows[0]?.planned ?? 0;
  report(
    `pace below ${limit} in ${WINDOW_MS / 1000} s: in each window`,
    windows.map((one) => one.came).join(', '),
    `${planned}`,
  );
  const count = planned;
  const schedule = { fromMs: await rawPace(server.url, periodMs, count, VUS), periodMs, count, windowMs: WINDOW_MS };
  const raw = paceSeen(await runsOf(server), schedule).late;
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) => {
    const [of, ofRaw] = [late, raw].map((all) => quantile(all, share).toFixed(1));
    return `${of} ms (bare sockets ${ofRaw})`;
  });
  report('  late, half of them at most', p50 ?? '');
  report('  late, p99', p99 ?? '', 'below 5 ms');
  report('  late, all at most', most ?? '');
}

export async function measureQuality(report: Report): Promise<void> {
  const signal = new AbortController().signal;
  const k6 = await provisionK6({ progress: silent, signal, env: process.env });
  const server = await startCounting();
  try {
    await burst(server, k6.path, report);
    for (const budget of ['run', 'status'] as const) {
      const value = limitFor('requests', budget)?.value;
      if (value !== undefined) await pace(value, server, k6.path, report);
    }
  } finally {
    server.stop();
  }
}
