/** Faults in the whole answers of chat and completions (spec 4.1 and what clients read of them). */
import {
  body,
  bodyOf,
  contentType,
  events,
  inferenceIds,
  instead,
  succeeded,
  withBody,
  withMemory,
  without,
} from './answers.ts';
import { isObject, type Mutant, type Plant, reading } from './mutant.ts';

type Fields = Readonly<Record<string, unknown>>;

export const choicesOf = (answer: Fields): readonly Fields[] =>
  Array.isArray(answer.choices) ? answer.choices.filter(isObject) : [];

const eachChoice = (id: 'chat' | 'completions', change: (choice: Fields) => object) =>
  body(id, (answer) => ({ ...answer, choices: choicesOf(answer).map(change) }));

// Faults in what completions say: well-formed texts that are not the response to their request (spec 4.1).

type Completing = 'chat' | 'completions';

const both = ['chat', 'completions'] as const;

/** What the first response said is what each one says. */
const firstOfAll = (id: Completing): Plant =>
  withMemory(() => {
    let first: Fields | undefined;
    return (reply, about) => {
      const own = about.id === id && succeeded(reply) ? bodyOf(reply) : null;
      if (!own) return reply;
      first ??= choicesOf(own)[0];
      const said = { message: first?.message, text: first?.text };
      return withBody(reply, { ...own, choices: choicesOf(own).map((one) => ({ ...one, ...said })) });
    };
  });

type Change = (event: string, place: number) => readonly string[];

/** Each event with a piece of the text, and how many of them came before; '' for any other, which follows. */
const pieces = (id: Completing, changeOfStream: () => Change): Plant =>
  events([id], async function* (all) {
    const change = changeOfStream();
    let place = 0;
    for await (const piece of all) {
      for (const event of piece.split(/(?<=\n\n)/)) {
        const isPiece = event.includes('"finish_reason":null') && !event.includes('tool_calls');
        yield* isPiece ? change(event, place++) : [...change('', place), event];
      }
    }
  });

const losing = (id: Completing): Plant =>
  pieces(id, () => (event, place) => (event === '' || place === 3 ? [] : [event]));

/** From the fourth on, two by two. */
const exchanging = (id: Completing): Plant =>
  pieces(id, () => {
    let held: readonly string[] = [];
    return (event, place) => {
      const isFirst = event !== '' && place > 2 && held.length === 0;
      const now = isFirst || event === '' ? [] : [event];
      const before = held;
      held = isFirst ? [event] : [];
      return [...now, ...before];
    };
  });

const perOperation = (id: Completing): readonly Mutant[] => [
  {
    name: `${id}-one-text-for-all`,
    clauses: [`${id}.completion`],
    does: `gives the text of the first response to every request of ${id}`,
    apply: firstOfAll(id),
  },
  {
    name: `${id}-stream-loses-a-piece`,
    clauses: ['inference.stream-framing'],
    does: `leaves the fourth chunk out of each stream of ${id}`,
    apply: losing(id),
  },
  {
    name: `${id}-stream-exchanges-pieces`,
    clauses: ['inference.stream-framing'],
    does: `exchanges the chunks of each stream of ${id}, two by two, from the fourth on`,
    apply: exchanging(id),
  },
];

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
  ...both.flatMap(perOperation),
  {
    name: 'chat-last-message-only',
    clauses: ['chat.conversation'],
    does: 'gives the model only the last message of a conversation',
    apply: reading('chat', ({ messages, ...more }: Fields) => ({
      ...more,
      messages: Array.isArray(messages) ? messages.slice(-1) : messages,
    })),
  },
];
