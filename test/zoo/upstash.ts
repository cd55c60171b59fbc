/** `@upstash/ratelimit`, whose sliding window is a counter, with a Redis server of its own from Debian's package. */
import { spawn } from 'node:child_process';
import { Ratelimit } from '@upstash/ratelimit';
import { Redis } from 'ioredis';
import { freePort, programOf } from './gateways.ts';
import { decided, type Start, serve } from './npm.ts';

/** Redis itself doesn't know the flags of its maker's service. */
const withoutFlags = (script: string): string => script.replace(/^#!.*\n/, '');

export const upstashSlidingWindow: Start = async (limit, windowMs) => {
  const port = await freePort();
  const child = spawn(programOf('redis-server') ?? '', ['--port', `${port}`, '--save', ''], { stdio: 'ignore' });
  // Tries again until the server is there.
  const redis = new Redis({ port });
  const run = (script: string, keys: string[], args: unknown[]) =>
    redis.eval(withoutFlags(script), keys.length, ...keys, ...args.map(String));
  const client = { evalsha: () => Promise.reject(new Error('NOSCRIPT')), eval: run };
  const limiter = new Ratelimit({
    redis: client as unknown as ConstructorParameters<typeof Ratelimit>[0]['redis'],
    limiter: Ratelimit.slidingWindow(limit, `${windowMs} ms`),
    ephemeralCache: false,
  });
  const served = await serve(decided(async () => (await limiter.limit('one')).success));
  return {
    url: served.url,
    close: async () => {
      await served.close();
      redis.disconnect();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
};
