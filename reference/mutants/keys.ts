/** Faults in who is let in (spec part 5): keys, schemes, balance, and how a stranger is told. */
import { operation } from '../../schemas/operations.ts';
import type { ReferenceOptions } from '../options.ts';
import { inferenceIds, replyWhere, statusWhere } from './answers.ts';
import { type Mutant, rules, rulesWithMemory } from './mutant.ts';

const OPERATIONS = ['models', 'chat', 'completions'] as const;
const onEach = (aspect: string): string[] => OPERATIONS.map((id) => `${id}.auth.${aspect}`);

const UNAUTHORIZED = 401;

const good = (options: ReferenceOptions): string => `Bearer ${options.accessKeys[0] ?? ''}`;
const keyIn = (header: string | null): string | null => /^bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? null;

const withoutKey = OPERATIONS.map(
  (open): Mutant => ({
    name: `${open}-without-key`,
    clauses: ['inference.authorization', 'auth.bearer', 'auth.access-key'],
    does: `answers ${open} for anybody`,
    turnsRed: [`${open}.auth.missing`, `${open}.auth.wrong-key`],
    warns: ['wrong-scheme', 'bare-key', 'status'].map((aspect) => `${open}.auth.${aspect}`),
    apply: rules({ needsKey: (id) => id !== open }),
  }),
);

export const keyMutants: readonly Mutant[] = [
  ...withoutKey,
  {
    name: 'chat-any-key',
    clauses: ['auth.access-key'],
    does: 'takes any key for chat, also one that nobody made',
    turnsRed: ['chat.auth.wrong-key'],
    warns: ['chat.auth.status'],
    apply: rulesWithMemory((options) => ({
      credential: (id, header) => {
        const key = keyIn(header);
        return id === 'chat' && key !== null && !options.brokeKeys.includes(key) ? good(options) : header;
      },
    })),
  },
  {
    name: 'any-scheme',
    clauses: ['auth.bearer'],
    does: 'takes the key under any scheme, whatever it is',
    turnsRed: [],
    warns: onEach('wrong-scheme'),
    apply: rulesWithMemory((options) => ({
      credential: (_id, header) => (/^(?!bearer)\S+ +\S/i.test(header ?? '') ? good(options) : header),
    })),
  },
  {
    name: 'bare-key-taken',
    clauses: ['auth.bearer'],
    does: 'takes the key of interface A without a scheme',
    turnsRed: [],
    warns: onEach('bare-key'),
    apply: rules({
      credential: (id, header) =>
        header !== null && !header.includes(' ') && operation(id).interface === 'inference'
          ? `Bearer ${header}`
          : header,
    }),
  },
  {
    name: 'strangers-403',
    clauses: ['auth.status-401'],
    does: 'refuses strangers with 403',
    turnsRed: [],
    warns: onEach('status'),
    apply: statusWhere((reply, { id }) => inferenceIds.includes(id) && reply.status === UNAUTHORIZED, 403),
  },
  {
    name: 'strangers-200',
    clauses: ['inference.authorization', 'auth.status-401'],
    does: 'tells strangers with 200 and an error body that they may not come in',
    turnsRed: [...onEach('missing'), ...onEach('wrong-key')],
    warns: [...onEach('wrong-scheme'), ...onEach('bare-key'), ...onEach('status')],
    apply: statusWhere((reply, { id }) => inferenceIds.includes(id) && reply.status === UNAUTHORIZED, 200),
  },
  {
    name: 'strangers-without-body',
    clauses: ['inference.error-envelope'],
    does: 'refuses strangers with an empty object',
    turnsRed: [],
    warns: ['chat.auth.envelope'],
    apply: replyWhere((reply, { id }) => inferenceIds.includes(id) && reply.status === UNAUTHORIZED, UNAUTHORIZED, {}),
  },
  {
    name: 'no-balance-check',
    clauses: ['inference.balance', 'auth.balance'],
    does: 'serves accounts that have no balance',
    turnsRed: ['chat.balance.refused', 'completions.balance.refused'],
    apply: (options) => ({
      ...options,
      accessKeys: [...options.accessKeys, ...options.brokeKeys],
      brokeKeys: [],
    }),
  },
  {
    name: 'chat-on-credit',
    clauses: ['inference.balance', 'auth.balance'],
    does: 'looks at the balance for completions, and not for chat',
    turnsRed: ['chat.balance.refused'],
    apply: rulesWithMemory((options) => ({
      credential: (id, header) =>
        id === 'chat' && options.brokeKeys.includes(keyIn(header) ?? '') ? good(options) : header,
    })),
  },
];
