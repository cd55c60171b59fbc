/**
 * A service for the tests of the payload senders, written from the spec: what it does with large bodies can be set, also
 * what no service should do. It knows run, runsync, status, health, requests and chat.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LargeBodies {
  /** Largest body that is taken, bytes. */
  readonly maxBytes: number;
  /** What it counts: the bytes as they come, or the Content-Length alone. */
  readonly counts?: 'bytes' | 'content-length';
  /**
   * `drained`: answers when all was read · `early`: answers as soon as it knows, and closes · `reset`: cuts the
   * connection as soon as it knows · `reset-once`: the same for the first oversized body of each size only.
   */
  readonly refusal?: 'drained' | 'early' | 'reset' | 'reset-once';
  readonly status?: number;
  /** Takes no chunked bodies: 411. */
  readonly lengthRequired?: boolean;
  /** Forgets what comes behind so many bytes of a body. */
  readonly keepsBytes?: number;
  /** Forgets, or never works off, jobs of more than so many bytes. */
  readonly forgetsFrom?: number;
  readonly leavesFrom?: number;
  /** Makes a job of a refused body all the same. */
  readonly runsRefused?: boolean;
  /** Says of every connection that it is kept, as gateways do that copy header fields; 400 where one was to be closed. */
  readonly keepsAlive?: boolean;
  /** What its responses leave out. */
  readonly hides?: readonly ('health' | 'requests' | 'output')[];
}

export interface LargeBodyServer {
  readonly url: string;
  readonly bodies: {
    readonly bytes: number;
    readonly chunked: boolean;
    readonly status: number;
    readonly head: string;
    readonly tail: string;
    readonly userAgent: string;
  }[];
  /** Submissions that became jobs. */
  jobs(): number;
  close(): Promise<void>;
}

interface Job {
  readonly id: string;
  readonly echo: string | null;
  readonly state: 'COMPLETED' | 'IN_QUEUE' | 'gone';
}

/** Of either end of a body, characters. */
const KEPT = 2000;

export async function startLargeBodyServer(options: LargeBodies): Promise<LargeBodyServer> {
  const jobs: Job[] = [];
  const bodies: LargeBodyServer['bodies'] = [];
  const cut = new Set<number>();
  const { hides = [], status: refusal = 413 } = options;
  const submit = (text: string, bytes: number): Job => {
    const { forgetsFrom = Infinity, leavesFrom = Infinity } = options;
    const state = bytes >= forgetsFrom ? 'gone' : bytes >= leavesFrom ? 'IN_QUEUE' : 'COMPLETED';
    const job = { id: `job-${jobs.length + 1}`, echo: /"echo":"([^"]*)"/.exec(text)?.[1] ?? null, state } as const;
    jobs.unshift(job);
    return job;
  };
  const record = ({ id, echo, state }: Job) => {
    const output = state === 'COMPLETED' && !hides.includes('output') ? { output: echo ?? 'nothing' } : {};
    return { id, status: state, ...output };
  };
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [operation = '', jobId = ''] = (request.url ?? '').split('/').slice(5);
    const answer = (status: number, body: unknown, close = false) => {
      response.writeHead(status, { 'content-type': 'application/json', ...(close ? { connection: 'close' } : {}) });
      response.end(JSON.stringify(body));
    };
    if (operation === 'health')
      return answer(200, hides.includes('health') ? {} : { jobs: { completed: jobs.length } });
    if (operation === 'requests') return answer(200, { requests: hides.includes('requests') ? [] : jobs });
    if (operation === 'status') {
      const job = jobs.find(({ id }) => id === jobId);
      return job && job.state !== 'gone' ? answer(200, record(job)) : answer(404, { error: 'unknown' });
    }
    const chunked = request.headers['transfer-encoding'] !== undefined;
    const declared = Number(request.headers['content-length'] ?? 0);
    if (chunked && options.lengthRequired) return answer(411, { error: 'length required' });
    const { bytes, head, text, tooLarge } = await read(request, options, declared);
    const arrived = { bytes, chunked, head, tail: text, userAgent: request.headers['user-agent'] ?? '' };
    const known = Math.max(bytes, declared);
    if (tooLarge) {
      const resets = options.refusal === 'reset' || (options.refusal === 'reset-once' && !cut.has(known));
      cut.add(known);
      bodies.push({ ...arrived, status: resets ? 0 : refusal });
      if (options.runsRefused) submit(text, 0);
      if (resets) return void request.socket.resetAndDestroy();
      answer(refusal, { error: 'too large' }, options.refusal === 'early');
      if (options.refusal === 'early') response.once('finish', () => request.socket.destroy());
      return;
    }
    bodies.push({ ...arrived, status: 200 });
    if (operation === '') return answer(200, { choices: [] });
    const job = submit(text, bytes);
    answer(200, operation === 'runsync' ? record(job) : { id: job.id, status: 'IN_QUEUE' });
  };
  const server = createServer((request, response) => {
    if (options.keepsAlive) response.setHeader('connection', 'keep-alive');
    void take(request, response);
  });
  server.listen({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    jobs: () => jobs.length,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Keeps the two ends of a body only; resolves at once when it is known to be too large, unless it is to be drained. */
function read(
  request: IncomingMessage,
  { maxBytes, counts = 'bytes', refusal = 'drained', keepsBytes = Infinity }: LargeBodies,
  declared: number,
): Promise<{ bytes: number; head: string; text: string; tooLarge: boolean }> {
  return new Promise((resolve) => {
    let [bytes, head, tail] = [0, '', ''];
    const isTooLarge = () => (counts === 'bytes' ? Math.max(bytes, declared) : declared) > maxBytes;
    const done = () => resolve({ bytes, head, text: bytes > keepsBytes ? '' : tail, tooLarge: isTooLarge() });
    if (isTooLarge() && refusal !== 'drained') return done();
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (head.length < KEPT) head = (head + chunk.toString('latin1')).slice(0, KEPT);
      tail = (tail + chunk.toString('latin1')).slice(-KEPT);
      if (isTooLarge() && refusal !== 'drained') {
        request.pause();
        done();
      }
    });
    request.on('error', () => {});
    request.once('end', done);
  });
}
