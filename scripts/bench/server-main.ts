/**
 * One of the two servers that a benchmark compares, in a process of its own: `reference OPTIONS` or `bare`. Talks to
 * its parent by messages: says where it listens, and on request what it has cost so far.
 */
import { type Served, serve } from '../../reference/server.ts';
import { serveBare } from './bare.ts';
import { asksForCost, type Cost } from './cost.ts';

const [role = '', options = '{}'] = process.argv.slice(2);

const served: Served = role === 'bare' ? await serveBare() : await serve(JSON.parse(options));

/** Collecting, for which node has to be started with `--expose-gc`, makes the server slower for a while. */
function cost(collect: boolean): Cost {
  if (collect) globalThis.gc?.();
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
  if (asksForCost(message)) process.send?.(cost(message.collect));
});
process.once('disconnect', () => process.exit(0));
process.send?.({ url: served.url });
