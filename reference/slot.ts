/** How long a request is in flight: until its answer is complete, a streamed one too, or its client is gone. */
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

/** Ends the work behind a streamed answer that will not be read. */
export function giveUp(reply: Reply): void {
  if (typeof reply.body !== 'string') void reply.body[Symbol.asyncIterator]().return?.();
}

/** The streamed answer; `over` is called when it has been read to its end, broke off or was given up. */
export function untilRead(reply: Reply, over: () => void): Reply {
  if (typeof reply.body === 'string') return reply;
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
