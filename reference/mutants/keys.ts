/** Faults in who is let in (spec part 5): keys, schemes, balance, and how a stranger is told. */
import { inferenceIds, statusWhere } from './answers.ts';
import { type Mutant, rules } from './mutant.ts';

const OPERATIONS = ['models', 'chat', 'completions'] as const;

const UNAUTHORIZED = 401;

const withoutKey = OPERATIONS.map(
  (open): Mutant => ({
    name: `${open}-without-key`,
    clauses: ['inference.authorization', 'auth.bearer', 'auth.access-key'],
    does: `answers ${open} for anybody`,
    apply: rules({ needsKey: (id) => id !== open }),
  }),
);

export const keyMutants: readonly Mutant[] = [
  ...withoutKey,
  {
    name: 'strangers-403',
    clauses: ['auth.status-401'],
    does: 'refuses strangers with 403',
    apply: statusWhere((reply, { id }) => inferenceIds.includes(id) && reply.status === UNAUTHORIZED, 403),
  },
  {
    name: 'no-balance-check',
    clauses: ['inference.balance', 'auth.balance'],
    does: 'serves accounts that have no balance',
    apply: (options) => ({
      ...options,
      accessKeys: [...options.accessKeys, ...options.brokeKeys],
      brokeKeys: [],
    }),
  },
];
