/** Faults in the sizes of bodies and in the queue rule (spec part 7, 8.2). */
import { limitsOf, type QueueLimit } from '../../schemas/limits.ts';
import { limitValues, type Mutant, type Plant, rules, rulesWithMemory } from './mutant.ts';

const queueLimits = limitsOf('queue');
const queueIds = queueLimits.map((limit) => limit.id);
const onQueue = (aspect: 'guarantee' | 'enforced'): string[] => queueIds.map((id) => `${id}.${aspect}`);

/** Small enough that only a border known to the job shows it. */
const FEW = 3;
const MANY = 10;

/** The queue rule as if so many more jobs were queued, for one submission or for both. */
function misjudged(by: number, only?: QueueLimit): Plant {
  return rulesWithMemory(({ rules: { queueRefuses } }) => ({
    queueRefuses: (queued, workersMax, limit) =>
      queueRefuses(only && only.id !== limit.id ? queued : queued + by, workersMax, limit),
  }));
}

const payloads = limitsOf('content-bytes').flatMap((limit): readonly Mutant[] => [
  {
    name: `${limit.budget}-payload-off`,
    clauses: [limit.id],
    does: `takes ${limit.budget} bodies of any size`,
    turnsRed: [`${limit.id}.enforced`],
    apply: limitValues({ [limit.id]: 'off' }),
  },
  {
    name: `${limit.budget}-payload-a-byte-low`,
    clauses: [limit.id],
    does: `refuses ${limit.budget} bodies of exactly the decimal reading of the limit`,
    turnsRed: [`${limit.id}.guarantee`],
    apply: limitValues({ [limit.id]: limit.value - 1 }),
  },
  {
    name: `${limit.budget}-payload-a-byte-high`,
    clauses: [limit.id],
    does: `takes ${limit.budget} bodies of one byte more than the binary reading of the limit`,
    turnsRed: [`${limit.id}.enforced`],
    apply: limitValues({ [limit.id]: limit.upperReading + 1 }),
  },
]);

/** With room in the queue `runsync` alone is refused, while `run` isn't: then no refusal ends when it should. */
export const stillShut = ({ id, budget }: QueueLimit): string[] => (budget === 'runsync' ? [`${id}.reopens`] : []);

const bordersOfOne = queueLimits.flatMap((limit): readonly Mutant[] => [
  {
    name: `${limit.budget}-queue-early`,
    clauses: [limit.id],
    does: `refuses ${limit.budget} for the queue ${FEW} jobs too early`,
    turnsRed: [`${limit.id}.guarantee`, ...stillShut(limit)],
    apply: misjudged(FEW, limit),
  },
  {
    name: `${limit.budget}-queue-late`,
    clauses: [limit.id],
    does: `refuses ${limit.budget} for the queue ${FEW} jobs too late`,
    turnsRed: [`${limit.id}.enforced`],
    apply: misjudged(-FEW, limit),
  },
]);

export const payloadAndQueueMutants: readonly Mutant[] = [
  {
    name: 'payload-8mb',
    clauses: ['run.payload'],
    does: 'refuses run bodies from 8,000,000 bytes on',
    turnsRed: ['run.payload.guarantee'],
    apply: limitValues({ 'run.payload': 7_999_999 }),
  },
  ...payloads,
  {
    name: 'queue-or',
    clauses: queueIds,
    does: 'refuses for the queue when one of the two conditions holds',
    turnsRed: onQueue('guarantee'),
    apply: rules({
      queueRefuses: (queued, workersMax, limit) => queued > limit.value || queued > limit.perWorker * workersMax,
    }),
  },
  {
    name: 'queue-never-refuses',
    clauses: queueIds,
    does: 'takes jobs however long the queue is',
    turnsRed: onQueue('enforced'),
    apply: rules({ queueRefuses: () => false }),
  },
  {
    name: 'queue-border-early',
    clauses: queueIds,
    does: 'refuses for the queue ten jobs too early',
    turnsRed: onQueue('guarantee'),
    apply: misjudged(MANY),
  },
  {
    name: 'queue-border-late',
    clauses: queueIds,
    does: 'refuses for the queue ten jobs too late',
    turnsRed: onQueue('enforced'),
    apply: misjudged(-MANY),
  },
  ...bordersOfOne,
];
