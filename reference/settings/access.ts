/** Rows: who may come in, and what there is to come to. */
import { defaultModels } from '../inference/models.ts';
import type { Rows } from './row.ts';
import { choice, keys, listOf, onOff, text, whole } from './takes.ts';

const MOST_WORKERS = 10_000;

/** A single key stands for a list of one. */
const listed = (value: unknown): unknown => (typeof value === 'string' ? [value] : value);

/** A model needs its id only; the rest is taken from the id and from the first model of the reference. */
function completeModels(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((one: unknown) => {
    if (typeof one !== 'object' || one === null || !('id' in one) || typeof one.id !== 'string') return one;
    const [ownedBy = '', name = ''] = one.id.split('/');
    return { ...defaultModels[0], ownedBy, name, description: name, ...one };
  });
}

export const access = {
  accessKeys: {
    takes: keys(1),
    meaning: 'The keys that interface A accepts, and interface B too.',
    fills: ['auth.access-key'],
    secret: true,
    read: listed,
    defaultWords: 'PROOFLOAD_ACCESS_KEY, else proofload-local',
  },
  jobKeys: {
    takes: keys(0),
    meaning: 'Further keys that interface B alone accepts.',
    fills: ['gap.jobs-auth'],
    secret: true,
    read: listed,
    defaultWords: 'PROOFLOAD_JOB_KEY, else none',
  },
  brokeKeys: {
    takes: keys(0),
    meaning: 'Keys whose account has no balance.',
    fills: ['auth.balance', 'inference.balance'],
    secret: true,
    read: listed,
    defaultWords: 'PROOFLOAD_BROKE_KEY, else proofload-broke',
  },
  otherKeys: {
    takes: keys(0),
    meaning: 'Good keys of another account: it has the models too, but no endpoint (404, as if there were none).',
    fills: ['gap.jobs-auth'],
    secret: true,
    read: listed,
    defaultWords: 'PROOFLOAD_OTHER_KEY, else proofload-other',
  },
  auth: {
    takes: choice('either', 'bearer', 'none'),
    meaning: 'How interface B is told the key: Bearer KEY or the bare key, Bearer KEY only, or it asks for none.',
    fills: ['gap.jobs-auth'],
  },
  balanceStatus: {
    takes: choice(402, 429),
    meaning: 'The status for a key without balance; 429 comes with the code insufficient_quota.',
    fills: ['gap.other-errors', 'auth.balance-status'],
  },
  instances: {
    takes: listOf(
      {
        instId: text('^[A-Za-z0-9._~-]+$', 'letters, digits and . _ ~ -'),
        workersMax: whole({ max: MOST_WORKERS }),
      },
      1,
    ),
    meaning: 'The endpoint instances of interface B, each with the number of jobs that run at once.',
    fills: ['gap.instance-format', 'endpoint.workers-max'],
    shorthand: '--workers-max N (of the first instance)',
  },
  models: {
    takes: listOf(
      {
        id: text('^[^/\\s]+/\\S+$', 'OWNER/NAME'),
        ownedBy: text('', 'a text'),
        name: text('', 'a text'),
        description: text('', 'a text'),
        contextLength: whole({ unit: 'tokens', min: 1 }),
        created: whole({ unit: 's' }),
      },
      0,
    ),
    meaning: 'The models of interface A; only id (OWNER/NAME) has to be given.',
    fills: ['gap.models-response', 'models.capabilities', 'inference.model-families'],
    read: completeModels,
    defaultWords: `${defaultModels[0]?.id} and others`,
  },
  control: {
    takes: onOff,
    meaning: 'Whether /_reference/... is served: the switches of the reference itself, which no client should see.',
    fills: ['inference.failover'],
    shorthand: '--control',
  },
} satisfies Partial<Rows>;
