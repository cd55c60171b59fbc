/**
 * stream: the chunks a job has yielded since the last call. Clients stop at the first final state, so that answer holds
 * every chunk that is left; and they ask again without a pause, so a call without news waits a while.
 */
import type { JobCall } from '../call.ts';
import { isFinal } from '../jobs/states.ts';
import { within } from '../options.ts';
import { json, type Reply } from '../reply.ts';
import { findJob } from './find.ts';

export async function stream(call: JobCall): Promise<Reply> {
  const job = await findJob(call);
  const { clock, endpoint, options, query, signal } = call;
  const ready = (): number => options.rules.streamable(job.chunks?.length ?? 0, job.state);
  const news = (): boolean => isFinal(job.state) || ready() > job.delivered;
  const end = clock.now() + within(options.streamWait, query.get('wait'));
  // Another call may have been quicker at the chunk that woke both; then this one waits for the next.
  do await endpoint.watch(job, news, end - clock.now(), signal);
  while (!news() && clock.now() < end);
  // Chunks are handed out once: not to somebody who has gone.
  signal.throwIfAborted();
  const until = Math.max(job.delivered, ready());
  const chunks = job.chunks?.slice(job.delivered, until) ?? [];
  job.delivered = until;
  return json(200, { id: job.id, status: job.state, stream: chunks.map((output) => ({ output })) });
}
