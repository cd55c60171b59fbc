/** Faults in stream of interface B: what is delivered, how often, in which order, and when (spec 4.2). */
import { isFinal } from '../jobs/states.ts';
import { body, bodyWithMemory, instead } from './answers.ts';
import { type Mutant, rules } from './mutant.ts';

const NOT_ALLOWED = 405;
const GONE = { error: 'method not allowed' };

const chunksOf = (answer: Readonly<Record<string, unknown>>): readonly unknown[] =>
  Array.isArray(answer.stream) ? answer.stream : [];

export const jobStreamMutants: readonly Mutant[] = [
  {
    name: 'stream-results-null',
    clauses: ['stream.results'],
    does: 'streams null in place of every result',
    apply: body('stream', (answer) => ({ ...answer, stream: chunksOf(answer).map(() => ({ output: null })) })),
  },
  {
    name: 'stream-without-post',
    clauses: ['stream.route', 'jobs.operations'],
    does: 'answers stream by GET only',
    apply: instead('stream', NOT_ALLOWED, GONE, ({ method }) => method === 'POST'),
  },
  {
    name: 'stream-repeats',
    clauses: ['stream.drains'],
    does: 'hands out every chunk twice',
    apply: body('stream', (answer) => ({ ...answer, stream: chunksOf(answer).flatMap((one) => [one, one]) })),
  },
  {
    name: 'stream-buffered',
    clauses: ['stream.incremental'],
    does: 'hands out chunks only when the job is over',
    apply: rules({ streamable: (chunks, state) => (isFinal(state) ? chunks : 0) }),
  },
  {
    name: 'stream-late-chunk',
    clauses: ['stream.drains'],
    does: 'hands out the last chunk only after the first final answer',
    apply: bodyWithMemory('stream', () => {
      const kept = new Map<unknown, unknown>();
      return (answer) => {
        const chunks = chunksOf(answer);
        if (kept.has(answer.id)) return { ...answer, stream: [kept.get(answer.id)] };
        if (answer.status !== 'COMPLETED' || chunks.length === 0) return answer;
        kept.set(answer.id, chunks.at(-1));
        return { ...answer, stream: chunks.slice(0, -1) };
      };
    }),
  },
];
