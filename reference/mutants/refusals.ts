/** Faults in the form of a refusal: the limit holds, and the client is told wrongly (spec part 7, 8). */
import { limitsOf } from '../../schemas/limits.ts';
import type { Reply } from '../reply.ts';
import type { Outgoing } from '../rules.ts';
import { answers, statusWhere } from './answers.ts';
import type { Mutant } from './mutant.ts';

const rates = limitsOf('requests').map((limit) => limit.id);
const concurrencies = limitsOf('concurrent-requests').map((limit) => limit.id);
const queues = limitsOf('queue').map((limit) => limit.id);
const refusal = (id: string): string => `${id}.refusal`;

const by =
  (...kinds: readonly Outgoing['refusedBy'][]) =>
  (_reply: Reply, { refusedBy }: Outgoing): boolean =>
    kinds.includes(refusedBy);

/** The same answer with these fields besides. */
const fieldsWhere = (which: ReturnType<typeof by>, fields: Reply['headers']): Mutant['apply'] =>
  answers((reply, out) => (which(reply, out) ? { ...reply, headers: { ...reply.headers, ...fields } } : reply));

export const refusalMutants: readonly Mutant[] = [
  {
    name: 'refusal-503',
    clauses: [...rates, ...concurrencies],
    does: 'refuses beyond a rate or a concurrency with 503',
    warns: [...rates, ...concurrencies].map(refusal),
    apply: statusWhere(by('requests', 'concurrent-requests'), 503),
  },
  {
    name: 'rate-refusal-403',
    clauses: rates,
    does: 'refuses beyond a rate with 403',
    warns: rates.map(refusal),
    apply: statusWhere(by('requests'), 403),
  },
  {
    name: 'rate-refusal-200',
    clauses: rates,
    does: 'answers 200 and an error body beyond a rate',
    warns: rates.map(refusal),
    apply: statusWhere(by('requests'), 200),
  },
  {
    name: 'rate-retry-after-now',
    clauses: rates,
    does: 'says beyond a rate that the next one may come at once',
    warns: rates.map((id) => `${id}.retry-after`),
    apply: fieldsWhere(by('requests'), { 'retry-after': '0' }),
  },
  {
    name: 'rate-fields-left',
    clauses: rates,
    does: 'says beyond a rate that some requests are left',
    warns: rates.map((id) => `${id}.fields`),
    apply: fieldsWhere(by('requests'), { ratelimit: '"rate";r=3;t=10' }),
  },
  {
    name: 'refusal-without-retry-after',
    clauses: [...rates, ...concurrencies],
    does: 'refuses without saying when to come back',
    warns: [...rates, ...concurrencies].map(refusal),
    apply: answers((reply, { refusedBy }) => {
      if (refusedBy !== 'requests' && refusedBy !== 'concurrent-requests') return reply;
      const { 'retry-after': _seconds, ...headers } = reply.headers;
      return { ...reply, headers };
    }),
  },
  {
    // Of run alone: where that breaks down at its border, the queue isn't filled any further for runsync.
    name: 'run-queue-refusal-503',
    clauses: ['run.queue'],
    does: 'refuses run for the queue with 503',
    turnsRed: ['run.queue.enforced'],
    apply: statusWhere((_reply, { id, refusedBy }) => id === 'run' && refusedBy === 'queue', 503),
  },
  {
    name: 'queue-refusal-200',
    clauses: queues,
    does: 'answers 200 and an error body when the queue is full',
    turnsRed: queues.map((id) => `${id}.enforced`),
    apply: statusWhere(by('queue'), 200),
  },
];
