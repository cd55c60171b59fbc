/**
 * A second, independent implementation of the documented service, in one file and on purpose unlike the reference in
 * everything the documentation leaves open: it reads a body before it counts the request, knows no `wait`, counts fixed
 * windows from the first request, requires no credentials on jobs, applies the queue rule after insertion, lists
 * requests as a bare array and refuses with plain text. A suite that is true must find nothing broken in it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limits, limitsOf, queueBorder } from '../../schemas/limits.ts';
import { operations } from '../../schemas/operations.ts';

export interface PlainOptions {
  readonly accessKey: string;
  /** WorkersMax by instance id. */
  readonly instances: Readonly<Record<string, number>>;
  /** Faults: another value for a limit, by its id; `off` takes it away. */
  readonly values?: Readonly<Record<string, number | 'off'>>;
  readonly quickJobMs?: number;
  /** Before every answer. */
  readonly latencyMs?: number;
}

interface Job {
  /** Whether its results were handed out. */
  streamed?: true;
  readonly id: string;
  readonly input: Record<string, unknown>;
  readonly sync: boolean;
  state: 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  readonly waiting: (() => void)[];
  timer?: NodeJS.Timeout;
}

interface Instance {
  readonly workersMax: number;
  readonly jobs: Map<string, Job>;
  readonly queue: Job[];
  readonly windows: Map<string, { begin: number; count: number }>;
  readonly inFlight: Map<string, number>;
  running: number;
}

type Answer = readonly [status: number, body: unknown];

