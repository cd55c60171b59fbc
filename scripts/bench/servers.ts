/** Starts the servers of a benchmark as processes of their own, and asks what they have cost. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ServeOptions } from '../../reference/server.ts';
import { limits } from '../../schemas/limits.ts';
import { packageRoot } from '../package.ts';
import { type Cost, type CostQuestion, isCost } from './cost.ts';

export interface Server {
  readonly url: string;
  cost(): Promise<Cost>;
  /** The same after a collection of garbage. */
  memory(): Promise<Cost>;
  /** The same once nobody is in flight any more, or after ten looks. */
  settled(): Promise<Cost>;
  stop(): Promise<void>;
}

/** Far above what a benchmark reaches, so that every limiter works and none refuses. */
const OUT_OF_REACH = 400_000;

/** All limits on, at values that aren't reached; tokens come as fast as they can be written. */
export const unreached: ServeOptions = {
  limits: Object.fromEntries(
    limits.filter(({ kind }) => kind === 'requests').map(({ id }) => [id, OUT_OF_REACH] as const),
  ),
  firstTokenMs: 0,
  interTokenMs: 0,
};

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const gone = new AbortController();
  const { signal } = gone;
  try {
    const [message]: unknown[] = await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(([code]: unknown[]) => {
        throw new Error(`a benchmark's server ended with ${String(code)}`);
      }),
    ]);
    return message;
  } finally {
    gone.abort();
  }
}

export async function startServer(role: 'bare' | 'reference', options: ServeOptions = {}): Promise<Server> {
  const script = join(packageRoot(), 'dist', 'scripts', 'bench', 'server-main.js');
  const child = fork(script, [role, JSON.stringify(options)], { execArgv: ['--expose-gc'] });
  const message = await nextMessage(child);
  if (typeof message !== 'object' || message === null || !('url' in message)) throw new Error('no address came');
  const cost = async (collect: boolean): Promise<Cost> => {
    const question: CostQuestion = { tell: 'cost', collect };
    child.send(question);
    const told = await nextMessage(child);
    if (!isCost(told)) throw new Error('no cost came');
    return told;
  };
  return {
    url: String(message.url),
    cost: () => cost(false),
    memory: () => cost(true),
    async settled() {
      let told = await cost(true);
      for (let looks = 1; told.inFlight > 0 && looks < 10; looks += 1) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        told = await cost(true);
      }
      return told;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
