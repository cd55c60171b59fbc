/** Faults in the streams of interface A, chunk by chunk and in time, and in the calls of tools. */
import { body, eachEvent, events, withMemory } from './answers.ts';
import { all, isObject, type Mutant, type Plant, settings } from './mutant.ts';

const BOTH = ['chat', 'completions'] as const;
type Fields = Readonly<Record<string, unknown>>;

const DONE = '[DONE]';
/** Slow enough that holding a stream back shows. */
const TOKEN_MS = 40;

export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});
export const choicesOf = (answer: Fields): readonly Fields[] =>
  Array.isArray(answer.choices) ? answer.choices.filter(isObject) : [];

/** Changes every chunk but the closing event; one may become several or none. */
const eachChunk = (
  ids: readonly ('chat' | 'completions')[],
  change: (chunk: Fields, at: number) => readonly Fields[],
): Plant =>
  eachEvent(ids, () => {
    let at = -1;
    return (data) => {
      if (data === DONE) return [data];
      at += 1;
      const chunk: unknown = JSON.parse(data);
      return change(fieldsOf(chunk), at).map((one) => JSON.stringify(one));
    };
  });

const chunkChoices = (chunk: Fields, change: (choice: Fields) => Fields): Fields => ({
  ...chunk,
  choices: choicesOf(chunk).map(change),
});

const toolCallsOf = (said: unknown): readonly Fields[] => {
  const calls = fieldsOf(said).tool_calls;
  return Array.isArray(calls) ? calls.filter(isObject) : [];
};

export const inferenceStreamMutants: readonly Mutant[] = [
  {
    name: 'stream-model-changes',
    clauses: ['inference.stream-framing'],
    does: 'names another model from the second chunk on',
    apply: eachChunk(BOTH, (chunk, at) => [at === 0 ? chunk : { ...chunk, model: 'acme/another' }]),
  },
  {
    name: 'stream-goes-on-after-finish',
    clauses: ['inference.stream-framing'],
    does: 'sends more text after it has said why a choice ended',
    apply: eachChunk(BOTH, (chunk) => {
      const late = { text: ' late', delta: { content: ' late' }, finish_reason: null };
      const ended = choicesOf(chunk).some((one) => typeof one.finish_reason === 'string');
      return ended ? [chunk, chunkChoices(chunk, (choice) => ({ ...choice, ...late }))] : [chunk];
    }),
  },
  {
    name: 'stream-indexes-lost',
    clauses: ['inference.stream-framing'],
    does: 'gives the pieces of all choices of a stream the index 0',
    apply: eachChunk(BOTH, (chunk) => [chunkChoices(chunk, (choice) => ({ ...choice, index: 0 }))]),
  },
  {
    name: 'stream-usage-one-off',
    clauses: ['inference.stream-usage'],
    does: 'counts one token too many in the usage of a stream',
    apply: eachChunk(BOTH, (chunk) => {
      const usage = fieldsOf(chunk.usage);
      const total = { ...usage, total_tokens: Number(usage.total_tokens) + 1 };
      return [isObject(chunk.usage) ? { ...chunk, usage: total } : chunk];
    }),
  },
  {
    name: 'completions-stream-usage-missing',
    clauses: ['inference.stream-usage'],
    does: 'leaves out the usage that a stream of text was asked for',
    apply: eachChunk(['completions'], (chunk) => (choicesOf(chunk).length === 0 ? [] : [chunk])),
  },
  {
    name: 'completions-stream-buffered',
    clauses: ['inference.stream-incremental'],
    does: 'sends streams of text at their end, all at once',
    apply: all(
      settings({ interTokenMs: TOKEN_MS }),
      events(['completions'], async function* (pieces) {
        let whole = '';
        for await (const piece of pieces) whole += piece;
        yield whole;
      }),
    ),
  },
  {
    name: 'tool-arguments-as-object',
    clauses: ['chat.tool-calls'],
    does: 'gives the arguments of a tool call as an object',
    apply: body('chat', (answer) =>
      chunkChoices(answer, (choice) => {
        const calls = toolCallsOf(choice.message).map((one) => ({ ...one, function: { name: 'x', arguments: {} } }));
        return calls.length > 0 ? { ...choice, message: { ...fieldsOf(choice.message), tool_calls: calls } } : choice;
      }),
    ),
  },
  {
    name: 'tool-pieces-without-id',
    clauses: ['chat.tool-calls'],
    does: 'streams a tool call without its id',
    apply: eachChunk(['chat'], (chunk) => [
      chunkChoices(chunk, (choice) => {
        const calls = toolCallsOf(choice.delta).map(({ id: _id, ...rest }) => rest);
        return calls.length > 0 ? { ...choice, delta: { ...fieldsOf(choice.delta), tool_calls: calls } } : choice;
      }),
    ]),
  },
  {
    name: 'left-streams-break-it',
    clauses: ['inference.stream-end'],
    does: 'sends no stream to its end any more once a client has left one half-way',
    apply: withMemory(() => {
      let wasLeft = false;
      async function* noted(pieces: AsyncIterable<string>): AsyncGenerator<string> {
        let whole = false;
        try {
          for await (const piece of pieces) {
            if (!(wasLeft && piece.includes(DONE))) yield piece;
          }
          whole = true;
        } finally {
          wasLeft ||= !whole;
        }
      }
      return (reply) => (typeof reply.body === 'string' ? reply : { ...reply, body: noted(reply.body) });
    }),
  },
];
