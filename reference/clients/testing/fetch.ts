/** The reference as a `fetch` function, for clients that take one (OpenAI SDKs, AI SDK, LangChain). No socket. */
import type { Service } from '../../service.ts';
import { unlessAborted } from '../../slot.ts';

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** `address`: what the service takes for the client's. Rejects with the signal's reason, as fetch does. */
export function createFetch(service: Service, address = '127.0.0.1'): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    return unlessAborted(service.handle(request, { address }), request.signal);
  };
}
