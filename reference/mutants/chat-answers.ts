/** Faults in the whole answers of chat and completions (spec 4.1 and what clients read of them). */
import {
  body,
  bodyOf,
  contentType,
  inferenceIds,
  instead,
  succeeded,
  withBody,
  withMemory,
  without,
} from './answers.ts';
import { isObject, type Mutant } from './mutant.ts';

type Fields = Readonly<Record<string, unknown>>;

export const choicesOf = (answer: Fields): readonly Fields[] =>
  Array.isArray(answer.choices) ? answer.choices.filter(isObject) : [];

const eachChoice = (id: 'chat' | 'completions', change: (choice: Fields) => object) =>
  body(id, (answer) => ({ ...answer, choices: choicesOf(answer).map(change) }));

export const chatAnswerMutants: readonly Mutant[] = [
  ...(['chat', 'completions'] as const).map(
    (id): Mutant => ({
      name: `${id}-names-another-model`,
      clauses: ['inference.model-field'],
      does: `names another listed model than the requested one in the answers of ${id}`,
      apply: body(id, (answer) => ({ ...answer, model: 'acme/thinker-120b' })),
    }),
  ),
  {
    name: 'completions-gone',
    clauses: ['completions.route', 'completions.completion', 'inference.operations'],
    does: 'does not know the path of completions',
    apply: instead('completions', 404, { error: { message: 'Invalid URL', type: 'invalid_request_error' } }),
  },
  {
    name: 'completions-without-id',
    clauses: ['completions.envelope'],
    does: 'answers completions without an id',
    apply: without('completions', 'id'),
  },
  {
    name: 'chat-ids-reused',
    clauses: ['chat.envelope'],
    does: 'gives all chat completions the same id',
    apply: body('chat', (answer) => ({ ...answer, id: 'chatcmpl-1' })),
  },
  {
    name: 'chat-without-finish-reason',
    clauses: ['chat.finish-reason'],
    does: 'does not say why a choice of chat ended',
    apply: eachChoice('chat', (choice) => ({ ...choice, finish_reason: null })),
  },
  {
    name: 'chat-usage-does-not-add-up',
    clauses: ['chat.usage'],
    does: 'counts one token too many in the total of chat',
    apply: body('chat', (answer) =>
      isObject(answer.usage)
        ? { ...answer, usage: { ...answer.usage, total_tokens: Number(answer.usage.total_tokens) + 1 } }
        : answer,
    ),
  },
  {
    name: 'inference-json-as-text',
    clauses: ['inference.json'],
    does: 'says that the answers of interface A are plain text',
    apply: contentType(inferenceIds, 'text/plain'),
  },
  {
    name: 'chat-answers-of-others',
    clauses: ['chat.completion'],
    does: "gives chat requests that run at the same time each other's answers",
    apply: withMemory(() => {
      let last: readonly Fields[] | null = null;
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
];
