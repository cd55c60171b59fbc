/** The three operations on a whole endpoint: purge-queue, health, requests. */
import type { JobCall } from '../call.ts';
import { summary } from '../jobs/job.ts';
import { within } from '../options.ts';
import { json, type Reply } from '../reply.ts';

/** Clears the queue; running jobs go on (spec 4.2). */
export async function purgeQueue(call: JobCall): Promise<Reply> {
  await call.arrived();
  return json(200, { removed: call.endpoint.purge(call.options.rules.purges), status: 'completed' });
}

export async function health(call: JobCall): Promise<Reply> {
  await call.arrived();
  return json(200, call.options.rules.health(call.endpoint.health()));
}

/** Known jobs, newest first, by pages: `?limit=` (at least 1, so that every page leads on) and `?offset=`. */
export async function requests(call: JobCall): Promise<Reply> {
  await call.arrived();
  const { query, options } = call;
  const page = options.requestsPage;
  const limit = Math.floor(within({ ...page, min: 1 }, query.get('limit')));
  const offset = Math.floor(within({ default: 0, min: 0, max: Number.MAX_SAFE_INTEGER }, query.get('offset')));
  const { jobs, total } = call.endpoint.list(offset, limit);
  const rows = jobs.map(summary);
  if (options.requestsShape === 'array') return json(200, rows);
  return json(200, { requests: rows, total, offset, limit, hasMore: offset + rows.length < total });
}
