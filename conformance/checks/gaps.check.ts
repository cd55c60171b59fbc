/**
 * What the documentation leaves open of either interface, as this target fills it in: written down without ids, times and
 * texts, so that two services can be laid side by side, and never judged.
 */
import type { CheckDefinition } from '../check.ts';
import { canonical } from '../fixtures/canonical.ts';
import { bodyFor } from '../fixtures/completions.ts';
import { isAnswer } from '../reading/answer.ts';
import { headerNames, shapeOfReply } from '../reading/shape.ts';

const ROLES = ['system', 'developer', 'assistant'];
const NO_ROLE = 'narrator';
const UNKNOWN_MODEL = 'no-such-owner/no-such-model';
/** Headers that announce another version, or the end of this one. */
const ABOUT_VERSIONS = /^(deprecation|sunset|link|warning|.*version.*)$/;

const answers = (['models', 'chat', 'completions', 'run', 'runsync', 'status-sync'] as const).map(
  (id): CheckDefinition => ({
    id: `${id}.gap.response`,
    title: `Fields and headers of a response of ${id}`,
    clauses: [`gap.${id}-response`],
    async run(t) {
      const reply = await canonical(t, id);
      t.requireAnswer(id, reply);
      t.note('body', shapeOfReply(reply));
      t.note('headers', headerNames(reply));
    },
  }),
);

/** Paths that are like those of an operation which only reads. */
const SIMILAR = {
  models: ['/models', '/v1/models/', '/v1//models', '/V1/Models', '/v2/models', '/v0/models', '/v1'],
  health: [
    ...['/health/', '/HEALTH'].map((end) => `/api/v1/sl/INSTANCE${end}`),
    '/api/v1/sl//INSTANCE/health',
    ...['/API/v1/sl', '/api/v2/sl', '/api/sl', '/v1/sl', '/sl', '/v2', ''].map((base) => `${base}/INSTANCE/health`),
  ],
} as const;

const versions = (['models', 'health'] as const).flatMap((id): CheckDefinition[] => {
  const side = id === 'models' ? 'A' : 'B';
  return [
    {
      id: `${id}.gap.paths`,
      title: `Response to paths similar to the documented ones on interface ${side}`,
      clauses: ['gap.version-policy'],
      async run(t) {
        t.requireAnswer(id, await canonical(t, id));
        for (const path of SIMILAR[id]) {
          const send = { breaks: 'the path' };
          const reply =
            id === 'models'
              ? await t.inference.path('GET', path, send)
              : await t.jobs.path('GET', path.replace('INSTANCE', encodeURIComponent(t.endpoint.instId)), send);
          t.note(`GET ${path}`, `${reply.status}${isAnswer(id, reply) ? ', answered' : ''}`);
        }
      },
    },
    {
      id: `${id}.gap.deprecation`,
      title: `Version information in responses of interface ${side}`,
      clauses: ['gap.version-deprecation'],
      async run(t) {
        const reply = await canonical(t, id);
        t.requireAnswer(id, reply);
        const reported = Object.keys(reply.headers).filter((name) => ABOUT_VERSIONS.test(name));
        t.note('version headers', reported.length > 0 ? reported.sort().join(', ') : 'none');
      },
    },
  ];
});

export const checks: readonly CheckDefinition[] = [
  ...answers,
  ...versions,
  {
    id: 'chat.gap.roles',
    title: 'Message roles that chat accepts',
    clauses: ['gap.message-roles'],
    async run(t) {
      t.requireAnswer('chat', await canonical(t, 'chat'));
      for (const role of [...ROLES, NO_ROLE]) {
        const messages = [{ role, content: t.prompt }, ...t.messages];
        const breaks = role === NO_ROLE ? { breaks: 'the role' } : {};
        const reply = await t.inference.call('chat', breaks, bodyFor(t, 'chat', t.prompt, { messages }));
        t.note(`a first message of the role ${role}`, String(reply.status));
      }
    },
  },
  {
    id: 'chat.gap.error-body',
    title: 'Form of the error responses of interface A',
    clauses: ['gap.inference-error-body', 'gap.inference-errors', 'gap.error-headers'],
    async run(t) {
      t.requireAnswer('chat', await canonical(t, 'chat'));
      const headers = { 'content-type': 'application/json' };
      const malformed = await t.inference.call('chat', { breaks: 'the body', body: '{"model": ', headers });
      t.note('malformed JSON', shapeOfReply(malformed));
      const unknown = await t.inference.chat({ model: UNKNOWN_MODEL, messages: t.messages });
      t.note('an unknown model', shapeOfReply(unknown));
      const nowhere = await t.inference.path('GET', '/v1/no-such-path', { breaks: 'the path' });
      t.note('a path that does not exist', shapeOfReply(nowhere));
      const keyless = await t.inference.call('models', { auth: 'none', breaks: 'no credential' });
      t.note('no credential', `${keyless.status} with ${headerNames(keyless)}`);
    },
  },
];
