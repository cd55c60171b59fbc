/** Faults in what becomes of large bodies: those that are taken and don't arrive, those that are refused and do. */
import { limitsOf } from '../../schemas/limits.ts';
import { json } from '../reply.ts';
import { answers, body, succeeded } from './answers.ts';
import { all, isObject, limitValues, type Mutant, type Plant, reading, rules } from './mutant.ts';

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
      turnsRed: [`${limit.id}.enforced`],
      apply: rules({
        payloadLimit: (kind, maxBytes, declared) => (kind === id && declared === null ? Infinity : maxBytes),
      }),
    },
    {
      name: `${id}-payload-chunked-less`,
      clauses: [limit.id],
      does: `takes chunked ${id} bodies of a megabyte at most`,
      turnsRed: [`${limit.id}.guarantee`],
      apply: rules({
        payloadLimit: (kind, maxBytes, declared) => (kind === id && declared === null ? MEGABYTE : maxBytes),
      }),
    },
    {
      name: `${id}-payload-cut-short`,
      clauses: [limit.id],
      does: `takes large ${id} bodies and forgets what comes behind their first megabyte`,
      turnsRed: [`${limit.id}.guarantee`],
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
    turnsRed: [`${limitId}.guarantee`],
    apply: body('run', (answer, { headers }) =>
      Number(headers.get('content-length')) > MEGABYTE ? { ...answer, id: `${String(answer.id)}-lost` } : answer,
    ),
  };
}
