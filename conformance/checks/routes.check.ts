/** Paths that do not exist. */
import type { CheckDefinition } from '../check.ts';
import { canonical } from '../flows/canonical.ts';
import { isRefusal, REFUSAL } from '../reading/refusal.ts';
import { describe } from '../target/reply.ts';

const NOT_ALLOWED = 405;
const NOT_FOUND = 404;

export const checks: readonly CheckDefinition[] = [
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
