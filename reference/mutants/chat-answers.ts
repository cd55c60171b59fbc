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
import { all, isObject, type Mutant, reading } from './mutant.ts';

type Fields = Readonly<Record<string, unknown>>;

export const choicesOf = (answer: Fields): readonly Fields[] =>
  Array.isArray(answer.choices) ? answer.choices.filter(isObject) : [];

const eachChoice = (id: 'chat' | 'completions', change: (choice: Fields) => object) =>
  body(id, (answer) => ({ ...answer, choices: choicesOf(answer).map(change) }));

export const chatAnswerMutants: readonly Mutant[] = [
  {
    name: 'chat-content-null',
    clauses: ['chat.completion'],
    does: 'answers every chat with a message whose content is null',
    turnsRed: ['chat.completion'],
    apply: eachChoice('chat', (choice) => ({
      ...choice,
      message: { ...(isObject(choice.message) ? choice.message : {}), content: null },
    })),
  },
  ...(['chat', 'completions'] as const).map(
    (id): Mutant => ({
      name: `${id}-names-another-model`,
      clauses: ['inference.model-field'],
      does: `names another listed model than the requested one in the answers of ${id}`,
      turnsRed: [],
      warns: [`${id}.own-model`],
      apply: body(id, (answer) => ({ ...answer, model: 'acme/thinker-120b' })),
    }),
  ),
  {
    name: 'chat-without-choices',
    clauses: ['chat.completion', 'inference.drop-in'],
    does: 'answers chat with a text of its own instead of choices',
    turnsRed: ['chat.completion'],
    apply: body('chat', () => ({ text: 'It holds.' })),
  },
  {
    name: 'chat-no-choice',
    clauses: ['chat.completion'],
    does: 'answers chat with an empty list of choices',
    turnsRed: ['chat.completion'],
    apply: body('chat', (answer) => ({ ...answer, choices: [] })),
  },
  {
    name: 'completions-gone',
    clauses: ['completions.route', 'completions.completion', 'inference.operations'],
    does: 'does not know the path of completions',
    turnsRed: ['completions.route', 'completions.completion'],
    warns: ['completions.stream.framing'],
    apply: instead('completions', 404, { error: { message: 'Invalid URL', type: 'invalid_request_error' } }),
  },
  {
    name: 'completions-like-chat',
    clauses: ['completions.completion', 'inference.drop-in'],
    does: 'answers completions with messages instead of texts',
    turnsRed: ['completions.completion'],
    apply: eachChoice('completions', ({ text, ...rest }) => ({
      ...rest,
      message: { role: 'assistant', content: text },
    })),
  },
  {
    name: 'completions-without-id',
    clauses: ['completions.envelope'],
    does: 'answers completions without an id',
    turnsRed: [],
    warns: ['completions.envelope'],
    apply: without('completions', 'id'),
  },
  {
    name: 'chat-object-wrong',
    clauses: ['chat.envelope'],
    does: 'calls a chat completion a text completion',
    turnsRed: [],
    warns: ['chat.envelope'],
    apply: body('chat', (answer) => ({ ...answer, object: 'text_completion' })),
  },
  {
    name: 'chat-created-as-text',
    clauses: ['chat.envelope'],
    does: 'gives the time of a chat completion as a text',
    turnsRed: [],
    warns: ['chat.envelope'],
    apply: body('chat', (answer) => ({ ...answer, created: '2030-01-01T00:00:00Z' })),
  },
  {
    name: 'chat-ids-reused',
    clauses: ['chat.envelope'],
    does: 'gives all chat completions the same id',
    turnsRed: [],
    warns: ['chat.ids'],
    apply: body('chat', (answer) => ({ ...answer, id: 'chatcmpl-1' })),
  },
  {
    name: 'chat-without-finish-reason',
    clauses: ['chat.finish-reason'],
    does: 'does not say why a choice of chat ended',
    turnsRed: [],
    warns: ['chat.envelope'],
    apply: eachChoice('chat', (choice) => ({ ...choice, finish_reason: null })),
  },
  {
    name: 'chat-usage-does-not-add-up',
    clauses: ['chat.usage'],
    does: 'counts one token too many in the total of chat',
    turnsRed: [],
    warns: ['chat.usage'],
    apply: body('chat', (answer) =>
      isObject(answer.usage)
        ? { ...answer, usage: { ...answer.usage, total_tokens: Number(answer.usage.total_tokens) + 1 } }
        : answer,
    ),
  },
  {
    name: 'chat-without-usage',
    clauses: ['chat.usage', 'chat.envelope'],
    does: 'answers chat without usage',
    turnsRed: [],
    warns: ['chat.envelope', 'chat.usage', 'chat.options.max-tokens'],
    apply: without('chat', 'usage'),
  },
  {
    name: 'chat-indexes-wrong',
    clauses: ['chat.options'],
    does: 'gives all choices of chat the index 0',
    turnsRed: [],
    warns: ['chat.options.n'],
    apply: eachChoice('chat', (choice) => ({ ...choice, index: 0 })),
  },
  {
    name: 'chat-stop-kept',
    clauses: ['chat.options'],
    does: 'leaves the stop text at the end of what chat says',
    turnsRed: [],
    warns: ['chat.options.stop-cuts'],
    apply: (options) => {
      let stop = '';
      const noting = reading('chat', (asked) => {
        stop = Array.isArray(asked.stop) ? String(asked.stop[0]) : '';
        return asked;
      });
      const kept = eachChoice('chat', (choice) => {
        const { message, finish_reason: why } = choice;
        if (why !== 'stop' || !isObject(message)) return choice;
        return { ...choice, message: { ...message, content: `${String(message.content)}${stop}` } };
      });
      return all(noting, kept)(options);
    },
  },
  {
    name: 'inference-json-as-text',
    clauses: ['inference.json'],
    does: 'says that the answers of interface A are plain text',
    turnsRed: [],
    warns: ['models.json', 'chat.json', 'completions.json'],
    apply: contentType(inferenceIds, 'text/plain'),
  },
  {
    name: 'chat-answers-of-others',
    clauses: ['chat.completion'],
    does: "gives chat requests that run at the same time each other's answers",
    turnsRed: ['chat.content.at-once'],
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
