/** Faults in streams that are read otherwise than by one reader to a good end: late, together, failing, cut short. */
import { type Body, bodyIf, bodyOf, bodyWithMemory, succeeded, withBody, withMemory } from './answers.ts';
import type { Mutant, Plant } from './mutant.ts';

const isOver = ({ status }: Body): boolean => ['COMPLETED', 'FAILED', 'CANCELLED'].includes(String(status));
const chunksOf = ({ stream }: Body): readonly unknown[] => (Array.isArray(stream) ? stream : []);

/** Gives each stream the chunks of the stream answered before it, while several are read. */
const mixed: Plant = withMemory(() => {
  let before: Body = {};
  return (reply, { id, inFlight }) => {
    const answer = id === 'stream' && succeeded(reply) ? bodyOf(reply) : null;
    if (!answer || inFlight < 2) return reply;
    const other = chunksOf(before);
    before = answer;
    return withBody(reply, { ...answer, stream: other });
  };
});

export const lifeStreamMutants: readonly Mutant[] = [
  {
    name: 'streams-mixed-up',
    clauses: ['stream.results', 'jobs.id-in-paths'],
    does: "gives streams that are read together each other's chunks",
    apply: mixed,
  },
  {
    name: 'stream-not-told-of-cancel',
    clauses: ['jobs.states', 'stream.envelope'],
    does: 'says in the stream of a cancelled job that it is in progress',
    apply: bodyIf(
      'stream',
      ({ status }) => status === 'CANCELLED',
      (answer) => ({ ...answer, status: 'IN_PROGRESS' }),
    ),
  },
  {
    name: 'stream-ends-with-null',
    clauses: ['stream.stays'],
    does: 'answers without a list once a stream has ended and was read',
    apply: bodyWithMemory('stream', () => {
      const ended = new Set<unknown>();
      return (answer) => {
        if (ended.has(answer.id)) return { ...answer, stream: null };
        if (isOver(answer)) ended.add(answer.id);
        return answer;
      };
    }),
  },
  {
    name: 'stream-chunks-packed',
    clauses: ['stream.envelope'],
    does: 'packs all chunks of an answer into one item',
    apply: bodyIf(
      'stream',
      (answer) => chunksOf(answer).length > 1,
      (answer) => ({
        ...answer,
        stream: [{ output: chunksOf(answer) }],
      }),
    ),
  },
];
