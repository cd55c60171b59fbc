/** What an operation answers, by status. Of refusals one is documented, that of a full queue; the rest is convention. */
import { clauseById } from '../clauses/index.ts';
import { limitText } from '../limit-kinds.ts';
import { type Limit, limitFor, limits } from '../limits.ts';
import { type DocumentedOperation, type DocumentedOperationId, isSubmitting } from '../operations.ts';
import { isAboutJob } from '../own.ts';
import type { Level } from '../verdicts.ts';
import { component } from './components.ts';

type Json = Readonly<Record<string, unknown>>;

const TOO_MANY = String(limitFor('queue', 'run')?.status);

/** The rows of the limits table that hold for an operation, without what the document says at other places. */
export function limitsOfOperation(id: DocumentedOperationId): Omit<Limit, 'budget'>[] {
  return limits.filter((one) => one.operations.includes(id)).map(({ budget: _budget, ...row }) => row);
}

function described(level: Level, description: string, content: Json, headers?: Json): Json {
  return { description, 'x-proofload-level': level, content, ...(headers ? { headers } : {}) };
}

interface Refusal {
  readonly status: string;
  readonly why: string;
  /** The clause about it; a limit says that something is refused, and not with which status. */
  readonly clause: string | null;
  readonly of: (one: DocumentedOperation) => boolean;
}

const REFUSALS: readonly Refusal[] = [
  { status: '400', why: 'the body is wrong', clause: 'errors.malformed-json', of: (one) => creates(one) },
  { status: '400', why: 'the body is wrong', clause: 'jobs.bad-submission', of: (one) => submits(one) },
  { status: '401', why: 'the credential is wrong', clause: 'auth.status-401', of: (one) => !isJob(one) },
  { status: '401', why: 'the credential is wrong', clause: 'jobs.status-401', of: (one) => isJob(one) },
  { status: '402', why: 'the balance does not suffice', clause: 'auth.balance-status', of: (one) => creates(one) },
  { status: '404', why: 'there is no such model', clause: 'inference.unknown-model', of: (one) => creates(one) },
  {
    status: '404',
    why: 'there is no such job',
    clause: 'jobs.unknown-job',
    of: isAboutJob,
  },
  { status: '404', why: 'there is no such instance', clause: 'jobs.unknown-instance', of: (one) => isJob(one) },
  { status: '413', why: 'the body is too large', clause: null, of: (one) => submits(one) },
];

const isJob = (one: DocumentedOperation): boolean => one.interface === 'jobs';
const creates = (one: DocumentedOperation): boolean => !isJob(one) && one.methods.includes('POST');
const submits = (one: DocumentedOperation): boolean => one.submits === true;

const WORDS = { documented: 'Documented', convention: 'Convention', observed: 'Left open, but usual' } as const;

/** The refusals of an operation by status, and whether clients depend on each. */
function refusalsOf(one: DocumentedOperation, error: Json): [string, Json][] {
  const statuses = [...new Set(REFUSALS.filter(({ of }) => of(one)).map(({ status }) => status))];
  return statuses.map((status) => {
    const why = REFUSALS.filter((row) => row.status === status && row.of(one));
    const levels = why.map(({ clause }) => clauseById(clause ?? '')?.level ?? 'observed');
    const words = why.map((row, index) => `${WORDS[levels[index] ?? 'observed']}: ${row.why}${named(row.clause)}.`);
    return [status, described(levels.includes('convention') ? 'convention' : 'observed', words.join(' '), error)];
  });
}

const named = (clause: string | null): string => (clause === null ? '' : ` (\`${clause}\`)`);

function tooMany(one: DocumentedOperation, error: Json): Json {
  const queue = isSubmitting(one.id) ? limitFor('queue', one.id) : undefined;
  const beyond = 'Convention: so is what is beyond another limit.';
  const headers = {
    'Retry-After': {
      description: 'Convention: after how many seconds to try again.',
      'x-proofload-level': 'convention',
      schema: { type: 'integer', minimum: 0 },
    },
  };
  if (queue === undefined) return described('convention', 'Convention: beyond a limit.', error, headers);
  return described('documented', `Documented (\`${queue.id}\`): ${limitText(queue)} ${beyond}`, error, headers);
}

/** By status. `as`: the answer it has instead of its own. */
export function responsesOf(one: DocumentedOperation, as: DocumentedOperationId | 'model' = one.id): Json {
  const error = {
    'application/json': { schema: component(one.interface === 'inference' ? 'inference-error' : 'jobs-error') },
  };
  const events =
    one.id === 'chat' || one.id === 'completions'
      ? { 'text/event-stream': { schema: component(`${one.id}-chunk`) } }
      : {};
  const missing = described('convention', 'Convention: there is no such model (`models.retrieve`).', error);
  const success = as === 'model' ? 'Convention: the model.' : 'The answer; that its status is 200 is convention.';
  return Object.fromEntries([
    [
      '200',
      described(as === 'model' ? 'convention' : 'documented', success, {
        'application/json': { schema: component(as) },
        ...events,
      }),
    ],
    ...refusalsOf(one, error),
    ...(as === 'model' ? [['404', missing]] : []),
    ...(one.budget === null ? [] : [[TOO_MANY, tooMany(one, error)]]),
  ]);
}
