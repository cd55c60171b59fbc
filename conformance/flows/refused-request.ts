/** A request that every operation has reason to refuse: not a method or a path that isn't there, but a mistake. */
import { type DocumentedOperationId, isSubmitting, operation } from '../../schemas/operations.ts';
import type { CheckContext } from '../context.ts';
import type { Reply } from '../target/reply.ts';

const UNKNOWN = { jobId: '00000000-0000-4000-8000-000000000000', instId: 'no-such-instance-0000' };
const JSON_TYPE = { 'content-type': 'application/json' };

/** A body that is cut off, a job that never was, an instance that isn't there, or no credential. */
export function refusedRequest(t: CheckContext, id: DocumentedOperationId): Promise<Reply> {
  const { interface: side, path } = operation(id);
  const cut = { body: '{"', headers: JSON_TYPE, breaks: 'the body is cut off' };
  if (id === 'models') return t.inference.models({ auth: 'none', breaks: 'no credential' });
  if (side === 'inference') return t.inference.call(id, cut);
  if (isSubmitting(id)) return t.jobs.call(id, cut);
  if (path.includes('{job_id}')) return t.jobs.call(id, { jobId: UNKNOWN.jobId });
  return t.jobs.call(id, { instId: UNKNOWN.instId });
}
