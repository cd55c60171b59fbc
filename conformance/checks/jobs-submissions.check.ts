/** Other fields in a submission, and the requirements on an id and on two submissions. */
import { outputOf } from '../../schemas/job-answer.ts';
import { at, mentions, show } from '../../schemas/json.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import type { Submission } from '../fixtures/echo.ts';
import { quickJob, quickSync, requireEcho } from '../fixtures/quick.ts';
import { adopt, finish, submit } from '../fixtures/submit.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';

const submissions: readonly Submission[] = ['run', 'runsync'];
/** What a path can't hold as it is: it would end there, or lead elsewhere. */
const NOT_PLAIN = /[\s/?#%\\]/;

const policies = [
  { aspect: 'times', what: 'the usual times', policy: { executionTimeout: 600_000, ttl: 86_400_000 } },
  { aspect: 'low-priority', what: 'a low priority', policy: { lowPriority: true } },
] as const;

async function control(t: CheckContext, by: Submission): Promise<Reply> {
  return by === 'run' ? (await quickJob(t)).reply : (await quickSync(t, 'precondition')).reply;
}

export const checks: readonly CheckDefinition[] = [
  ...submissions.flatMap((id): CheckDefinition[] => [
    ...policies.map(
      ({ aspect, what, policy }): CheckDefinition => ({
        id: `${id}.policy.${aspect}`,
        title: `${id} accepts a policy with ${what}`,
        clauses: ['jobs.policy'],
        async run(t) {
          t.requireAnswer(id, await control(t, id));
          const reply = await t.jobs.call(id, {}, { ...t.jobs.body({ echo: t.word() }), policy });
          t.expectOk(reply);
          if (!isOk(reply)) return;
          const job = adopt(t, reply);
          // It may wait for as long as others have something to do.
          if (id === 'run' && 'lowPriority' in policy) t.defer((client) => client.cancel(job.id));
        },
      }),
    ),
    {
      id: `${id}.charset`,
      title: `${id} accepts JSON whose content type names a charset`,
      clauses: ['requests.charset'],
      async run(t) {
        t.requireAnswer(id, await control(t, id));
        const headers = { 'content-type': 'application/json; charset=utf-8' };
        const body = JSON.stringify(t.jobs.body({ echo: t.word() }));
        t.expectAnswered(id, await t.jobs.call(id, { headers, body }));
      },
    },
    {
      id: `${id}.id-plain`,
      title: `The job id of ${id} needs no encoding in a path`,
      clauses: ['jobs.id-plain'],
      async run(t) {
        const reply = await control(t, id);
        t.requireAnswer(id, reply);
        const jobId = adopt(t, reply).id;
        t.expect('the id', 'no space, slash or other sign of a path', jobId, !NOT_PLAIN.test(jobId));
        const given: unknown = at(reply.json, 'id');
        if (given !== undefined) t.expect('id', 'a string', show(given), typeof given === 'string');
      },
    },
    {
      id: `${id}.twice`,
      title: `The same body sent twice to ${id} creates two jobs`,
      clauses: ['jobs.id-unique'],
      ...(id === 'runsync' && {
        level: 'convention',
        because: 'only the response of run is documented to have an id',
      }),
      async run(t) {
        t.requireAnswer(id, await control(t, id));
        const body = JSON.stringify(t.jobs.body({ echo: t.word() }));
        const headers = { 'content-type': 'application/json' };
        const both = await Promise.all([1, 2].map(() => t.jobs.call(id, { body, headers })));
        const [first, second] = both.map((reply) => adopt(t, reply).id);
        t.expect('both ids', 'two different ids', show([first, second]), first !== second);
      },
    },
  ]),
  {
    id: 'run.twice.outputs',
    title: 'Two jobs with the same body both complete with the output',
    clauses: ['jobs.asynchronous', 'jobs.id-in-paths'],
    async run(t) {
      await requireEcho(t);
      const word = t.word();
      const jobs = await Promise.all([submit(t, { echo: word }), submit(t, { echo: word })]);
      for (const [index, job] of jobs.entries()) {
        const { reply } = await finish(t, job);
        const own = mentions(outputOf(reply.json), word);
        t.expect(`the output of job ${index + 1}`, word, describe(reply), own);
      }
    },
  },
  ...(['status-sync', 'stream'] as const).map(
    (reading): CheckDefinition => ({
      id: `runsync.job.${reading}`,
      title: `${reading} finds a synchronous job`,
      clauses: ['runsync.job'],
      async run(t) {
        t.requireAnswer('runsync', (await quickSync(t, 'precondition')).reply);
        const { id } = adopt(t, await t.jobs.runsync({ echo: t.word() }));
        for (const method of t.jobs.methods(reading)) {
          t.expectOk(await t.jobs.call(reading, { method, jobId: id }));
        }
      },
    }),
  ),
];
