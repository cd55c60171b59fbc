/** Faults in what completions say: well-formed texts that are not the response to their request (spec 4.1). */
import { bodyOf, events, succeeded, withBody, withMemory } from './answers.ts';
import { choicesOf } from './chat-answers.ts';
import { type Mutant, type Plant, reading } from './mutant.ts';

type Fields = Readonly<Record<string, unknown>>;
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

export const contentMutants: readonly Mutant[] = [
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
