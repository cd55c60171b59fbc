/** Rows: authentication, and what the service offers. */
import { defaultModels } from '../inference/models.ts';
import { row } from './row.ts';
import { choice, keys, listOf, onOff, text, whole } from './takes.ts';

const MOST_WORKERS = 10_000;

/** A single key stands for a list of one. */
const listed = (value: unknown): unknown => (typeof value === 'string' ? [value] : value);

const secret = (variable: string) => ({ secret: true, read: listed, variable }) as const;

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
  accessKeys: row(
    keys(1),
    ['proofload-local'],
    'The keys that interface A accepts, and interface B too.',
    ['auth.access-key'],
    secret('PROOFLOAD_ACCESS_KEY'),
  ),
  jobKeys: row(
    keys(0),
    [],
    'Further keys that interface B alone accepts.',
    ['gap.jobs-auth'],
    secret('PROOFLOAD_JOB_KEY'),
  ),
  brokeKeys: row(
    keys(0),
    ['proofload-broke'],
    'Keys whose account has no balance.',
    ['auth.balance', 'inference.balance'],
    secret('PROOFLOAD_BROKE_KEY'),
  ),
  otherKeys: row(
    keys(0),
    ['proofload-other'],
    'Good keys of another account: it has the models too, but no endpoint (404, as if there were none).',
    ['gap.jobs-auth'],
    secret('PROOFLOAD_OTHER_KEY'),
  ),
  auth: row(
    choice('either', 'bearer', 'none'),
    'either',
    'How interface B takes the key: Bearer KEY or the bare key, Bearer KEY only, or it requires none.',
    ['gap.jobs-auth'],
  ),
  balanceStatus: row(
    choice(402, 429),
    402,
    'The status for a key without balance; 429 comes with the code insufficient_quota.',
    ['gap.other-errors', 'auth.balance-status'],
  ),
  instances: row(
    listOf(
      { instId: text('^[A-Za-z0-9._~-]+$', 'letters, digits and . _ ~ -'), workersMax: whole({ max: MOST_WORKERS }) },
      1,
    ),
    [
      { instId: 'inst-1', workersMax: 3 },
      { instId: 'inst-queue', workersMax: 1 },
      { instId: 'inst-none', workersMax: 0 },
    ],
    'The endpoint instances of interface B, each with the number of jobs that run at once.',
    ['gap.instance-format', 'endpoint.workers-max'],
    { shorthand: '--workers-max N (of the first instance)' },
  ),
  models: row(
    listOf(
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
    defaultModels,
    'The models of interface A; only id (OWNER/NAME) has to be given.',
    ['gap.models-response', 'models.capabilities', 'inference.model-families'],
    { read: completeModels, defaultWords: `${defaultModels[0]?.id} and others` },
  ),
  control: row(
    onOff,
    false,
    'Whether /_reference/... is served: the switches of the reference itself, which no client should see.',
    ['inference.failover'],
    { shorthand: '--control' },
  ),
};
