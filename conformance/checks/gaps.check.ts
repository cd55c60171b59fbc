/**
 * What the documentation leaves open about interface A, as this target fills it in: written down without ids, times and
 * texts, so that two services can be laid side by side, and never judged.
 */
import type { CheckDefinition } from '../check.ts';
import { canonical } from '../flows/canonical.ts';
import { headerNames, shapeOfReply } from '../reading/shape.ts';

const FEW_TOKENS = 8;
const ROLES = ['system', 'developer', 'assistant'];
const NO_ROLE = 'narrator';
const UNKNOWN_MODEL = 'no-such-owner/no-such-model';
/** Headers that tell of another version, or of the end of this one. */
const ABOUT_VERSIONS = /^(deprecation|sunset|link|warning|.*version.*)$/;

const answers = (['models', 'chat', 'completions'] as const).map(
  (id): CheckDefinition => ({
    id: `${id}.gap.fields`,
    title: `Fields and headers of a response of ${id}`,
    clauses: [`gap.${id}-response`],
    async run(t) {
      const reply = await canonical(t, id);
      t.note('body', shapeOfReply(reply));
      t.note('headers', headerNames(reply));
    },
  }),
);

export const checks: readonly CheckDefinition[] = [
  ...answers,
  {
    id: 'chat.gap.roles',
    title: 'Message roles that chat accepts',
    clauses: ['gap.message-roles'],
    async run(t) {
      t.requireAnswer('chat', await canonical(t, 'chat'));
      for (const role of [...ROLES, NO_ROLE]) {
        const messages = [{ role, content: t.prompt }, ...t.messages];
        const breaks = role === NO_ROLE ? { breaks: 'the role' } : {};
        const reply = await t.inference.call('chat', breaks, { model: t.model, messages, max_tokens: FEW_TOKENS });
        t.note(`a first message of the role ${role}`, String(reply.status));
      }
    },
  },
  {
    id: 'chat.gap.error-body',
    title: 'Form of the error responses of interface A',
    clauses: ['gap.inference-error-body', 'gap.inference-errors'],
    async run(t) {
      t.requireAnswer('chat', await canonical(t, 'chat'));
      const headers = { 'content-type': 'application/json' };
      const malformed = await t.inference.call('chat', { breaks: 'the body', body: '{"model": ', headers });
      t.note('malformed JSON', shapeOfReply(malformed));
      const unknown = await t.inference.chat({ model: UNKNOWN_MODEL, messages: t.messages });
      t.note('an unknown model', shapeOfReply(unknown));
      const nowhere = await t.inference.path('GET', '/v1/no-such-path', { breaks: 'the path' });
      t.note('a path that does not exist', shapeOfReply(nowhere));
    },
  },
  {
    id: 'models.gap.error-headers',
    title: 'Headers of the error responses of interface A',
    clauses: ['gap.error-headers'],
    async run(t) {
      t.requireAnswer('models', await canonical(t, 'models'));
      const reply = await t.inference.call('models', { auth: 'none', breaks: 'no credential' });
      t.note('no credential', `${reply.status} with ${headerNames(reply)}`);
    },
  },
  {
    id: 'models.gap.deprecation',
    title: 'Version information in responses of interface A',
    clauses: ['gap.version-deprecation'],
    async run(t) {
      const reply = await canonical(t, 'models');
      t.requireAnswer('models', reply);
      const told = Object.keys(reply.headers).filter((name) => ABOUT_VERSIONS.test(name));
      t.note('version headers', told.length > 0 ? told.sort().join(', ') : 'none');
    },
  },
];
