/** Keeping a slot exactly as long as a request is in flight, also when its answer is a stream or its client is gone. */
import type { Reply } from './reply.ts';

/** The promise, or a rejection with the signal's reason as soon as the client is gone. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Calls `leave` at once for a whole answer; for a stream at its end, when it is given up, or on the signal. */
export function holdWhileStreaming(reply: Reply, signal: AbortSignal, leave: () => void): Reply {
  if (typeof reply.body === 'string') {
    leave();
    return reply;
  }
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  const over = (): void => {
    signal.removeEventListener('abort', leave);
    leave();
  };
  const inner = reply.body[Symbol.asyncIterator]();
  const iterator: AsyncIterator<string> = {
    async next() {
      try {
        const step = await inner.next();
        if (step.done) over();
        return step;
      } catch (error) {
        over();
        throw error;
      }
    },
    async return() {
      over();
      await inner.return?.();
      return { done: true, value: undefined };
    },
  };
  return { ...reply, body: { [Symbol.asyncIterator]: () => iterator } };
}
