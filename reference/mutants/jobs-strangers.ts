/** Faults in how interface B treats strangers, and in refusals that have an effect all the same. */
import type { ReferenceOptions } from '../options.ts';
import { json } from '../reply.ts';
import type { Outgoing, Rules } from '../rules.ts';
import { answers, jobIds, statusWhere, succeeded } from './answers.ts';
import { all, type Mutant, type Plant, reading, rules, rulesWithMemory } from './mutant.ts';

const UNAUTHORIZED = 401;
const SUBMISSIONS = ['run', 'runsync'] as const;

const onJobs = (id: Outgoing['id']): boolean => jobIds.includes(id);
const good = (options: ReferenceOptions): string => `Bearer ${options.accessKeys[0] ?? ''}`;

/** Reads what came as Authorization for interface B in another way. */
const credential = (read: (header: string | null, good: string, id: string) => string | null): Plant =>
  rulesWithMemory((options): Partial<Rules> => {
    const { credential: before } = options.rules;
    return { credential: (id, header) => before(id, onJobs(id) ? read(header, good(options), id) : header) };
  });

/** Lets a stranger in, and says that it didn't. */
const actsThenRefuses =
  (id: Outgoing['id'], isStranger: (header: string | null, good: string) => boolean): Plant =>
  (options) => {
    const right = good(options);
    return all(
      credential((header, key, asked) => (asked === id && isStranger(header, key) ? key : header)),
      answers((reply, { id: asked, headers }) =>
        asked === id && isStranger(headers.get('authorization'), right)
          ? json(UNAUTHORIZED, { error: 'unauthorized' })
          : reply,
      ),
    )(options);
  };

/** Makes a job of a body without input, and says that it refused it. */
function queuesThenRefuses(id: 'run' | 'runsync'): Plant {
  return (options) => {
    let refuses = false;
    const takes = reading(id, (sent) => {
      refuses = !('input' in sent);
      return { input: {}, ...sent };
    });
    const told = answers((reply, { id: asked }) =>
      asked === id && refuses && succeeded(reply) ? json(400, { error: 'bad request: body: input is missing' }) : reply,
    );
    return all(takes, told)(options);
  };
}

export const strangerMutants: readonly Mutant[] = [
  {
    name: 'jobs-key-for-run-only',
    clauses: ['jobs.key-everywhere'],
    does: 'asks for a key where jobs are submitted by run, and nowhere else on interface B',
    apply: rules({ needsKey: (id) => !onJobs(id) || id === 'run' }),
  },
  {
    name: 'run-for-anybody',
    clauses: ['jobs.key-everywhere'],
    does: 'takes jobs from anybody by run, though it asks for a key elsewhere',
    apply: rules({ needsKey: (id) => id !== 'run' }),
  },
  {
    name: 'jobs-any-key',
    clauses: ['jobs.key-everywhere'],
    does: 'takes any key for interface B, even one that was never issued',
    apply: credential((header, key) => (header === null ? null : key)),
  },
  {
    name: 'jobs-stranger-403',
    clauses: ['jobs.status-401'],
    does: 'answers 403 to a stranger on interface B',
    apply: statusWhere(({ status }, { id }) => status === UNAUTHORIZED && onJobs(id), 403),
  },
  ...SUBMISSIONS.flatMap((id): Mutant[] => [
    {
      name: `${id}-refused-for-its-key-and-done`,
      clauses: ['jobs.refused-without-effect'],
      does: `refuses ${id} to a stranger, and makes the job all the same`,
      apply: actsThenRefuses(id, (header) => header === null),
    },
    {
      name: `${id}-refused-for-its-body-and-done`,
      clauses: ['jobs.refused-without-effect'],
      does: `refuses a body without input for ${id}, and makes a job all the same`,
      apply: queuesThenRefuses(id),
    },
  ]),
  {
    name: 'cancel-refused-for-its-key-and-done',
    clauses: ['jobs.refused-without-effect'],
    does: 'refuses a cancel with a wrong key, and cancels all the same',
    apply: actsThenRefuses('cancel', (header, key) => header !== null && header !== key),
  },
];
