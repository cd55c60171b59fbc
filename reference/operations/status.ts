/** status and status-sync: the job's record, at once or when it is final. */
import type { JobCall } from '../call.ts';
import { type Job, record } from '../jobs/job.ts';
import { isFinal } from '../jobs/states.ts';
import { within } from '../options.ts';
import { json, type Reply } from '../reply.ts';
import { findJob } from './find.ts';

const ANY_TIME = { default: Number.POSITIVE_INFINITY, min: 0, max: Number.POSITIVE_INFINITY };

function answer(call: JobCall, job: Job): Reply {
  const id = call.options.rules.statusId(job.id, () => call.endpoint.ids());
  return json(200, { ...record(job), id });
}

/** `?ttl=` milliseconds: from now on the job, if it is final, is kept no longer than that after it finished. */
export async function status(call: JobCall): Promise<Reply> {
  const job = await findJob(call);
  const asked = within(ANY_TIME, call.query.get('ttl'));
  if (call.options.retentionQuery) call.endpoint.shorten(job, asked);
  return answer(call, job);
}

/** Clients ask again without a pause, so it has to wait (`?wait=` milliseconds) while the job isn't final. */
export async function statusSync(call: JobCall): Promise<Reply> {
  const job = await findJob(call);
  const { rules, statusSyncWait } = call.options;
  const waitMs = rules.statusSyncWait(within(statusSyncWait, call.query.get('wait')), call.request.method);
  await call.endpoint.watch(job, () => isFinal(job.state), waitMs, call.signal);
  return answer(call, job);
}
