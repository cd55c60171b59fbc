/** Faults in what chat and completions take (spec 2.3 and the options that clients send). */
import { instead, replyWhere } from './answers.ts';
import { isObject, type Mutant, reading } from './mutant.ts';

/** A value that no field takes, so that the request is refused for it. */
const WRONG = { wrong: true };

const messagesOf = (body: Readonly<Record<string, unknown>>): readonly unknown[] =>
  Array.isArray(body.messages) ? body.messages : [];
const roleOf = (message: unknown): unknown => (isObject(message) ? message.role : undefined);
const contentOf = (message: unknown): unknown => (isObject(message) ? message.content : undefined);
const refusing = (applies: (body: Readonly<Record<string, unknown>>) => boolean) =>
  reading('chat', (body) => (applies(body) ? { ...body, messages: WRONG } : body));

const KNOWN = [
  ...['model', 'messages', 'max_tokens', 'max_completion_tokens', 'n', 'stop', 'stream', 'stream_options'],
  ...['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'seed', 'user', 'logprobs', 'top_logprobs'],
];

const refusedOptions = (
  [
    ['temperature', ['temperature']],
    ['top-p', ['top_p']],
    ['stop', ['stop']],
    ['seed', ['seed']],
    ['user', ['user']],
    ['penalties', ['presence_penalty', 'frequency_penalty']],
  ] as const
).map(
  ([option, fields]): Mutant => ({
    name: `chat-${option}-refused`,
    clauses: ['chat.options'],
    does: `refuses chat with ${fields.join(' or ')}`,
    apply: refusing((body) => fields.some((field) => field in body)),
  }),
);

export const chatRequestMutants: readonly Mutant[] = [
  {
    name: 'chat-needs-deployment',
    clauses: ['inference.no-deployment', 'chat.route'],
    does: 'asks for the model to be deployed before it answers chat',
    apply: instead('chat', 503, { error: { message: 'The model is not deployed.', type: 'service_unavailable' } }),
  },
  {
    name: 'chat-needs-max-tokens',
    clauses: ['chat.request'],
    does: 'refuses chat with model and messages alone',
    apply: refusing((body) => !('max_tokens' in body)),
  },
  {
    name: 'chat-refuses-json',
    clauses: ['chat.json'],
    does: 'refuses chat whose Content-Type is JSON',
    apply: replyWhere(
      (_reply, { id, refusedBy, headers }) =>
        id === 'chat' && refusedBy === null && /json/.test(headers.get('content-type') ?? ''),
      415,
      { error: { message: 'Unsupported media type.', type: 'invalid_request_error' } },
    ),
  },
  {
    name: 'chat-without-user',
    clauses: ['chat.role-user'],
    does: 'refuses messages of the role user',
    apply: refusing((body) => messagesOf(body).some((one) => roleOf(one) === 'user')),
  },
  {
    name: 'chat-refuses-text',
    clauses: ['chat.content'],
    does: 'refuses a content that is a text',
    apply: refusing((body) => messagesOf(body).some((one) => typeof contentOf(one) === 'string')),
  },
  {
    name: 'chat-one-message-only',
    clauses: ['chat.conversation'],
    does: 'refuses a conversation of more than one message',
    apply: refusing((body) => messagesOf(body).length > 1),
  },
  {
    name: 'chat-without-system',
    clauses: ['chat.roles'],
    does: 'refuses messages of the role system',
    apply: refusing((body) => messagesOf(body).some((one) => roleOf(one) === 'system')),
  },
  {
    name: 'chat-without-assistant',
    clauses: ['chat.roles', 'chat.conversation'],
    does: 'refuses messages of the role assistant',
    apply: refusing((body) => messagesOf(body).some((one) => roleOf(one) === 'assistant')),
  },
  {
    name: 'chat-refuses-parts',
    clauses: ['chat.options'],
    does: 'refuses a content of parts',
    apply: refusing((body) => messagesOf(body).some((one) => Array.isArray(contentOf(one)))),
  },
  {
    name: 'chat-model-optional',
    clauses: ['chat.model-required', 'errors.missing-field'],
    does: 'serves chat without a model',
    apply: (options) => reading('chat', (body) => ({ model: options.models[0]?.id, ...body }))(options),
  },
  {
    name: 'chat-messages-optional',
    clauses: ['chat.messages-required', 'errors.missing-field'],
    does: 'serves chat without messages',
    apply: reading('chat', (body) => ({ messages: [{ role: 'user', content: '' }], ...body })),
  },
  {
    name: 'chat-unknown-field-refused',
    clauses: ['chat.unknown-fields'],
    does: 'refuses chat with a field that it does not know',
    apply: refusing((body) => Object.keys(body).some((key) => !KNOWN.includes(key))),
  },
  ...refusedOptions,
  {
    name: 'chat-max-tokens-ignored',
    clauses: ['chat.options'],
    does: 'goes on beyond max_tokens of chat',
    apply: reading('chat', (body) => (typeof body.max_tokens === 'number' ? { ...body, max_tokens: null } : body)),
  },
  {
    name: 'completions-max-tokens-ignored',
    clauses: ['completions.envelope'],
    does: 'goes on beyond max_tokens of completions',
    apply: reading('completions', (body) =>
      typeof body.max_tokens === 'number' ? { ...body, max_tokens: null } : body,
    ),
  },
];
