/**
 * One of the two servers that a benchmark compares, in a process of its own: `reference OPTIONS` or `bare`. Talks to
 * its parent by messages: says where it listens, and on request what it has cost so far.
 */
import { type Served, serve } from '../../reference/server.ts';
import { serveBare } from './bare.ts';
import { asksForCost, type Cost } from './cost.ts';

const [role = '', options = '{}'] = process.argv.slice(2);

const served: Served = role === 'bare' ? await serveBare() : await serve(JSON.parse(options));

/** Collected first, so that the heap is what is still in use, if node was started with `--expose-gc`. */
function cost(): Cost {
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    cpuMs: (user + system) / 1000,
    rssBytes: rss,
    heapBytes: heapUsed + external,
    inFlight: served.inFlight().requests,
  };
}

process.on('message', (message) => {
  if (asksForCost(message)) process.send?.(cost());
});
process.once('disconnect', () => process.exit(0));
process.send?.({ url: served.url });
