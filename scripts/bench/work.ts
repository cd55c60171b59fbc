/** The requests a benchmark sends, as the bytes that go over the wire: building them must not cost the client time. */
import { defaultOptions } from '../../reference/options.ts';
import { operationPath } from '../../schemas/operations.ts';

/** Tokens of one streamed answer. */
export const STREAM_TOKENS = 256;

const [key = ''] = defaultOptions({}).accessKeys;
const [model] = defaultOptions({}).models;

function request(method: string, path: string, body?: unknown): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const length = body === undefined ? [] : ['content-type: application/json', `content-length: ${text.length}`];
  const head = [`${method} ${path} HTTP/1.1`, 'host: localhost', `authorization: Bearer ${key}`, ...length];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`);
}

const messages = [{ role: 'user', content: 'How much can it carry?' }];
const instId = 'inst-1';

export const work = {
  run: () => request('POST', operationPath('run', { instId }), { input: { echo: 1 } }),
  status: (jobId: string) => request('GET', operationPath('status', { instId, jobId })),
  chat: () => request('POST', operationPath('chat', {}), { model: model?.id, messages }),
  sse: (tokens = STREAM_TOKENS) =>
    request('POST', operationPath('chat', {}), { model: model?.id, messages, stream: true, max_tokens: tokens }),
};
