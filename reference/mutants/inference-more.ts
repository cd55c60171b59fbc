/** Faults in the details of interface A: what answers say of themselves, and answers given at once. */
import { body, bodyOf, succeeded, withBody, withMemory } from './answers.ts';
import { inferenceBodyMutants } from './inference-bodies.ts';
import { choicesOf, fieldsOf, inferenceStreamMutants } from './inference-streams.ts';
import { all, type Mutant, type Plant, rulesWithMemory } from './mutant.ts';

const BOTH = ['chat', 'completions'] as const;
type Completing = (typeof BOTH)[number];
type Fields = Readonly<Record<string, unknown>>;

const THOUSAND = 1000;

const eachOf = (plant: (id: Completing) => Plant): Plant => all(...BOTH.map(plant));
const eachChoice = (id: Completing, change: (choice: Fields) => Fields): Plant =>
  body(id, (answer) => ({ ...answer, choices: choicesOf(answer).map(change) }));

const usageWith = (id: Completing, change: (usage: Fields) => Fields): Plant =>
  body(id, (answer) => ({ ...answer, usage: change(fieldsOf(answer.usage)) }));

const details: readonly Mutant[] = [
  {
    name: 'created-in-milliseconds',
    clauses: ['inference.created'],
    does: 'gives the time of an answer in milliseconds',
    apply: eachOf((id) => body(id, (answer) => ({ ...answer, created: Number(answer.created) * THOUSAND }))),
  },
  {
    name: 'indexes-from-one',
    clauses: ['chat.envelope', 'completions.envelope'],
    does: 'counts the choices from one',
    apply: eachOf((id) => eachChoice(id, (choice) => ({ ...choice, index: Number(choice.index) + 1 }))),
  },
  {
    name: 'prompt-tokens-made-up',
    clauses: ['chat.usage', 'completions.usage'],
    does: 'counts every prompt as seven tokens',
    apply: eachOf((id) =>
      usageWith(id, ({ completion_tokens: own }) => {
        return { prompt_tokens: 7, completion_tokens: own, total_tokens: 7 + Number(own) };
      }),
    ),
  },
  {
    name: 'cut-off-told-as-whole',
    clauses: ['inference.length'],
    does: 'says of a text that was cut off at max_tokens that it was done',
    apply: eachOf((id) => eachChoice(id, (choice) => ({ ...choice, finish_reason: 'stop' }))),
  },
  {
    name: 'completions-usage-does-not-add-up',
    clauses: ['completions.usage'],
    does: 'counts one token too many in the total of completions',
    apply: usageWith('completions', (usage) => ({ ...usage, total_tokens: Number(usage.total_tokens) + 1 })),
  },
  {
    name: 'models-come-and-go',
    clauses: ['models.list'],
    does: 'lists one model more each time',
    apply: rulesWithMemory(() => {
      let asked = 0;
      return {
        modelList: (models) => {
          asked += 1;
          const more = Array.from({ length: asked }, (_, at) => ({ ...models[0], id: `acme/extra-${at}` }));
          return { object: 'list', data: [...models, ...more] };
        },
      };
    }),
  },
];

const atOnce: readonly Mutant[] = [
  {
    name: 'answers-mixed-up-at-once',
    clauses: ['inference.own-answer'],
    does: 'gives requests that run at the same time the answers of each other',
    apply: withMemory(() => {
      let last: Fields | null = null;
      return (reply, { id, inFlight }) => {
        const own = BOTH.some((one) => one === id) && succeeded(reply) ? bodyOf(reply) : null;
        if (!own || inFlight < 2) return reply;
        const other = last ?? own;
        last = own;
        return other.object === own.object ? withBody(reply, other) : reply;
      };
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

export const inferenceMoreMutants: readonly Mutant[] = [
  ...inferenceBodyMutants,
  ...details,
  ...inferenceStreamMutants,
  ...atOnce,
];
