/** Jobs and instances that do not exist, and what interface B answers without a key. */
import { type DocumentedOperationId, type HttpMethod, isSubmitting, operation } from '../../schemas/operations.ts';
import type { CheckDefinition } from '../check.ts';
import { knownTo, requireKnown, UNFINISHED_MS, UNKNOWN_INSTANCE, UNKNOWN_JOB } from '../fixtures/known.ts';
import { quickJob, requireLasting } from '../fixtures/quick.ts';
import { poll } from '../fixtures/submit.ts';
import { isRefusal, REFUSAL } from '../reading/refusal.ts';
import { describe, isOk } from '../target/reply.ts';

const byJob: readonly DocumentedOperationId[] = ['status', 'status-sync', 'stream', 'cancel'];
const pairs = byJob.flatMap((id) =>
  operation(id).methods.map((method): readonly [DocumentedOperationId, HttpMethod] => [id, method]),
);

const unknownJobs = pairs.map(
  ([id, method]): CheckDefinition => ({
    id: `${id}.unknown-job.${method.toLowerCase()}`,
    title: `${method} ${id} rejects an unknown job id`,
    clauses: ['jobs.unknown-job'],
    async run(t) {
      await requireKnown(t, id, method);
      const reply = await t.jobs.call(id, { method, jobId: UNKNOWN_JOB });
      t.expect('an unknown job', REFUSAL, describe(reply), isRefusal(reply));
    },
  }),
);

/** purge-queue is left out: its budget is two requests, and it may be counted across instances. */
const onInstance: readonly DocumentedOperationId[] = [
  'run',
  'runsync',
  'status',
  'status-sync',
  'stream',
  'cancel',
  'health',
  'requests',
];

const unknownInstances = onInstance.map(
  (id): CheckDefinition => ({
    id: `${id}.unknown-instance`,
    title: `${id} rejects an unknown instance`,
    clauses: ['jobs.unknown-instance'],
    async run(t) {
      const known = await quickJob(t);
      const body = isSubmitting(id) ? t.jobs.body({ echo: t.word() }) : undefined;
      t.requireOk(known.reply);
      const reply = await t.jobs.call(id, { instId: UNKNOWN_INSTANCE, jobId: known.id }, body);
      t.expect('an unknown instance', REFUSAL, describe(reply), isRefusal(reply));
    },
  }),
);

const emptyBodies = (['status', 'status-sync', 'stream', 'cancel'] as const).map(
  (id): CheckDefinition => ({
    id: `${id}.empty-body`,
    title: `POST ${id} accepts an empty body with the content type application/json`,
    clauses: ['jobs.empty-body'],
    async run(t) {
      const job = await knownTo(t, id);
      const headers = { 'content-type': 'application/json' };
      const reply = await t.jobs.call(id, { method: 'POST', jobId: job.id, headers, body: '' });
      if (id === 'cancel' && !isOk(reply)) await requireLasting(t, await poll(t, job, () => true), UNFINISHED_MS);
      t.expectOk(reply);
    },
  }),
);

export const checks: readonly CheckDefinition[] = [...unknownJobs, ...unknownInstances, ...emptyBodies];
