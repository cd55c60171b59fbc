/** Methods an operation does not have, and paths that do not exist. */
import { type HttpMethod, operationPath, operations } from '../../schemas/operations.ts';
import type { CheckDefinition } from '../check.ts';
import { canonical } from '../flows/canonical.ts';
import { quickJob } from '../flows/quick.ts';
import { isRefusal, REFUSAL } from '../reading/refusal.ts';
import { describe, type Reply } from '../target/reply.ts';

const NOT_ALLOWED = 405;
const NOT_FOUND = 404;

const wrongMethod = (methods: readonly HttpMethod[]): HttpMethod => (methods.includes('POST') ? 'DELETE' : 'POST');

const methodChecks = operations.map(({ id, interface: side, methods }): CheckDefinition => {
  const wrong = wrongMethod(methods);
  const needs = id === 'purge-queue' ? { needs: ['dedicated'] as const, alone: true } : {};
  return {
    id: `${id}.method`,
    title: `${id} rejects ${wrong}`,
    clauses: ['errors.method'],
    ...needs,
    async run(t) {
      // Without it the refusal of a wrong method would say nothing about the method.
      t.requireAnswer(id, await canonical(t, id));
      const options = {
        method: wrong,
        breaks: 'the method',
        headers: { 'content-type': 'application/json' },
        ...(wrong === 'POST' ? { body: '{}' } : {}),
      };
      const jobId = side === 'jobs' && id !== 'health' && id !== 'requests' ? { jobId: (await quickJob(t)).id } : {};
      // No purge is meant, so it takes nothing of the two that the suite may send: it would wait for a whole window.
      const unpurged = (): Promise<Reply> =>
        t.jobs.path(wrong, operationPath(id, { instId: t.endpoint.instId }), options);
      const asked = (): Promise<Reply> =>
        side === 'jobs' ? t.jobs.call(id, { ...options, ...jobId }) : t.inference.call(id, options);
      const reply = await (id === 'purge-queue' ? unpurged() : asked());
      t.expectStatus(reply, NOT_ALLOWED, NOT_FOUND);
    },
  };
});

export const checks: readonly CheckDefinition[] = [
  ...methodChecks,
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
      t.expectStatus(await t.jobs.path('GET', path, { breaks: 'the path' }), NOT_FOUND, NOT_ALLOWED);
    },
  },
  {
    id: 'models.unversioned',
    title: 'Response of interface A without a version in the path',
    clauses: ['gap.version-policy'],
    async run(t) {
      t.requireAnswer('models', await canonical(t, 'models'));
      t.note('GET /models', describe(await t.inference.path('GET', '/models', { breaks: 'the API version' })));
    },
  },
  {
    id: 'health.unversioned',
    title: 'Response of interface B under another version',
    clauses: ['gap.version-policy'],
    async run(t) {
      t.requireAnswer('health', await canonical(t, 'health'));
      const path = `/api/v2/sl/${encodeURIComponent(t.endpoint.instId)}/health`;
      t.note('GET with v2', describe(await t.jobs.path('GET', path, { breaks: 'the path' })));
    },
  },
];
