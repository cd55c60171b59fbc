/**
 * `npm run bench`: the reference beside a bare node:http server that answers the same JSON, in turns within one run, so
 * that a noisy machine disturbs both alike. It prints ratios; the absolute numbers of one machine mean nothing on
 * another. Then the quality of the load, which is in absolute numbers and wants an idle machine.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { packageRoot } from '../package.ts';
import { measureAnalysis } from './analysis.ts';
import { Connection } from './connection.ts';
import { type Measured, median, paced, quantile, rate, together, topRate } from './measure.ts';
import { measureQuality } from './quality.ts';
import { type Server, startServer, unreached } from './servers.ts';
import { measureThroughput } from './throughput.ts';
import { STREAM_TOKENS, work } from './work.ts';

/** A server is as fast as it gets only after some seconds, when its code has been compiled. */
const WARM_ROUNDS = 6;
const ROUNDS = 5;
const ROUND_MS = 1500;
const OPEN_STREAMS = 1000;
const RETAINED_JOBS = 100_000;
const MEGABYTE = 1024 * 1024;

interface Row {
  readonly name: string;
  readonly value: string;
  readonly goal: string;
}

const rows: Row[] = [];

function report(name: string, value: string, goal = ''): void {
  rows.push({ name, value, goal });
  process.stdout.write(`${name.padEnd(44)} ${value.padStart(10)}  ${goal}\n`);
}

interface Pair {
  readonly bare: Server;
  readonly reference: Server;
}

interface Sample {
  readonly measured: Measured;
  readonly cpuMsEach: number;
}

async function sample(server: Server, measure: (url: string) => Promise<Measured>): Promise<Sample> {
  const before = await server.cost();
  const measured = await measure(server.url);
  const after = await server.cost();
  return { measured, cpuMsEach: (after.cpuMs - before.cpuMs) / measured.requests };
}

/** Turns of both servers, the first ones to warm up; each figure is the median over the turns of reference : bare. */
async function compare(
  pair: Pair,
  measure: (url: string) => Promise<Measured>,
): Promise<{ rate: number; cpu: number; p99: number; referenceRate: number }> {
  const turns: { rate: number; cpu: number; p99: number; referenceRate: number }[] = [];
  for (let round = -WARM_ROUNDS; round < ROUNDS; round += 1) {
    const bare = await sample(pair.bare, measure);
    const reference = await sample(pair.reference, measure);
    if (round < 0) continue;
    turns.push({
      rate: rate(reference.measured) / rate(bare.measured),
      cpu: reference.cpuMsEach / bare.cpuMsEach,
      p99: quantile(reference.measured.latencies, 0.99) / quantile(bare.measured.latencies, 0.99),
      referenceRate: rate(reference.measured),
    });
  }
  return {
    rate: median(turns.map((turn) => turn.rate)),
    cpu: median(turns.map((turn) => turn.cpu)),
    p99: median(turns.map((turn) => turn.p99)),
    referenceRate: median(turns.map((turn) => turn.referenceRate)),
  };
}

const ratio = (value: number): string => value.toFixed(2);

async function topAndPace(pair: Pair, name: string, request: Buffer, goals: boolean): Promise<void> {
  const top = await compare(pair, (url) => topRate(url, request, ROUND_MS));
  report(`${name}: top rate, x bare`, ratio(top.rate), goals ? 'at least 0.5' : '');
  report(`${name}: processor time each, x bare`, ratio(top.cpu));
  const half = top.referenceRate / 2;
  const pace = await compare(pair, (url) => paced(url, request, half, ROUND_MS));
  report(`${name}: p99 at half of that rate, x bare`, ratio(pace.p99), goals ? 'below 1.5' : '');
}

async function aJob(server: Server): Promise<string> {
  const connection = await Connection.open(server.url);
  const { tail } = await connection.ask(work.run());
  connection.close();
  return /"id":"([^"]+)"/.exec(tail)?.[1] ?? '';
}

async function streams(pair: Pair): Promise<void> {
  const fast = await compare(pair, (url) => topRate(url, work.sse(), ROUND_MS, 8));
  report('SSE tokens per second, x bare', ratio(fast.rate));
  report('SSE: processor time per token, x bare', ratio(fast.cpu));
  report('SSE: tokens in one stream', String(STREAM_TOKENS));
}

async function openStreams(): Promise<void> {
  const slow = await startServer('reference', { ...unreached, firstTokenMs: 50, interTokenMs: 50 });
  const tokens = 60;
  const { tails, latencies } = await together(slow.url, work.sse(tokens), OPEN_STREAMS);
  const ended = tails.filter((tail) => tail.includes('data: [DONE]')).length;
  const idealMs = tokens * 50;
  report(`${OPEN_STREAMS} open streams: ended whole`, String(ended), `all ${OPEN_STREAMS}`);
  report('  slowest, x the time its tokens take', ratio(quantile(latencies, 1) / idealMs));
  await slow.stop();
}

async function retained(): Promise<void> {
  const server = await startServer('reference', unreached);
  const request = work.run();
  const connections = await Promise.all(Array.from({ length: 32 }, () => Connection.open(server.url)));
  await Promise.all(
    connections.map(async (connection) => {
      for (let sent = 0; sent < RETAINED_JOBS / connections.length; sent += 1) await connection.ask(request);
    }),
  );
  for (const connection of connections) connection.close();
  const { rssBytes, heapBytes } = await server.memory();
  report(`${RETAINED_JOBS} retained jobs: resident`, `${Math.round(rssBytes / MEGABYTE)} MB`, 'below 300 MB');
  report('  of it in use', `${Math.round(heapBytes / MEGABYTE)} MB`);
  await server.stop();
}

/** From starting the process to its first answer. */
async function startUp(): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [join(packageRoot(), 'dist', 'scripts', 'main.js'), 'serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line]: unknown[] = await once(child.stdout, 'data');
  const connection = await Connection.open(String(line).replace('listening ', '').trim());
  await connection.ask(work.run());
  const ms = performance.now() - startedAt;
  connection.close();
  child.kill();
  await once(child, 'exit');
  return ms;
}

async function withPair(use: (pair: Pair) => Promise<void>): Promise<void> {
  const pair: Pair = { bare: await startServer('bare'), reference: await startServer('reference', unreached) };
  await use(pair);
  await Promise.all([pair.bare.stop(), pair.reference.stop()]);
}

async function referenceBesideBare(): Promise<void> {
  await withPair(async (pair) => {
    await topAndPace(pair, 'run', work.run(), true);
    await topAndPace(pair, 'status', work.status(await aJob(pair.reference)), false);
  });
  // Servers of their own: the jobs that were just run are kept, and looking after their memory would disturb the chats.
  await withPair(async (pair) => {
    await topAndPace(pair, 'chat', work.chat(), true);
    await streams(pair);
  });
  await openStreams();
  await retained();
  const starts: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) starts.push(await startUp());
  report('start to first answer, median', `${Math.round(median(starts))} ms`, 'below 300 ms');
}

/** `npm run bench -- PART` measures that part alone. */
const parts: Readonly<Record<string, () => Promise<void>>> = {
  reference: referenceBesideBare,
  quality: () => measureQuality(report),
  throughput: () => measureThroughput(report),
  analysis: () => measureAnalysis(report),
};

const asked = process.argv.slice(2);
for (const [name, measure] of Object.entries(parts)) if (asked.length === 0 || asked.includes(name)) await measure();
