/**
 * Responses of interface A to invalid bodies. Where a lenient service may guess the meaning, that breaks no client, as
 * long as there is no 5xx and no invitation to retry.
 */
import { BAD_CONTENT } from '../../schemas/status.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { bodyFor, type Completing, completed, completing } from '../fixtures/completions.ts';
import { expectTurnedAway } from '../fixtures/refusals.ts';
import type { Reply } from '../target/reply.ts';

interface Case {
  readonly aspect: string;
  readonly title: string;
  /** Default: both. */
  readonly only?: Completing;
  /** Default: a value is wrong. */
  readonly clauses?: readonly string[];
  readonly because?: string;
  /** The whole body as text. */
  readonly text?: string;
  /** Else what a good body has instead; undefined: nothing. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The statuses of its refusal; without them clients accept that the request is served. */
  readonly statuses?: readonly number[];
}

const BAD_OR_UNKNOWN = [404, ...BAD_CONTENT];
const because = 'the field is part of the documented request, but the response without it is not documented';
const JSON_TYPE = { 'content-type': 'application/json' };
/** The one case that the schema of a request has nothing against: such a model could be there. */
const UNKNOWN_MODEL = 'unknown-model';

const malformed = ['errors.malformed-json'];
const missing = ['errors.missing-field'];
const message = (content: unknown): readonly unknown[] => [{ role: 'user', content }];

const cases: readonly Case[] = [
  { aspect: 'malformed-json', title: 'malformed JSON', clauses: malformed, text: '{"model": ', statuses: BAD_CONTENT },
  { aspect: 'empty-body', title: 'an empty body', clauses: malformed, text: '', statuses: BAD_CONTENT },
  { aspect: 'list-body', title: 'a list as the body', text: '[]', statuses: BAD_CONTENT },
  {
    aspect: UNKNOWN_MODEL,
    title: 'an unknown model',
    clauses: ['inference.unknown-model'],
    fields: { model: 'no-such-owner/no-such-model' },
    statuses: BAD_OR_UNKNOWN,
  },
  { aspect: 'model-number', title: 'a number as the model', fields: { model: 7 } },
  { aspect: 'max-tokens-text', title: 'max_tokens that is not a number', fields: { max_tokens: 'many' } },
  {
    aspect: 'missing-model',
    title: 'a body without model',
    only: 'chat',
    clauses: ['chat.model-required', ...missing],
    because,
    fields: { model: undefined },
    statuses: BAD_OR_UNKNOWN,
  },
  {
    aspect: 'missing-messages',
    title: 'a body without messages',
    only: 'chat',
    clauses: ['chat.messages-required', ...missing],
    because,
    fields: { messages: undefined },
    statuses: BAD_CONTENT,
  },
  { aspect: 'empty-messages', title: 'an empty conversation', only: 'chat', fields: { messages: [] } },
  {
    aspect: 'messages-text',
    title: 'messages that are not a list',
    only: 'chat',
    fields: { messages: 'hello' },
    statuses: BAD_CONTENT,
  },
  {
    aspect: 'messages-object',
    title: 'an object as messages',
    only: 'chat',
    fields: { messages: { a: 1 } },
    statuses: BAD_CONTENT,
  },
  {
    aspect: 'messages-null',
    title: 'null as messages',
    only: 'chat',
    fields: { messages: null },
    statuses: BAD_CONTENT,
  },
  {
    aspect: 'message-without-role',
    title: 'a message without a role',
    only: 'chat',
    fields: { messages: [{ content: 'hello' }] },
  },
  { aspect: 'message-text', title: 'a string as a message', only: 'chat', fields: { messages: ['hello'] } },
  { aspect: 'content-number', title: 'a number as the content', only: 'chat', fields: { messages: message(7) } },
  {
    aspect: 'content-object',
    title: 'an object as the content',
    only: 'chat',
    fields: { messages: message({ say: 'hello' }) },
  },
  {
    aspect: 'role-number',
    title: 'a number as the role',
    only: 'chat',
    fields: { messages: [{ role: 7, content: 'hello' }] },
  },
  {
    aspect: 'missing-prompt',
    title: 'a body without a prompt',
    only: 'completions',
    clauses: missing,
    fields: { prompt: undefined },
    statuses: BAD_CONTENT,
  },
  {
    aspect: 'prompt-object',
    title: 'an object as the prompt',
    only: 'completions',
    fields: { prompt: { a: 1 } },
    statuses: BAD_CONTENT,
  },
  { aspect: 'prompt-flag', title: 'true as the prompt', only: 'completions', fields: { prompt: true } },
];

function send(t: CheckContext, id: Completing, { aspect, title, text, fields }: Case): Promise<Reply> {
  const breaks = aspect === UNKNOWN_MODEL ? {} : { breaks: title };
  if (text !== undefined) return t.inference.call(id, { body: text, headers: JSON_TYPE, ...breaks });
  return t.inference.call(id, breaks, bodyFor(t, id, t.prompt, fields));
}

export const checks: readonly CheckDefinition[] = completing.flatMap((id) =>
  cases
    .filter(({ only = id }) => only === id)
    .map(
      (one): CheckDefinition => ({
        id: `${id}.invalid.${one.aspect}`,
        title: one.statuses ? `${id} rejects ${one.title}` : `${id} never returns 5xx for ${one.title}`,
        clauses: one.clauses ?? ['inference.invalid-value'],
        ...(one.because ? { level: 'convention', because: one.because } : {}),
        async run(t) {
          await completed(t, id);
          expectTurnedAway(t, id, await send(t, id, one), one.statuses ?? null);
        },
      }),
    ),
);
