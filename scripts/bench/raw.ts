/**
 * The same load from bare sockets that are never asleep: what this machine and the counting server can do, whoever
 * sends. Where this misses a goal as well, no load generator could reach it here.
 */
import { shareOf } from '../../scenarios/k6/lib/schedule.ts';
import { withConnections } from './measure.ts';
import { wallOffset } from './wall-clock.ts';
import { work } from './work.ts';

/** All of them at once; each connection is warm and asks again as soon as it is answered. */
export function rawBurst(url: string, requests: number, connections: number): Promise<void> {
  const [request, warm] = [work.run(), work.status('warm')];
  return withConnections(url, connections, async (all) => {
    await Promise.all(all.map((one) => one.ask(warm)));
    await Promise.all(
      all.map(async (one, index) => {
        for (let sent = 0; sent < shareOf(requests, connections, index); sent += 1) await one.ask(request);
      }),
    );
  });
}

/** One each period by whichever connection is free. Returns the moment of the first one, wall clock, ms. */
export function rawPace(url: string, periodMs: number, count: number, connections: number): Promise<number> {
  const request = work.run();
  return withConnections(url, connections, async (free) => {
    const open: Promise<unknown>[] = [];
    const fromMs = performance.now() + periodMs;
    for (let made = 0; made < count; ) {
      const connection = fromMs + made * periodMs <= performance.now() ? free.pop() : undefined;
      if (connection) {
        made += 1;
        open.push(connection.ask(request).then(() => free.push(connection)));
      } else await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(open);
    return wallOffset() + fromMs;
  });
}
