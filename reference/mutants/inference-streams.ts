/** Faults in the event streams of chat and completions: events, their order, and when they are sent. */
import { isObject } from '../../schemas/json.ts';
import { type Body, DONE, eachChunk, events, withMemory } from './answers.ts';
import { choicesOf } from './inference.ts';
import { all, type Mutant, type Plant, rules, settings } from './mutant.ts';

const BOTH = ['chat', 'completions'] as const;
/** Slow enough that holding a stream back shows. */
const TOKEN_MS = 40;

/** Changes every chunk, given how many came before it. */
const chunks = (change: (chunk: Body, at: number) => readonly Body[]): Plant =>
  eachChunk(BOTH, () => {
    let at = 0;
    return (chunk) => change(isObject(chunk) ? chunk : {}, at++);
  });

const chunkChoices = (chunk: Body, change: (choice: Body) => Body): Body => ({
  ...chunk,
  choices: choicesOf(chunk).map(change),
});

export const inferenceStreamMutants: readonly Mutant[] = [
  {
    name: 'stream-ends-unfinished',
    clauses: ['inference.stream-end'],
    does: 'leaves an unfinished line behind the end of event streams',
    apply: rules({ endOfStream: 'data: [DONE]\n\ndata: {"id"' }),
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
    name: 'stream-ids-numbered',
    clauses: ['inference.stream-framing'],
    does: 'gives each chunk of a stream another id',
    apply: chunks((chunk, at) => [{ ...chunk, id: `chunk-${at}` }]),
  },
  {
    name: 'stream-model-changes',
    clauses: ['inference.stream-framing'],
    does: 'names another model from the second chunk on',
    apply: chunks((chunk, at) => [at === 0 ? chunk : { ...chunk, model: 'acme/another' }]),
  },
  {
    name: 'stream-goes-on-after-finish',
    clauses: ['inference.stream-framing'],
    does: 'sends more text after it has said why a choice ended',
    apply: chunks((chunk) => {
      const late = { text: ' late', delta: { content: ' late' }, finish_reason: null };
      const ended = choicesOf(chunk).some((one) => typeof one.finish_reason === 'string');
      return ended ? [chunk, chunkChoices(chunk, (choice) => ({ ...choice, ...late }))] : [chunk];
    }),
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
  {
    name: 'streams-mixed-up-at-once',
    clauses: ['inference.own-answer'],
    does: 'puts pieces of streams that run at the same time into each other',
    apply: withMemory(() => {
      let last: string | null = null;
      async function* mixed(pieces: AsyncIterable<string>): AsyncGenerator<string> {
        for await (const piece of pieces) {
          yield last ?? piece;
          last = piece;
        }
      }
      return (reply, { inFlight }) =>
        typeof reply.body === 'string' || inFlight < 2 ? reply : { ...reply, body: mixed(reply.body) };
    }),
  },
];
