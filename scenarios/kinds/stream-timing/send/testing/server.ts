/**
 * A service for the tests of the stream sender: completions as events and jobs with results, all a known time apart, and
 * a record of when each was written.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

export interface StreamServer {
  readonly url: string;
  /** When each token was written, on the clock of this process, ms; one list for each stream. */
  readonly written: number[][];
  /** `METHOD path` and body of each request. */
  readonly requests: string[];
  close(): Promise<void>;
}

export interface StreamChoices {
  readonly tokens: number;
  readonly apartMs: number;
  /** Holds a completion back until it is whole. */
  readonly buffers?: boolean;
  /** Answers completions with this status and no event. */
  readonly refuses?: number;
}

const event = (token: number) => `data: ${JSON.stringify({ choices: [{ delta: { content: `t${token}` } }] })}\n\n`;

export async function startStreams(choices: StreamChoices): Promise<StreamServer> {
  const { tokens, apartMs } = choices;
  const written: number[][] = [];
  const requests: string[] = [];
  const jobs = new Map<string, { startedMs: number; given: number; times: number[] }>();

  async function complete(response: ServerResponse): Promise<void> {
    const times: number[] = [];
    written.push(times);
    response.writeHead(choices.refuses ?? 200, { 'content-type': 'text/event-stream' });
    if (choices.refuses !== undefined) return void response.end('{}');
    let held = '';
    for (let token = 0; token < tokens; token += 1) {
      await delay(apartMs);
      times.push(performance.now());
      if (choices.buffers) held += event(token);
      else response.write(event(token));
    }
    response.end(`${held}data: [DONE]\n\n`);
  }

  /** All that has been made since the last request; held until there is something. */
  async function results(id: string): Promise<unknown> {
    const job = jobs.get(id);
    if (!job) return { error: 'unknown' };
    if (job.given < tokens) await delay(Math.max(0, job.startedMs + (job.given + 1) * apartMs - performance.now()));
    const made = Math.min(tokens, Math.floor((performance.now() - job.startedMs + 1) / apartMs));
    const news = Array.from({ length: Math.max(0, made - job.given) }, (_, index) => ({
      output: { chunk: job.given + index },
    }));
    job.given += news.length;
    job.times.push(...news.map(() => performance.now()));
    return { status: job.given >= tokens ? 'COMPLETED' : 'IN_PROGRESS', stream: news };
  }

  const server = createServer(async (request, response) => {
    const body = await textOf(request);
    requests.push(`${request.method} ${request.url} ${body}`);
    const [operation = '', id = ''] = (request.url ?? '').split('/').slice(5);
    if (request.url?.startsWith('/v1/')) return complete(response);
    if (operation !== 'run') return void response.end(JSON.stringify(await results(id)));
    const times: number[] = [];
    written.push(times);
    const jobId = `job-${jobs.size}`;
    jobs.set(jobId, { startedMs: performance.now(), given: 0, times });
    return void response.end(JSON.stringify({ id: jobId, status: 'IN_QUEUE' }));
  });
  server.listen({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    written,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return text;
}
