/** Faults in what chat and completions take and in what they answer, but for streams (spec 2.3, 4.1). */
import { isObject } from '../../schemas/json.ts';
import { operation } from '../../schemas/operations.ts';
import { inferenceError, Refusal } from '../errors.ts';
import { type Body, bodyOf, instead, replyWhere, statusWhere, succeeded, withBody, withMemory } from './answers.ts';
import { all, type Mutant, type Plant, reading, rules } from './mutant.ts';

const BOTH = ['chat', 'completions'] as const;

export const choicesOf = (answer: Body): readonly Body[] =>
  Array.isArray(answer.choices) ? answer.choices.filter(isObject) : [];

/** A value that no field takes, so that the request is refused for it. */
const WRONG = { wrong: true };

const messagesOf = (body: Body): readonly unknown[] => (Array.isArray(body.messages) ? body.messages : []);
const roleOf = (message: unknown): unknown => (isObject(message) ? message.role : undefined);
const refusing = (applies: (body: Body) => boolean) =>
  reading('chat', (body) => (applies(body) ? { ...body, messages: WRONG } : body));

/** Falls over at some bodies. */
const breaksAt = (meant: (body: Body) => boolean): Plant =>
  all(
    ...BOTH.map((id) =>
      reading(id, (body) => {
        if (meant(body)) throw new Refusal(inferenceError(500, { message: 'Internal error.', type: 'server_error' }));
        return body;
      }),
    ),
  );

const holds = (body: Body, pattern: RegExp): boolean => pattern.test(String(textOf(body)));

/** What is said, of a conversation or a prompt. */
function textOf({ messages, prompt }: Body): unknown {
  const first = Array.isArray(messages) ? messages[0] : undefined;
  return isObject(first) ? first.content : prompt;
}

export const inferenceMutants: readonly Mutant[] = [
  {
    name: 'chat-needs-deployment',
    clauses: ['inference.no-deployment', 'chat.route'],
    does: 'requires the model to be deployed before it answers chat',
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
    name: 'other-scripts-refused',
    clauses: ['chat.content', 'completions.completion'],
    does: 'refuses texts with letters that are not of the English alphabet',
    apply: all(
      ...BOTH.map((id) =>
        reading(id, (body) => (holds(body, /\p{L}(?<![a-z])/iu) ? { ...body, messages: WRONG, prompt: WRONG } : body)),
      ),
    ),
  },
  {
    name: 'chat-messages-optional',
    clauses: ['chat.messages-required', 'errors.missing-field'],
    does: 'serves chat without messages',
    apply: reading('chat', (body) => ({ messages: [{ role: 'user', content: '' }], ...body })),
  },
  {
    name: 'bad-requests-break-it',
    clauses: ['inference.no-breakdown', 'inference.invalid-value', 'errors.malformed-json', 'errors.missing-field'],
    does: 'responds 500 wherever it should refuse a body',
    apply: statusWhere((reply, { id }) => BOTH.some((one) => one === id) && reply.status === 400, 500),
  },
  {
    name: 'odd-texts-break-it',
    clauses: ['inference.no-breakdown'],
    does: "responds 500 to texts that it can't store",
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what the fault is about
    apply: breaksAt((body) => holds(body, /\u0000|[\ud800-\udbff](?![\udc00-\udfff])/)),
  },
  {
    name: 'chat-answers-of-others',
    clauses: ['chat.completion'],
    does: "gives chat requests that run at the same time each other's answers",
    apply: withMemory(() => {
      let last: readonly Body[] | null = null;
      return (reply, { id, inFlight }) => {
        const answer = id === 'chat' && succeeded(reply) ? bodyOf(reply) : null;
        if (!answer) return reply;
        const mine = choicesOf(answer);
        const other = last ?? mine;
        last = mine;
        return inFlight > 1 ? withBody(reply, { ...answer, choices: other }) : reply;
      };
    }),
  },
  {
    name: 'inference-by-the-minute',
    clauses: ['inference.concurrency'],
    does: 'takes no more than 30 requests within a minute on interface A',
    apply: rules({
      extraRate: (id) => (operation(id).interface === 'inference' ? { value: 30, windowMs: 60_000 } : null),
    }),
  },
  {
    name: 'chat-last-message-only',
    clauses: ['chat.conversation'],
    does: 'gives the model only the last message of a conversation',
    apply: reading('chat', ({ messages, ...more }: Body) => ({
      ...more,
      messages: Array.isArray(messages) ? messages.slice(-1) : messages,
    })),
  },
  {
    name: 'chat-first-part-only',
    clauses: ['chat.conversation'],
    does: 'gives the model only the first part of a message that has several',
    apply: reading('chat', ({ messages, ...more }: Body) => ({
      ...more,
      messages: Array.isArray(messages)
        ? messages.map((one) => (Array.isArray(one?.content) ? { ...one, content: one.content.slice(0, 1) } : one))
        : messages,
    })),
  },
  {
    name: 'chat-first-message-only',
    clauses: ['chat.conversation'],
    does: 'gives the model only the first message of a conversation',
    apply: reading('chat', ({ messages, ...more }: Body) => ({
      ...more,
      messages: Array.isArray(messages) ? messages.slice(0, 1) : messages,
    })),
  },
  {
    name: 'answers-mixed-up-at-once',
    clauses: ['inference.own-answer'],
    does: 'gives requests that run at the same time the answers of each other',
    apply: withMemory(() => {
      let last: Body | null = null;
      return (reply, { id, inFlight }) => {
        const own = BOTH.some((one) => one === id) && succeeded(reply) ? bodyOf(reply) : null;
        if (!own || inFlight < 2) return reply;
        const other = last ?? own;
        last = own;
        return other.object === own.object ? withBody(reply, other) : reply;
      };
    }),
  },
];