export async function servePlain(options: PlainOptions): Promise<{ url: string; close(): Promise<void> }> {
  const service = new Plain(options);
  const server = createServer((request, response) => service.take(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, close };
}

class Plain {
  readonly #options: PlainOptions;
  readonly #instances = new Map<string, Instance>();
  #inferenceInFlight = 0;
  #serial = 0;

  constructor(options: PlainOptions) {
    this.#options = options;
    for (const [id, workersMax] of Object.entries(options.instances)) {
      const [jobs, queue, windows, inFlight] = [new Map(), [], new Map(), new Map()];
      this.#instances.set(id, { workersMax, jobs, queue, windows, inFlight, running: 0 });
    }
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const chunks: Buffer[] = [];
    let length = 0;
    const cap = this.#payloadCap(path);
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= cap) chunks.push(chunk);
    });
    request.on('error', () => {});
    response.on('error', () => {});
    request.on('end', () => {
      if (length > cap) return send(response, [413, 'too large']);
      const text = Buffer.concat(chunks).toString();
      void this.#answer(request, path, text, response);
    });
  }

  async #answer(request: IncomingMessage, path: string, text: string, response: ServerResponse): Promise<void> {
    const jobs = /^\/api\/v1\/sl\/([^/]+)\/([a-z-]+)(?:\/(.+))?$/.exec(path);
    if (jobs) {
      const [, instId = '', name = '', jobId = ''] = jobs;
      const instance = this.#instances.get(instId);
      const known = operations.find((one) => one.interface === 'jobs' && one.id === name);
      if (!instance || !known) return send(response, [404, 'nothing here']);
      if (!known.methods.some((method) => method === request.method)) return send(response, [405, 'not this way']);
      const answer = () => this.#job(instance, name, jobId, text);
      return send(response, known.budget ? await this.#limited(instance, known.budget, answer) : await answer());
    }
    this.#inferenceInFlight += 1;
    response.once('close', () => {
      this.#inferenceInFlight -= 1;
    });
    const concurrency = this.#value('inference.concurrency');
    if (this.#inferenceInFlight > concurrency) return send(response, [429, 'too many at once']);
    if (request.headers.authorization !== `Bearer ${this.#options.accessKey}`)
      return send(response, [401, 'who are you']);
    return this.#inference(`${request.method} ${path}`, text, response);
  }

  async #limited(instance: Instance, budget: string, answer: () => Promise<Answer>): Promise<Answer> {
    const rate = limitsOf('requests').find((one) => one.id === `${budget}.rate`);
    const now = performance.now();
    const window = instance.windows.get(budget) ?? { begin: now, count: 0 };
    if (rate && now - window.begin >= rate.windowMs) [window.begin, window.count] = [now, 0];
    window.count += 1;
    instance.windows.set(budget, window);
    if (window.count > this.#value(`${budget}.rate`)) return [429, 'slow down'];
    await pause(this.#options.latencyMs);
    const inFlight = instance.inFlight.get(budget) ?? 0;
    if (inFlight >= this.#value(`${budget}.concurrency`)) return [429, 'too many at once'];
    instance.inFlight.set(budget, inFlight + 1);
    try {
      await pause(this.#options.latencyMs);
      return await answer();
    } finally {
      instance.inFlight.set(budget, (instance.inFlight.get(budget) ?? 1) - 1);
    }
  }

  #value(id: string): number {
    const changed = this.#options.values?.[id];
    if (changed === 'off') return Number.POSITIVE_INFINITY;
    return changed ?? limits.find((one) => one.id === id)?.value ?? Number.POSITIVE_INFINITY;
  }

  #payloadCap(path: string): number {
    const limit = limits.find((one) => one.kind === 'content-bytes' && path.endsWith(`/${one.budget}`));
    if (limit?.kind !== 'content-bytes') return Number.POSITIVE_INFINITY;
    const changed = this.#options.values?.[limit.id];
    return changed === undefined ? limit.upperReading : this.#value(limit.id);
  }

  async #job(instance: Instance, name: string, jobId: string, text: string): Promise<Answer> {
    switch (name) {
      case 'run':
      case 'runsync':
        return this.#submit(instance, name === 'runsync', text);
      case 'purge-queue': {
        const purged = instance.queue.splice(0);
        for (const job of purged) this.#settle(instance, job, 'CANCELLED');
        return [200, { purged: purged.length }];
      }
      case 'health':
        return [
          200,
          {
            jobs: { inQueue: instance.queue.length, inProgress: instance.running },
            workers: { running: instance.running, idle: instance.workersMax - instance.running },
          },
        ];
      case 'requests':
        return [200, [...instance.jobs.values()].slice(-20).map((job) => ({ id: job.id, status: job.state }))];
    }
    const job = instance.jobs.get(decodeURIComponent(jobId));
    if (!job) return [404, 'no such job'];
    const final = job.state !== 'IN_QUEUE' && job.state !== 'IN_PROGRESS';
    if (name === 'cancel' && !final) {
      const queued = instance.queue.indexOf(job);
      if (queued >= 0) instance.queue.splice(queued, 1);
      else this.#release(instance, job);
      this.#settle(instance, job, 'CANCELLED');
    } else if ((name === 'status-sync' || name === 'stream') && !final) {
      await new Promise<void>((resolve) => {
        job.waiting.push(resolve);
        setTimeout(resolve, 20_000).unref();
      });
    }
    if (name === 'stream') {
      const results = job.streamed ? [] : [...chunksOf(job)];
      job.streamed = true;
      return [200, { status: job.state, stream: results }];
    }
    return [200, record(job)];
  }

  async #submit(instance: Instance, sync: boolean, text: string): Promise<Answer> {
    const parsed = parse(text);
    if (!parsed || typeof parsed.input !== 'object' || parsed.input === null) return [400, 'send {"input": {}}'];
    const rule = limits.find((one) => one.kind === 'queue');
    const after = instance.queue.length + 1;
    const startsAtOnce = instance.running < instance.workersMax;
    if (rule?.kind === 'queue' && !startsAtOnce && after > queueBorder(rule, instance.workersMax))
      return [429, 'queue full'];
    this.#serial += 1;
    const job: Job = {
      id: `${this.#serial}`,
      input: parsed.input as Record<string, unknown>,
      sync,
      state: 'IN_QUEUE',
      waiting: [],
    };
    instance.jobs.set(job.id, job);
    instance.queue.push(job);
    this.#work(instance);
    if (!sync) return [200, { id: job.id, status: job.state }];
    await new Promise<void>((resolve) => job.waiting.push(resolve));
    return [200, record(job)];
  }

  #work(instance: Instance): void {
    while (instance.running < instance.workersMax) {
      const job = instance.queue.shift();
      if (!job) return;
      instance.running += 1;
      job.state = 'IN_PROGRESS';
      const chunks = Number(job.input.chunks ?? 0) * Number(job.input.chunk_delay_ms ?? 0);
      const duration = Number(job.input.delay_ms ?? 0) + chunks + (this.#options.quickJobMs ?? 1);
      job.timer = setTimeout(() => {
        this.#settle(instance, job, job.input.fail === undefined ? 'COMPLETED' : 'FAILED');
        this.#release(instance, job);
      }, duration);
    }
  }

  #release(instance: Instance, job: Job): void {
    clearTimeout(job.timer);
    instance.running -= 1;
    this.#work(instance);
  }

  #settle(instance: Instance, job: Job, state: Job['state']): void {
    job.state = state;
    for (const wake of job.waiting.splice(0)) wake();
    const kept = limits.find((one) => one.id === `${job.sync ? 'runsync' : 'run'}.retention`)?.value ?? 0;
    setTimeout(() => instance.jobs.delete(job.id), kept).unref();
  }

  async #inference(route: string, text: string, response: ServerResponse): Promise<void> {
    const model = { id: 'vendor/one', object: 'model', created: 1, owned_by: 'vendor', capabilities: ['chat'] };
    if (route === 'GET /v1/models') return send(response, [200, { object: 'list', data: [model] }]);
    if (route !== 'POST /v1/chat/completions' && route !== 'POST /v1/completions')
      return send(response, [404, { error: { message: 'no route' } }]);
    const body = parse(text);
    if (!body) return send(response, [400, { error: { message: 'not JSON' } }]);
    if (body.model !== model.id) return send(response, [404, { error: { message: 'no such model' } }]);
    const chat = route.includes('chat');
    if (chat ? !Array.isArray(body.messages) : body.prompt === undefined)
      return send(response, [400, { error: { message: 'incomplete' } }]);
    const tokens = Math.min(Number(body.max_tokens ?? 3), 1000);
    if (!Number.isInteger(tokens) || tokens < 1) return send(response, [400, { error: { message: 'no such length' } }]);
    const requested = JSON.stringify(chat ? body.messages : body.prompt);
    // Each prompt has a syllable of its own.
    const syllable = `la${[...requested].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 9973, 7)} `;
    const base = { id: `c${++this.#serial}`, created: 1, model: model.id };
    const usage = { prompt_tokens: 1, completion_tokens: tokens, total_tokens: tokens + 1 };
    if (body.stream === true) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const event = (delta: string, finish: string | null) => {
        const choice = chat ? { delta: { role: 'assistant', content: delta } } : { text: delta };
        const object = chat ? 'chat.completion.chunk' : 'text_completion';
        response.write(
          `data: ${JSON.stringify({ ...base, object, choices: [{ index: 0, ...choice, finish_reason: finish }] })}\n\n`,
        );
      };
      for (let i = 0; i < tokens; i += 1) {
        event(syllable, null);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      event('', 'stop');
      response.end('data: [DONE]\n\n');
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, tokens * 4));
    const said = syllable.repeat(tokens);
    const choice = chat ? { message: { role: 'assistant', content: said } } : { text: said };
    const object = chat ? 'chat.completion' : 'text_completion';
    send(response, [200, { ...base, object, choices: [{ index: 0, ...choice, finish_reason: 'stop' }], usage }]);
  }
}

async function pause(ms: number | undefined): Promise<void> {
  if (ms) await new Promise((resolve) => setTimeout(resolve, ms));
}

function* chunksOf(job: Job): Generator<{ output: unknown }> {
  for (let chunk = 0; chunk < Number(job.input.chunks ?? 0); chunk += 1) yield { output: { chunk } };
}

function record(job: Job) {
  const output = job.state === 'COMPLETED' ? { output: job.input.echo ?? job.input } : {};
  const error = job.state === 'FAILED' ? { error: String(job.input.fail) } : {};
  return { id: job.id, status: job.state, ...output, ...error };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, [status, body]: Answer): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
