/**
 * What it costs a load to write down every request: a rate probe's burst, as fast as its connections allow, beside the
 * least script that sends the same requests and writes nothing, in turns against the same server.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { k6Environment } from '../../scenarios/execute/k6-process.ts';
import { outgoing } from '../../scenarios/execute/requests.ts';
import { silent } from '../../schemas/progress.ts';
import { provisionK6 } from '../k6/provision.ts';
import { median } from './measure.ts';
import { burstOf, type Counting, type Report, sent, startCounting } from './quality.ts';

const REQUESTS = 20_000;
const VUS = 50;
const ROUNDS = 7;

/** Each of its connections is warm when they all begin, as in the probe. */
function leastScript(url: string): string {
  const addresses = { baseUrl: null, jobBaseUrl: url, model: null, instId: 'inst-1', runId: 'bench' };
  const [run, health] = [outgoing(addresses, 'run'), outgoing(addresses, 'health')];
  return `import http from 'k6/http';
import { sleep } from 'k6';
export const options = {
  scenarios: { burst: { executor: 'per-vu-iterations', vus: ${VUS}, iterations: 1 } },
  discardResponseBodies: true,
};
const params = { headers: { Accept: 'application/json', 'Content-Type': 'application/json', Authorization: 'Bearer bench' } };
export default function () {
  http.get(${JSON.stringify(health.url)}, params);
  sleep(1);
  for (let sent = 0; sent < ${REQUESTS / VUS}; sent += 1) {
    http.post(${JSON.stringify(run.url)}, ${JSON.stringify(run.body)}, params);
  }
}
`;
}

/** When its requests came, ms. */
async function leastSent(server: Counting, k6Bin: string, env: NodeJS.ProcessEnv): Promise<readonly number[]> {
  const dir = await mkdtemp(join(tmpdir(), 'proofload-bench-'));
  try {
    const script = join(dir, 'least.js');
    await writeFile(script, leastScript(server.url));
    const quiet = ['--quiet', '--no-usage-report', '--summary-mode', 'disabled', '--no-thresholds'];
    const child = spawn(k6Bin, ['run', ...quiet, script], { stdio: 'ignore', env });
    const [code]: unknown[] = await once(child, 'exit');
    if (code !== 0) throw new Error(`the least script ended with ${String(code)}`);
    return (await server.arrivals()).flatMap(([operation, ms]) => (operation === 'run' ? [ms] : []));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Requests per second of one turn. */
interface Turn {
  least: number;
  /** The same script in the environment that a probe's k6 gets: what is left then is what the ledger costs alone. */
  tuned: number;
  ledgered: number;
}

/** Requests per second of the first so many; it takes a machine with nothing else to do. */
function rateOf(came: readonly number[]): number {
  const first = [...came].sort((a, b) => a - b).slice(0, REQUESTS);
  if (first.length < REQUESTS) throw new Error(`only ${first.length} of ${REQUESTS} requests came`);
  return (REQUESTS * 1000) / ((first.at(-1) ?? 0) - (first[0] ?? 0));
}

export async function measureThroughput(report: Report): Promise<void> {
  const signal = new AbortController().signal;
  const k6 = await provisionK6({ progress: silent, signal, env: process.env });
  const server = await startCounting();
  const turns: Turn[] = [];
  const ways: Readonly<Record<keyof Turn, () => Promise<readonly number[]>>> = {
    least: () => leastSent(server, k6.path, process.env),
    tuned: () => leastSent(server, k6.path, k6Environment(process.env, {})),
    ledgered: () => sent(burstOf(REQUESTS), server, k6.path),
  };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const turn = { least: 0, tuned: 0, ledgered: 0 };
      // Forth and back, so that none always comes first.
      const order = ['least', 'tuned', 'ledgered'] as const;
      for (const way of round % 2 === 0 ? order : order.toReversed()) turn[way] = rateOf(await ways[way]());
      turns.push(turn);
    }
  } finally {
    server.stop();
  }
  const middle = (way: keyof Turn): number => median(turns.map((turn) => turn[way]));
  const perSecond = (way: keyof Turn): string => `${Math.round(middle(way))} per s`;
  report('least script, no ledger', perSecond('least'));
  report("a rate probe's burst, ledger and all", perSecond('ledgered'));
  const each = turns.map(({ ledgered, least }) => (ledgered / least).toFixed(2));
  report('  x the least script, in each turn', each.join(' '));
  report('  x the least script, by medians', (middle('ledgered') / middle('least')).toFixed(2), 'at least 0.9');
  report("  x the least script with the sender's collector", (middle('ledgered') / middle('tuned')).toFixed(2));
}
