/** What an operation answers, by status. Of refusals one is documented, that of a full queue; the rest is convention. */
import { limitText } from '../clauses/part8.ts';
import { type Limit, limitFor, limits } from '../limits.ts';
import type { Operation, OperationId } from '../operations.ts';
import type { Level } from '../verdicts.ts';
import { component } from './components.ts';

type Json = Readonly<Record<string, unknown>>;

const TOO_MANY = String(limitFor('queue', 'run')?.status);

/** The rows of the limits table that hold for an operation, without what the document says at other places. */
export function limitsOfOperation(id: OperationId): Omit<Limit, 'budget'>[] {
  return limits.filter((one) => one.operations.includes(id)).map(({ budget: _budget, ...row }) => row);
}

function described(level: Level, description: string, content: Json, headers?: Json): Json {
  return { description, 'x-proofload-level': level, content, ...(headers ? { headers } : {}) };
}

/** Why a request may be refused, by status. Each holds for operations that have the thing it is about. */
const REFUSALS: readonly { readonly status: string; readonly why: string; readonly of: (one: Operation) => boolean }[] =
  [
    { status: '400', why: 'the body cannot be understood', of: (one) => one.methods.includes('POST') },
    { status: '401', why: 'the credential is missing or wrong', of: () => true },
    { status: '402', why: 'the account has no sufficient balance', of: (one) => creates(one) },
    { status: '404', why: 'the model does not exist', of: (one) => creates(one) },
    { status: '404', why: 'the instance or the job does not exist', of: (one) => one.interface === 'jobs' },
    {
      status: '413',
      why: 'the body is too large',
      of: (one) => limitFor('content-bytes', one.budget ?? 'status') !== undefined,
    },
  ];

const creates = (one: Operation): boolean => one.interface === 'inference' && one.methods.includes('POST');

function tooMany(one: Operation, error: Json): Json {
  const queue = one.id === 'run' || one.id === 'runsync' ? limitFor('queue', one.id) : undefined;
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
export function responsesOf(one: Operation, as: OperationId | 'model' = one.id): Json {
  const error = {
    'application/json': { schema: component(one.interface === 'inference' ? 'inference-error' : 'jobs-error') },
  };
  const events =
    one.id === 'chat' || one.id === 'completions'
      ? { 'text/event-stream': { schema: component(`${one.id}-chunk`) } }
      : {};
  const meant = REFUSALS.filter(({ of }) => of(one));
  const missing = as === 'model' ? [['404', 'the model does not exist']] : [];
  const refused = [...meant.map(({ status, why }) => [status, why]), ...missing].map(([status, why]) => [
    status,
    described('convention', `Convention: ${why}.`, error),
  ]);
  const success = as === 'model' ? 'Convention: the model.' : 'The answer; that its status is 200 is convention.';
  return Object.fromEntries([
    [
      '200',
      described(as === 'model' ? 'convention' : 'documented', success, {
        'application/json': { schema: component(as) },
        ...events,
      }),
    ],
    ...refused,
    ...(one.budget === null ? [] : [[TOO_MANY, tooMany(one, error)]]),
  ]);
}
