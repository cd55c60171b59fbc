/** Methods that an operation on jobs does not have: none is answered, and none has an effect. */
import { type DocumentedOperationId, type HttpMethod, isSubmitting, operation } from '../../schemas/operations.ts';
import type { CheckDefinition } from '../check.ts';
import type { Submission } from '../flows/echo.ts';
import { quickJob, quickSync } from '../flows/quick.ts';
import { attempt, expectUntouched } from '../flows/untouched.ts';
import { jobIdOf } from '../reading/job.ts';
import { describe, isOk } from '../target/reply.ts';

const BAD_METHOD = [404, 405, 501];
const ALL: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const POST_ONLY: readonly Submission[] = ['run', 'runsync'];

/** Those whose budget leaves room for it. */
const ASKED: readonly DocumentedOperationId[] = ['run', 'runsync', 'status', 'status-sync', 'stream', 'health'];

const others = ASKED.map(
  (id): CheckDefinition => ({
    id: `${id}.method.others`,
    title: `${id} rejects methods it does not have`,
    clauses: ['errors.method'],
    async run(t) {
      const job = await quickJob(t);
      const body = isSubmitting(id) ? t.jobs.body({ echo: t.word() }) : undefined;
      t.requireAnswer(id, await t.jobs.call(id, { jobId: job.id }, body));
      for (const method of ALL.filter((one) => !operation(id).methods.includes(one))) {
        const withBody = method === 'GET' ? undefined : body;
        const reply = await t.jobs.call(id, { method, jobId: job.id, breaks: 'the method' }, withBody);
        t.expectStatus(reply, ...BAD_METHOD);
      }
    },
  }),
);

export const checks: readonly CheckDefinition[] = [
  ...others,
  ...POST_ONLY.map(
    (id): CheckDefinition => ({
      id: `${id}.method.get`,
      title: `GET ${id} creates no job`,
      clauses: ['jobs.get-is-safe'],
      async run(t) {
        t.requireAnswer(id, id === 'run' ? (await quickJob(t)).reply : (await quickSync(t, 'ground')).reply);
        const reply = await t.jobs.call(id, { method: 'GET', breaks: 'the method' });
        const made = isOk(reply) && jobIdOf(reply.json) !== null;
        t.expect(reply.request, 'no job', describe(reply), !made);
      },
    }),
  ),
  {
    id: 'cancel.method.get',
    title: 'GET cancel does not affect the job',
    clauses: ['jobs.get-is-safe'],
    run: async (t) => expectUntouched(t, await attempt(t, 'get', 'nothing')),
  },
  {
    id: 'health.method.head-options',
    title: 'Response to HEAD and OPTIONS, and the Allow header of a 405',
    clauses: ['gap.methods'],
    async run(t) {
      t.requireAnswer('health', await t.jobs.health());
      for (const method of ['HEAD', 'OPTIONS', 'POST']) {
        const { status, headers } = await t.jobs.call('health', { method, breaks: 'the method' });
        t.note(`${method} health`, `${status}, allow: ${headers.allow ?? 'none'}`);
      }
    },
  },
];
