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
  const { endpoint, options, query, signal } = call;
  const ready = (): number => options.rules.streamable(job.chunks.length, job.state);
  const news = (): boolean => isFinal(job.state) || ready() > job.delivered;
  await endpoint.watch(job, news, within(options.streamWait, query.get('wait')), signal);
  const until = Math.max(job.delivered, ready());
  const chunks = job.chunks.slice(job.delivered, until);
  job.delivered = until;
  return json(200, { id: job.id, status: job.state, stream: chunks.map((output) => ({ output })) });
}
