/** A request of node:http as the service takes it, with a stream or a signal only on first use. */
import type { IncomingMessage } from 'node:http';
import type { RequestBody } from './body.ts';
import type { ServiceRequest } from './call.ts';
import type { Client } from './client.ts';

export const hasBody = (incoming: IncomingMessage): boolean =>
  incoming.headers['transfer-encoding'] !== undefined || Number(incoming.headers['content-length'] ?? 0) > 0;

/** Resolves when the request was read completely, which may be never. */
export function drained(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    incoming.once('end', resolve);
    incoming.resume();
  });
}

class IncomingBody implements RequestBody {
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  /** Leaving the loop over it must not destroy the connection: the refusal still has to be written. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this.#incoming.iterator({ destroyOnReturn: false });
  }

  whole(maxBytes: number): Promise<Uint8Array | null> {
    const incoming = this.#incoming;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const onData = (chunk: Buffer): void => {
        bytes += chunk.length;
        if (bytes <= maxBytes) {
          chunks.push(chunk);
          return;
        }
        incoming.off('data', onData);
        incoming.pause();
        resolve(null);
      };
      incoming.on('data', onData);
      incoming.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, bytes)));
      // It comes after every request; an error is made for those only that never came to their end.
      incoming.on('close', () => {
        if (!incoming.readableEnded) reject(new Error('the client went away'));
      });
    });
  }
}

/** A body that comes with GET is not passed to the operation. */
export function toRequest(incoming: IncomingMessage, client: Client): ServiceRequest {
  const { method = 'GET', url = '/', headers } = incoming;
  return {
    method,
    url,
    headers: {
      get: (name) => {
        const value = headers[name];
        return (Array.isArray(value) ? value.join(', ') : value) ?? null;
      },
    },
    body: method === 'GET' || !hasBody(incoming) ? null : new IncomingBody(incoming),
    client,
  };
}
