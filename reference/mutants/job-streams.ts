/** Faults in stream of interface B: what is delivered, how often, in which order, and when (spec 4.2). */
import { isFinal } from '../jobs/states.ts';
import { body, bodyWithMemory, instead, without } from './answers.ts';
import { type Mutant, rules } from './mutant.ts';

const NOT_ALLOWED = 405;
const GONE = { error: 'method not allowed' };
const RESULTS = ['stream.results', 'stream.results.post'];

const chunksOf = (answer: Readonly<Record<string, unknown>>): readonly unknown[] =>
  Array.isArray(answer.stream) ? answer.stream : [];

export const jobStreamMutants: readonly Mutant[] = [
  {
    name: 'stream-results-null',
    clauses: ['stream.results'],
    does: 'streams null in place of every result',
    turnsRed: ['stream.results'],
    apply: body('stream', (answer) => ({ ...answer, stream: chunksOf(answer).map(() => ({ output: null })) })),
  },
  {
    name: 'stream-without-get',
    clauses: ['stream.route', 'jobs.operations'],
    does: 'answers stream by POST only',
    turnsRed: ['stream.route.get', 'stream.results'],
    apply: instead('stream', NOT_ALLOWED, GONE, ({ method }) => method === 'GET'),
  },
  {
    name: 'stream-without-post',
    clauses: ['stream.route', 'jobs.operations'],
    does: 'answers stream by GET only',
    turnsRed: ['stream.route.post', 'stream.results.post'],
    warns: ['stream.empty-body'],
    apply: instead('stream', NOT_ALLOWED, GONE, ({ method }) => method === 'POST'),
  },
  {
    name: 'stream-drops-last',
    clauses: ['stream.results', 'stream.drains'],
    does: 'never hands out the last chunk of a stream',
    turnsRed: [...RESULTS, 'stream.once'],
    apply: rules({ streamable: (chunks) => Math.max(0, chunks - 1) }),
  },
  {
    name: 'stream-drops-first',
    clauses: ['stream.results'],
    does: 'loses the first chunk of a stream',
    turnsRed: [...RESULTS, 'stream.once'],
    apply: bodyWithMemory('stream', () => {
      const begun = new Set<unknown>();
      return (answer) => {
        const chunks = chunksOf(answer);
        if (chunks.length === 0 || begun.has(answer.id)) return answer;
        begun.add(answer.id);
        return { ...answer, stream: chunks.slice(1) };
      };
    }),
  },
  {
    name: 'stream-repeats',
    clauses: ['stream.drains'],
    does: 'hands out every chunk twice',
    turnsRed: ['stream.once'],
    apply: body('stream', (answer) => ({ ...answer, stream: chunksOf(answer).flatMap((one) => [one, one]) })),
  },
  {
    name: 'stream-from-the-start',
    clauses: ['stream.drains'],
    does: 'hands out all chunks again in every answer',
    turnsRed: ['stream.once'],
    warns: ['stream.final'],
    apply: bodyWithMemory('stream', () => {
      const all = new Map<unknown, readonly unknown[]>();
      return (answer) => {
        const stream = [...(all.get(answer.id) ?? []), ...chunksOf(answer)];
        all.set(answer.id, stream);
        return { ...answer, stream };
      };
    }),
  },
  {
    name: 'stream-reorders',
    clauses: ['stream.results'],
    does: 'hands out each pair of chunks the wrong way round',
    turnsRed: [...RESULTS, 'stream.once'],
    apply: bodyWithMemory('stream', () => {
      const held = new Map<unknown, unknown>();
      return (answer) => {
        const stream = chunksOf(answer).flatMap((chunk) => {
          if (held.has(answer.id)) {
            const first = held.get(answer.id);
            held.delete(answer.id);
            return [chunk, first];
          }
          held.set(answer.id, chunk);
          return [];
        });
        return { ...answer, stream };
      };
    }),
  },
  {
    name: 'stream-buffered',
    clauses: ['stream.incremental'],
    does: 'hands out chunks only when the job is over',
    turnsRed: [],
    warns: ['stream.incremental'],
    apply: rules({ streamable: (chunks, state) => (isFinal(state) ? chunks : 0) }),
  },
  {
    name: 'stream-late-chunk',
    clauses: ['stream.drains'],
    does: 'hands out the last chunk only after the first final answer',
    turnsRed: [],
    warns: ['stream.final'],
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
  {
    name: 'stream-without-state',
    clauses: ['stream.envelope'],
    does: 'does not say in a stream how the job stands',
    turnsRed: [],
    warns: ['stream.envelope', 'stream.final'],
    apply: without('stream', 'status'),
  },
  {
    name: 'stream-chunks-bare',
    clauses: ['stream.envelope'],
    does: 'hands out chunks that are not wrapped in output',
    turnsRed: [],
    warns: ['stream.envelope'],
    apply: body('stream', (answer) => ({
      ...answer,
      stream: chunksOf(answer).map((one) => Object.values(Object(one))[0]),
    })),
  },
  {
    name: 'stream-null-without-chunks',
    clauses: ['stream.envelope'],
    does: 'answers stream of a job without chunks with null instead of a list',
    turnsRed: [],
    warns: ['stream.plain-job', 'stream.envelope'],
    apply: body('stream', (answer) => (chunksOf(answer).length === 0 ? { ...answer, stream: null } : answer)),
  },
];
