/**
 * An answer before it is put on a wire: plain values, so that the socket adapter writes it without building streams and
 * the fetch adapter turns it into a standard Response.
 */

export interface Reply {
  readonly status: number;
  /**
   * Names in lower case. The reply's own: code that passes it on adds to them, which is cheaper than a copy each time.
   */
  readonly headers: Record<string, string>;
  /** Whole text, or pieces of an event stream as they come. Returning the iterator early ends the work behind it. */
  readonly body: string | AsyncIterable<string>;
}

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

export function withHeader(reply: Reply, name: string, value: string): Reply {
  return { ...reply, headers: { ...reply.headers, [name]: value } };
}

function toStream(pieces: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const step = await iterator.next();
      if (step.done) controller.close();
      else controller.enqueue(encoder.encode(step.value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** The standard form, for callers that speak fetch. */
export function toResponse(reply: Reply): Response {
  const body = typeof reply.body === 'string' ? reply.body : toStream(reply.body);
  return new Response(body, { status: reply.status, headers: reply.headers });
}
