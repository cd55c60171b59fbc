/** Faults in the event streams of interface A. */
import { answers, eachEvent, events } from './answers.ts';
import { all, isObject, type Mutant, reading, rules, settings } from './mutant.ts';

const BOTH = ['chat', 'completions'] as const;
const DONE = '[DONE]';
/** Slow enough that holding a stream back shows. */
const TOKEN_MS = 40;

const parsed = (data: string): Readonly<Record<string, unknown>> => {
  const value: unknown = data === DONE ? {} : JSON.parse(data);
  return isObject(value) ? value : {};
};

/** Changes every chunk but the closing event. */
const eachChunk = (ids: readonly ('chat' | 'completions')[], change: (chunk: object, at: number) => object | null) =>
  eachEvent(ids, () => {
    let at = -1;
    return (data) => {
      if (data === DONE) return [data];
      at += 1;
      const chunk = change(parsed(data), at);
      return chunk === null ? [] : [JSON.stringify(chunk)];
    };
  });

const choicesOf = (chunk: object): readonly Readonly<Record<string, unknown>>[] =>
  'choices' in chunk && Array.isArray(chunk.choices) ? chunk.choices.filter(isObject) : [];

export const chatStreamMutants: readonly Mutant[] = [
  {
    name: 'stream-ends-unfinished',
    clauses: ['inference.stream-end'],
    does: 'leaves an unfinished line behind the end of event streams',
    apply: rules({ endOfStream: 'data: [DONE]\n\ndata: {"id"' }),
  },
  {
    name: 'stream-ignored',
    clauses: ['inference.stream-framing'],
    does: 'answers chat as a whole although a stream was asked for',
    apply: reading('chat', ({ stream_options: _options, ...body }) => ({ ...body, stream: false })),
  },
  {
    name: 'stream-as-json',
    clauses: ['inference.stream-framing'],
    does: 'says that event streams are JSON',
    apply: answers((reply) =>
      typeof reply.body === 'string'
        ? reply
        : { ...reply, headers: { ...reply.headers, 'content-type': 'application/json' } },
    ),
  },
  {
    name: 'stream-lines-bare',
    clauses: ['inference.stream-framing'],
    does: 'puts lines that are no events between those of a stream',
    apply: events(BOTH, async function* (pieces) {
      yield 'progress\n\n';
      yield* pieces;
    }),
  },
  {
    name: 'stream-buffered-events',
    clauses: ['inference.stream-incremental'],
    does: 'sends event streams at their end, all at once',
    apply: all(
      settings({ interTokenMs: TOKEN_MS }),
      events(BOTH, async function* (pieces) {
        let whole = '';
        for await (const piece of pieces) whole += piece;
        yield whole;
      }),
    ),
  },
  {
    name: 'stream-without-role',
    clauses: ['inference.stream-framing'],
    does: 'does not say in the first chunk of chat who speaks',
    apply: eachChunk(['chat'], (chunk, at) =>
      at > 0 ? chunk : { ...chunk, choices: choicesOf(chunk).map((one) => ({ ...one, delta: { content: '' } })) },
    ),
  },
  {
    name: 'stream-without-finish',
    clauses: ['inference.stream-framing', 'inference.drop-in'],
    does: 'does not say in a stream why it ended',
    apply: eachChunk(BOTH, (chunk) => ({
      ...chunk,
      choices: choicesOf(chunk).map((one) => ({ ...one, finish_reason: null })),
    })),
  },
  {
    name: 'stream-without-text',
    clauses: ['inference.stream-framing', 'inference.drop-in'],
    does: 'streams chunks of completions without their text',
    apply: eachChunk(['completions'], (chunk) => ({
      ...chunk,
      choices: choicesOf(chunk).map((one) => ({ ...one, text: '' })),
    })),
  },
  {
    name: 'stream-object-wrong',
    clauses: ['inference.stream-framing'],
    does: 'calls the chunks of chat whole completions',
    apply: eachChunk(['chat'], (chunk) => ({ ...chunk, object: 'chat.completion' })),
  },
  {
    name: 'stream-model-missing',
    clauses: ['inference.stream-framing'],
    does: 'does not say in the chunks of completions which model they come from',
    apply: eachChunk(['completions'], (chunk) => ({ ...chunk, model: null })),
  },
  {
    name: 'stream-ids-numbered',
    clauses: ['inference.stream-framing'],
    does: 'gives each chunk of a stream another id',
    apply: eachChunk(BOTH, (chunk, at) => ({ ...chunk, id: `chunk-${at}` })),
  },
  {
    name: 'stream-usage-zero',
    clauses: ['inference.stream-usage'],
    does: 'counts no tokens in the usage of a stream',
    apply: eachChunk(['chat'], (chunk) =>
      choicesOf(chunk).length > 0
        ? chunk
        : { ...chunk, usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } },
    ),
  },
];
