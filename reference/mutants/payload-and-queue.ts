/** Faults in the sizes of bodies and in the queue rule (spec part 7, 8.2). */
import { isObject } from '../../schemas/json.ts';
import { limitsOf, type QueueLimit } from '../../schemas/limits.ts';
import { json } from '../reply.ts';
import { answers, body, succeeded } from './answers.ts';
import { all, limitValues, type Mutant, type Plant, reading, rules, rulesWithMemory } from './mutant.ts';

// Faults in what becomes of large bodies: those that are taken and don't arrive, those that are refused and do.

const MEGABYTE = 1_000_000;

/** Takes of an input no more than the members that begin within its first megabyte. */
const cutShort = (id: 'run' | 'runsync'): Plant =>
  reading(id, (sent) => {
    if (!isObject(sent.input)) return sent;
    let begun = 0;
    const kept = Object.entries(sent.input).filter(([, value]) => {
      const from = begun;
      begun += JSON.stringify(value).length;
      return from < MEGABYTE;
    });
    return { ...sent, input: Object.fromEntries(kept) };
  });

/** The size of a body that came without spaces. */
const sizeOf = (sent: unknown): number => Buffer.byteLength(JSON.stringify(sent));

/** Answers 413 to what is too large, when it is a job already. */
const refusingTooLate =
  (limitId: string, id: 'run' | 'runsync', most: number): Plant =>
  (options) => {
    let tooLarge = false;
    const measuring = reading(id, (sent) => {
      tooLarge = sizeOf(sent) > most;
      return sent;
    });
    const refusing = answers((reply, about) => {
      const refused = about.id === id && succeeded(reply) && tooLarge;
      return refused ? json(413, { error: 'payload too large' }) : reply;
    });
    return all(limitValues({ [limitId]: 'off' }), measuring, refusing)(options);
  };

export const payloadBodyMutants: readonly Mutant[] = limitsOf('content-bytes').flatMap((limit): readonly Mutant[] => {
  const id = limit.budget === 'runsync' ? 'runsync' : 'run';
  return [
    {
      name: `${id}-payload-by-length-only`,
      clauses: [limit.id],
      does: `limits ${id} bodies by their Content-Length alone, so that chunked ones may have any size`,
      killedBy: [`${limit.id}.enforced`],
      apply: rules({
        payloadLimit: (kind, maxBytes, declared) => (kind === id && declared === null ? Infinity : maxBytes),
      }),
    },
    {
      name: `${id}-payload-chunked-less`,
      clauses: [limit.id],
      does: `takes chunked ${id} bodies of a megabyte at most`,
      killedBy: [`${limit.id}.guarantee`],
      apply: rules({
        payloadLimit: (kind, maxBytes, declared) => (kind === id && declared === null ? MEGABYTE : maxBytes),
      }),
    },
    {
      name: `${id}-payload-cut-short`,
      clauses: [limit.id],
      does: `takes large ${id} bodies and forgets what comes behind their first megabyte`,
      killedBy: [`${limit.id}.guarantee`],
      apply: cutShort(id),
    },
    {
      name: `${id}-payload-refused-too-late`,
      clauses: [limit.id],
      does: `refuses large ${id} bodies when they are jobs already, which run all the same`,
      warns: [`${limit.id}.refused-job`],
      apply: refusingTooLate(limit.id, id, limit.upperReading),
    },
    ...(id === 'run' ? [losing(limit.id)] : []),
  ];
});

/** Only of run: what a runsync did is in its answer. */
function losing(limitId: string): Mutant {
  return {
    name: 'run-payload-lost',
    clauses: [limitId],
    does: 'answers run bodies of some megabytes with the id of a job that nothing knows',
    killedBy: [`${limitId}.guarantee`],
    apply: body('run', (answer, { headers }) =>
      Number(headers.get('content-length')) > MEGABYTE ? { ...answer, id: `${String(answer.id)}-lost` } : answer,
    ),
  };
}

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
    killedBy: [`${limit.id}.enforced`],
    apply: limitValues({ [limit.id]: 'off' }),
  },
  {
    name: `${limit.budget}-payload-a-byte-low`,
    clauses: [limit.id],
    does: `refuses ${limit.budget} bodies of exactly the decimal reading of the limit`,
    killedBy: [`${limit.id}.guarantee`],
    apply: limitValues({ [limit.id]: limit.value - 1 }),
  },
  {
    name: `${limit.budget}-payload-a-byte-high`,
    clauses: [limit.id],
    does: `takes ${limit.budget} bodies of one byte more than the binary reading of the limit`,
    killedBy: [`${limit.id}.enforced`],
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
    killedBy: [`${limit.id}.guarantee`, ...stillShut(limit)],
    apply: misjudged(FEW, limit),
  },
  {
    name: `${limit.budget}-queue-late`,
    clauses: [limit.id],
    does: `refuses ${limit.budget} for the queue ${FEW} jobs too late`,
    killedBy: [`${limit.id}.enforced`],
    apply: misjudged(-FEW, limit),
  },
]);

export const payloadAndQueueMutants: readonly Mutant[] = [
  {
    name: 'payload-8mb',
    clauses: ['run.payload'],
    does: 'refuses run bodies from 8,000,000 bytes on',
    killedBy: ['run.payload.guarantee'],
    apply: limitValues({ 'run.payload': 7_999_999 }),
  },
  ...payloads,
  {
    name: 'queue-or',
    clauses: queueIds,
    does: 'refuses for the queue when one of the two conditions holds',
    killedBy: onQueue('guarantee'),
    apply: rules({
      queueRefuses: (queued, workersMax, limit) => queued > limit.value || queued > limit.perWorker * workersMax,
    }),
  },
  {
    name: 'queue-never-refuses',
    clauses: queueIds,
    does: 'takes jobs however long the queue is',
    killedBy: onQueue('enforced'),
    apply: rules({ queueRefuses: () => false }),
  },
  {
    name: 'queue-border-early',
    clauses: queueIds,
    does: 'refuses for the queue ten jobs too early',
    killedBy: onQueue('guarantee'),
    apply: misjudged(MANY),
  },
  {
    name: 'queue-border-late',
    clauses: queueIds,
    does: 'refuses for the queue ten jobs too late',
    killedBy: onQueue('enforced'),
    apply: misjudged(-MANY),
  },
  ...bordersOfOne,
];
