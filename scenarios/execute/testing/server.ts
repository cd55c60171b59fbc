/**
 * A small service for the tests of the senders, written from the spec and independent of the reference: every limit
 * can be set, and it keeps its own log of arrivals, against which the ledgers are compared.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isStreamed, JobBook } from './jobs.ts';

export interface TestLimits {
  /** A stream begins before there is anything in it. */
  readonly streamsAtOnce?: boolean;
  /** Requests per window for each operation budget; absent: unlimited. */
  readonly rate?: Readonly<Record<string, { value: number; windowMs: number }>>;
  readonly concurrency?: Readonly<Record<string, number>>;
  /** How long each request that is taken waits for its answer, ms. */
  readonly answersAfterMs?: number;
  readonly maxBytes?: number;
  /** What an oversized body gets. */
  readonly oversize?: 413 | 400 | 429 | 'reset';
  readonly workers?: number;
  /** Largest queue at which a job is still taken. */
  readonly queueBorder?: number;
  /**
   * How long after its admission a request is counted, ms: a limiter that reads its count first and writes it later.
   */
  readonly countsAfterMs?: number;
  /** Says of every connection that it is kept, as gateways do that copy header fields; 400 where one was to be closed. */
  readonly keepsAlive?: true;
  /** How long an aborted request keeps its slot, ms; Infinity: for ever. */
  readonly abortDelayMs?: number;
  /** An aborted request keeps its slot until so many were refused. */
  readonly abortRefusals?: number;
  /** An aborted request keeps its slot until what it waited for is over. */
  readonly abortUnseen?: true;
}

export interface Arrival {
  readonly operation: string;
  readonly method: string;
  /** Wall time at which its header was here, ms. */
  readonly atMs: number;
  readonly status: number;
  readonly authorization: string;
  readonly userAgent: string;
}

export interface TestServer {
  readonly url: string;
  readonly arrivals: Arrival[];
  readonly jobs: JobBook;
  maxInFlight(operation: string): number;
  close(): Promise<void>;
}

const HEAD_BYTES = 100_000;
const SHARED: Readonly<Record<string, string>> = { 'status-sync': 'status', stream: 'status', completions: 'chat' };
const budgetOf = (operation: string): string => SHARED[operation] ?? operation;

export async function startServer(limits: TestLimits = {}): Promise<TestServer> {
  const arrivals: Arrival[] = [];
  const inFlight = new Map<string, number>();
  const most = new Map<string, number>();
  const admitted = new Map<string, number[]>();
  const jobs = new JobBook(limits.workers ?? 3, limits.queueBorder ?? Number.POSITIVE_INFINITY);

  const overRate = (budget: string, atMs: number): boolean => {
    const limit = limits.rate?.[budget];
    if (!limit) return false;
    const log = (admitted.get(budget) ?? []).filter((one) => one > atMs - limit.windowMs);
    admitted.set(budget, log);
    if (log.length >= limit.value) return true;
    log.push(atMs);
    return false;
  };

  const { abortRefusals = 0 } = limits;
  const kept: (() => void)[] = [];
  let refused = 0;
  const take = (budget: string, response: ServerResponse): boolean => {
    const now = (inFlight.get(budget) ?? 0) + 1;
    if (now > (limits.concurrency?.[budget] ?? Number.POSITIVE_INFINITY)) {
      refused += 1;
      if (refused >= abortRefusals) for (const giveBack of kept.splice(0)) giveBack();
      return false;
    }
    const add = (count: number) => {
      const sum = (inFlight.get(budget) ?? 0) + count;
      inFlight.set(budget, sum);
      most.set(budget, Math.max(most.get(budget) ?? 0, sum));
    };
    if (limits.countsAfterMs === undefined) add(1);
    else setTimeout(() => add(1), limits.countsAfterMs);
    const giveBack = () => add(-1);
    response.once('close', () => {
      const keptMs = response.writableFinished ? 0 : (limits.abortDelayMs ?? 0);
      if (!response.writableFinished && limits.abortUnseen) response.once('handled', giveBack);
      else if (!response.writableFinished && refused < abortRefusals) kept.push(giveBack);
      else if (keptMs === 0) giveBack();
      else if (Number.isFinite(keptMs)) setTimeout(giveBack, keptMs);
    });
    return true;
  };

  const server = createServer({ keepAliveTimeout: 5000 }, async (request, response) => {
    // The clock of k6's times, so that a step of it is in both.
    const atMs = Date.now();
    const [operation, jobId] = route(request);
    const budget = budgetOf(operation);
    const answer = (status: number, body: unknown) => {
      const text = JSON.stringify(body);
      arrivals.push({
        operation,
        method: request.method ?? '',
        atMs,
        status,
        authorization: request.headers.authorization ?? '',
        userAgent: request.headers['user-agent'] ?? '',
      });
      response.writeHead(status, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        ...(status === 429 ? { 'retry-after': '1' } : {}),
        ...(limits.keepsAlive ? { connection: 'keep-alive' } : {}),
      });
      response.end(text);
    };
    if (overRate(budget, atMs)) return drained(request, () => answer(429, { error: 'rate' }));
    if (!take(budget, response)) return answer(429, { error: 'concurrency' });
    const body = await bodyOf(request, limits.maxBytes ?? Number.POSITIVE_INFINITY);
    if (limits.answersAfterMs !== undefined) await delay(limits.answersAfterMs);
    if (body === null) return;
    if (body === 'too-large') {
      const { oversize = 413 } = limits;
      if (oversize === 'reset') request.socket.resetAndDestroy();
      else drained(request, () => answer(oversize, { error: 'too large' }));
      return;
    }
    if ((operation === 'stream' || isStreamed(body)) && limits.streamsAtOnce) response.writeHead(200).write('[');
    const wait = Number(new URL(request.url ?? '/', 'http://x').searchParams.get('wait') ?? 0);
    const { status, record } = await jobs.perform(operation, jobId, body, wait);
    response.emit('handled');
    if (response.headersSent) response.end(']');
    else answer(status, record);
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    jobs,
    maxInFlight: (operation) => most.get(budgetOf(operation)) ?? 0,
    close: () =>
      new Promise((resolve) => {
        jobs.close();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** `/v1/chat/completions` and `/api/v1/sl/INST/OPERATION[/JOB]` -> operation and job id. */
function route(request: IncomingMessage): [string, string] {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  if (path.startsWith('/v1/')) return [path === '/v1/models' ? 'models' : 'chat', ''];
  const [operation = '', jobId = ''] = path.split('/').slice(5);
  return [operation, decodeURIComponent(jobId)];
}

/** null when the request was aborted before its end. Only the head of a large body is kept. */
function bodyOf(request: IncomingMessage, maxBytes: number): Promise<string | 'too-large' | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= HEAD_BYTES) chunks.push(chunk);
      if (bytes > maxBytes) resolve('too-large');
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
    request.on('error', () => resolve(null));
    request.on('close', () => resolve(null));
  });
}

/** Answers once the rest of the body has been read, so that the client gets the answer and not a reset. */
function drained(request: IncomingMessage, answer: () => void): void {
  if (request.complete || request.readableEnded || request.destroyed) {
    answer();
    return;
  }
  request.resume();
  request.once('end', answer);
}

/** The id of a job that the server knows. */
export async function jobOn({ url }: TestServer): Promise<string> {
  const submitted = await fetch(`${url}/api/v1/sl/inst-1/run`, { method: 'POST', body: '{"input":{}}' });
  return ((await submitted.json()) as { readonly id: string }).id;
}
