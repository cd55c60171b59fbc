/** Methods that an operation does not have, and paths that do not exist: none succeeds, and none has an effect. */
import { jobIdOf } from '../../schemas/job-answer.ts';
import { limitFor } from '../../schemas/limits.ts';
import { type HttpMethod, operationPath, operations } from '../../schemas/operations.ts';
import { isAboutJob } from '../../schemas/own.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { canonical } from '../fixtures/canonical.ts';
import type { Submission } from '../fixtures/echo.ts';
import { quickJob } from '../fixtures/quick.ts';
import { attempt, expectUntouched } from '../fixtures/untouched.ts';
import { isRefusal, REFUSAL } from '../reading/refusal.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';

const UNKNOWN = [404, 405];
/** Without GET: of some paths the convention has one that the documentation doesn't show. */
const METHODS: readonly HttpMethod[] = ['DELETE', 'POST', 'PUT', 'PATCH'];
/** A smaller limit has room for a single spare request. */
const ROOM = 100;

/** Status and the headers that belong to it, in short. */
function short({ status, headers }: Reply): string {
  const more = [headers.allow && `allow ${headers.allow}`, headers.location && `location ${headers.location}`];
  return [String(status), ...more.filter(Boolean)].join(', ');
}

const refused = operations.map((row): CheckDefinition => {
  const { id, path, interface: side, methods, budget } = row;
  const wrong = METHODS.filter((one) => !methods.includes(one));
  const isSmall = budget !== null && (limitFor('requests', budget)?.value ?? ROOM) < ROOM;
  const send = async (t: CheckContext, method: string): Promise<Reply> => {
    const json = { headers: { 'content-type': 'application/json' }, body: '{}' };
    const options = { method, breaks: 'the method', ...(METHODS.some((one) => one === method) ? json : {}) };
    if (side === 'inference') return t.inference.call(id, options);
    // No purge is meant, so it takes nothing of the two that the suite may send: it would wait for a whole window.
    if (id === 'purge-queue') return t.jobs.path(method, operationPath(id, { instId: t.endpoint.instId }), options);
    return t.jobs.call(id, { ...options, ...(isAboutJob(row) ? { jobId: (await quickJob(t)).id } : {}) });
  };
  return {
    id: `${id}.methods`,
    title: `${id} rejects methods it does not have`,
    clauses: ['errors.method', 'gap.methods'],
    ...(id === 'purge-queue' ? { needs: ['dedicated'] as const, alone: true } : {}),
    async run(t) {
      // Without it the refusal of a wrong method would say nothing about the method.
      t.requireAnswer(id, await canonical(t, id));
      for (const method of isSmall ? wrong.slice(0, 1) : wrong) t.expectStatus(await send(t, method), ...UNKNOWN);
      for (const method of isSmall ? [] : ['HEAD', 'OPTIONS'])
        t.note(`${method} ${path}`, short(await send(t, method)));
    },
  };
});

const withoutEffect = (['run', 'runsync'] satisfies readonly Submission[]).map(
  (id): CheckDefinition => ({
    id: `${id}.method.get`,
    title: `GET ${id} creates no job`,
    clauses: ['jobs.get-is-safe'],
    async run(t) {
      t.requireAnswer(id, await canonical(t, id));
      const reply = await t.jobs.call(id, { method: 'GET', breaks: 'the method' });
      const made = isOk(reply) && jobIdOf(reply.json) !== null;
      t.expect(reply.request, 'no job', describe(reply), !made);
    },
  }),
);

export const checks: readonly CheckDefinition[] = [
  ...refused,
  ...withoutEffect,
  {
    id: 'cancel.method.get',
    title: 'GET cancel does not affect the job',
    clauses: ['jobs.get-is-safe'],
    run: async (t) => expectUntouched(t, await attempt(t, 'get', 'nothing')),
  },
  {
    id: 'models.unknown-route',
    title: 'Interface A rejects an unknown path with 404 or 405',
    clauses: ['errors.route'],
    async run(t) {
      t.requireAnswer('models', await canonical(t, 'models'));
      const reply = await t.inference.path('GET', '/v1/no-such-path', { breaks: 'the path' });
      t.expect('an unknown path', REFUSAL, describe(reply), isRefusal(reply));
    },
  },
  {
    id: 'run.unknown-route',
    title: 'Interface B rejects an unknown operation with 404',
    clauses: ['errors.route'],
    level: 'observed',
    because: 'no client of interface B uses an operation that does not exist',
    async run(t) {
      t.requireAnswer('run', await canonical(t, 'run'));
      const path = `/api/v1/sl/${encodeURIComponent(t.endpoint.instId)}/no-such-operation`;
      t.expectStatus(await t.jobs.path('GET', path, { breaks: 'the path' }), ...UNKNOWN);
    },
  },
];
