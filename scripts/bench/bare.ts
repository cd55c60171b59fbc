/**
 * What the reference is measured against: the least that a server on node:http can do for the same answers. It reads
 * and parses the body, and writes JSON of the same shape; no routes, keys, limits or jobs.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Served } from '../../reference/server.ts';
import { STREAM_TOKENS } from './work.ts';

const id = '01234567-89ab-cdef-0123-456789abcdef';
const text = 'A load is put on the crane before anyone trusts its plate and every limit. ';
const chatId = 'chatcmpl-0123456789abcdef01234567';

const answers: Readonly<Record<string, unknown>> = {
  run: { id, status: 'IN_QUEUE' },
  status: { delayTime: 0, executionTime: 0, id, output: 1, status: 'COMPLETED', workerId: '0123456789ab' },
  chat: {
    id: chatId,
    object: 'chat.completion',
    created: 1_800_000_000,
    model: 'acme/base-70b',
    system_fingerprint: 'fp_reference',
    service_tier: 'default',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: {
      prompt_tokens: 5,
      completion_tokens: 16,
      total_tokens: 21,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 0,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    },
  },
};

function piece(delta: object, finish: string | null): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
  const head = { id: chatId, created: 1_800_000_000, model: 'acme/base-70b', system_fingerprint: 'fp_reference' };
  return `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices })}\n\n`;
}

function stream(outgoing: ServerResponse): void {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  outgoing.write(piece({ role: 'assistant', content: '' }, null));
  for (let token = 0; token < STREAM_TOKENS; token += 1) outgoing.write(piece({ content: ' load' }, null));
  outgoing.write(piece({}, 'stop'));
  outgoing.end('data: [DONE]\n\n');
}

function answer(incoming: IncomingMessage, outgoing: ServerResponse, body: string): void {
  const asked: unknown = body === '' ? null : JSON.parse(body);
  if (typeof asked === 'object' && asked !== null && 'stream' in asked && asked.stream === true) {
    stream(outgoing);
    return;
  }
  const { url = '' } = incoming;
  const kind = url.includes('/status/') ? 'status' : url.endsWith('/run') ? 'run' : 'chat';
  const whole = JSON.stringify(answers[kind]);
  outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(whole) });
  outgoing.end(whole);
}

/** Listens on a free port of loopback. */
export function serveBare(): Promise<Served> {
  const server = createServer({ keepAliveTimeout: 75_000 }, (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => answer(incoming, outgoing, Buffer.concat(chunks).toString('utf8')));
  });
  return new Promise((resolve) => {
    server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
      const { port } = server.address() as AddressInfo;
      const close = (): Promise<void> => new Promise((done) => server.close(() => done()));
      resolve({ port, inFlight: () => ({ requests: 0, slots: 0 }), url: `http://127.0.0.1:${port}`, close });
    });
  });
}
