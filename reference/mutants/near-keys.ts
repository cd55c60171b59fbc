/** Faults in who is let in to interface A: keys that are only nearly right, streams for nothing, refusals in a word. */
import { operation } from '../../schemas/operations.ts';
import { inferenceError, Refusal } from '../errors.ts';
import type { ReferenceOptions } from '../options.ts';
import { json } from '../reply.ts';
import { answers, inferenceIds, replyWhere } from './answers.ts';
import { all, type Mutant, reading, rules, rulesWithMemory } from './mutant.ts';

const OPERATIONS = ['models', 'chat', 'completions'] as const;
const PAID = ['chat', 'completions'] as const;
const UNAUTHORIZED = 401;
const NO_BALANCE = 402;
const NO_MONEY = { message: 'The account has no balance.', type: 'insufficient_balance' };
const onPaid = (aspect: string): string[] => PAID.map((id) => `${id}.${aspect}`);
const onEach = (aspect: string): string[] => OPERATIONS.map((id) => `${id}.auth.${aspect}`);

const keyIn = (header: string): string | null => /^bearer +(\S+)$/i.exec(header)?.[1] ?? null;

/** Takes a header for the right one where it is like it; `key` is null where there is none after Bearer. */
const takes = (like: (right: string, given: { header: string; key: string | null }) => boolean) =>
  rulesWithMemory((options: ReferenceOptions) => ({
    credential: (id, header) => {
      const right = options.accessKeys[0] ?? '';
      if (header === null || operation(id).interface !== 'inference') return header;
      const key = keyIn(header);
      if (key !== null && options.brokeKeys.includes(key)) return header;
      return like(right, { header, key }) ? `Bearer ${right}` : header;
    },
  }));

const lettersOff = (one: string, other: string): number =>
  one.length === other.length ? [...one].filter((letter, at) => letter !== other[at]).length : one.length;

export const nearKeyMutants: readonly Mutant[] = [
  {
    name: 'empty-credential-taken',
    clauses: ['inference.authorization', 'auth.bearer'],
    does: 'takes an empty Authorization header for a good one',
    turnsRed: onEach('empty-header'),
    apply: takes((_right, { header }) => header === ''),
  },
  {
    name: 'scheme-without-key-taken',
    clauses: ['auth.bearer', 'auth.access-key'],
    does: 'takes the scheme Bearer without a key',
    turnsRed: onEach('scheme-only'),
    apply: takes((_right, { header }) => /^bearer *$/i.test(header)),
  },
  {
    name: 'key-in-the-query-taken',
    clauses: ['auth.bearer'],
    does: 'takes a key from the query string too',
    turnsRed: [],
    warns: ['models.auth.query'],
    apply: (options) =>
      answers((reply, { id, query }) =>
        id === 'models' && reply.status === UNAUTHORIZED && options.accessKeys.includes(query.get('key') ?? '')
          ? json(200, options.rules.modelList(options.models))
          : reply,
      )(options),
  },
  {
    name: 'key-one-letter-off',
    clauses: ['auth.access-key'],
    does: 'takes a key that differs in one letter',
    turnsRed: onEach('changed-key'),
    apply: takes((right, { key }) => key !== null && lettersOff(right, key) === 1),
  },
  {
    name: 'key-with-more-behind-it',
    clauses: ['auth.access-key'],
    does: 'compares the beginning of a key, and takes whatever follows it',
    turnsRed: onEach('longer-key'),
    apply: takes((right, { key }) => key?.startsWith(right) === true),
  },
  {
    name: 'key-without-its-end',
    clauses: ['auth.access-key'],
    does: 'compares as much of the key as it was given',
    turnsRed: onEach('shorter-key'),
    apply: takes((right, { key }) => key !== null && right.startsWith(key)),
  },
  {
    name: 'key-case-ignored',
    clauses: ['auth.access-key'],
    does: 'takes a key in letters of either case',
    turnsRed: onEach('key-case'),
    apply: takes((right, { key }) => key?.toLowerCase() === right.toLowerCase()),
  },
  {
    name: 'key-under-any-scheme',
    clauses: ['auth.bearer'],
    does: 'looks for the key in Authorization, whatever stands before it',
    turnsRed: [],
    warns: onEach('other-scheme'),
    apply: takes((right, { header }) => header.endsWith(` ${right}`)),
  },
  {
    name: 'strangers-told-in-a-word',
    clauses: ['inference.error-envelope'],
    does: 'refuses strangers with a single word for an error',
    turnsRed: [],
    warns: onEach('envelope'),
    apply: replyWhere((reply, { id }) => inferenceIds.includes(id) && reply.status === UNAUTHORIZED, UNAUTHORIZED, {
      error: 'Unauthorized',
    }),
  },
  {
    name: 'one-model-shown-to-strangers',
    clauses: ['auth.bearer', 'models.retrieve'],
    does: 'shows a single model to anybody',
    turnsRed: [],
    warns: ['models.retrieve.auth'],
    apply: (options) =>
      replyWhere((reply, { parameters }) => reply.status === UNAUTHORIZED && 'model_id' in parameters, 200, {
        id: options.models[0]?.id,
        object: 'model',
        created: 0,
        owned_by: 'acme',
      })(options),
  },
  {
    name: 'broke-accounts-may-stream',
    clauses: ['inference.balance', 'auth.balance'],
    does: 'looks at the balance of whole answers, and not of streams',
    turnsRed: onPaid('balance.stream'),
    apply: (options) => {
      let isBroke = false;
      const asked = rules({
        credential: (id, header) => {
          isBroke = options.brokeKeys.includes(keyIn(header ?? '') ?? '') && PAID.some((one) => one === id);
          return isBroke ? `Bearer ${options.accessKeys[0] ?? ''}` : header;
        },
      });
      const looked = PAID.map((id) =>
        reading(id, (body) => {
          if (isBroke && body.stream !== true) throw new Refusal(inferenceError(NO_BALANCE, NO_MONEY));
          return body;
        }),
      );
      return all(asked, ...looked)(options);
    },
  },
  {
    name: 'no-balance-in-a-word',
    clauses: ['inference.error-envelope'],
    does: 'tells accounts without balance so in a text of its own',
    turnsRed: [],
    warns: onPaid('balance.envelope'),
    apply: replyWhere((reply) => reply.status === NO_BALANCE, NO_BALANCE, { message: 'Insufficient balance' }),
  },
];
