/** Rate limiters from npm, each in a server that answers everything else with 200; set up as their own README says. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastifyRateLimit from '@fastify/rate-limit';
import { ThrottlerStorageService } from '@nestjs/throttler';
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { rateLimiter } from 'hono-rate-limiter';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** Requests in a window, ms. */
export type Start = (limit: number, windowMs: number) => Promise<Served>;

export async function serve(listener: RequestListener): Promise<Served> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The requests that open connections are no requests of the limit. */
export const isFree = (url = ''): boolean => url.endsWith('/health');

export const decided =
  (isAdmitted: () => Promise<boolean>): RequestListener =>
  (request, response) => {
    const answer = (status: number): void => {
      request.resume();
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    };
    if (isFree(request.url)) answer(200);
    else void isAdmitted().then((admitted) => answer(admitted ? 200 : 429));
  };

export const expressRateLimit: Start = (limit, windowMs) => {
  const app = express();
  const limiter = rateLimit({ windowMs, limit, standardHeaders: 'draft-8', skip: ({ url }) => isFree(url) });
  app.use(limiter);
  app.use((_, response) => {
    response.json({});
  });
  return serve(app);
};

export const fastifyRateLimited: Start = async (max, timeWindow) => {
  const app = fastify();
  await app.register(fastifyRateLimit, { max, timeWindow, allowList: ({ url }) => isFree(url) });
  app.all('/*', async () => ({}));
  await app.ready();
  return serve((request, response) => app.routing(request, response));
};

export const honoRateLimited: Start = (limit, windowMs) => {
  const app = new Hono();
  app.use(rateLimiter({ windowMs, limit, keyGenerator: () => 'one', skip: ({ req }) => isFree(req.path) }));
  app.all('*', (context) => context.json({}));
  return serve((request, response) => {
    request.resume();
    void Promise.resolve(app.fetch(new Request(`http://zoo${request.url}`, { method: request.method ?? 'GET' }))).then(
      ({ status }) => response.writeHead(status).end('{}'),
    );
  });
};

export const rateLimiterFlexible =
  (blockWindows: number): Start =>
  (points, windowMs) => {
    const duration = windowMs / 1000;
    const limiter = new RateLimiterMemory({ points, duration, blockDuration: blockWindows * duration });
    const isAdmitted = () =>
      limiter.consume('one').then(
        () => true,
        (refused: unknown) => {
          if (!(refused instanceof RateLimiterRes)) throw refused;
          return false;
        },
      );
    return serve(decided(isAdmitted));
  };

export const nestThrottler: Start = (limit, windowMs) => {
  const storage = new ThrottlerStorageService();
  return serve(decided(async () => !(await storage.increment('one', windowMs, limit, windowMs, 'default')).isBlocked));
};

/** Two processes behind one address, each with a store of its own. */
export const twoProcesses =
  (start: Start): Start =>
  async (limit, windowMs) => {
    const both = await Promise.all([start(limit, windowMs), start(limit, windowMs)]);
    let next = 0;
    const front = await serve((request, response) => {
      request.resume();
      next = (next + 1) % both.length;
      void fetch(`${both[next]?.url}${request.url}`, { method: request.method ?? 'GET' }).then(async (answer) => {
        await answer.arrayBuffer();
        response.writeHead(answer.status).end('{}');
      });
    });
    return {
      url: front.url,
      close: async () => {
        await front.close();
        await Promise.all(both.map((one) => one.close()));
      },
    };
  };
