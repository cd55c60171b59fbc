/** Part 5 of the documentation: credentials. */
import { type Clause, convention, gap, promise } from './clause.ts';

const INFERENCE = ['models', 'chat', 'completions'] as const;

export const part5: readonly Clause[] = [
  promise('5', 'auth.bearer', 'Requests of interface A carry Authorization: Bearer and the access key.', INFERENCE),
  promise('5', 'auth.access-key', 'The credential is an access key that the account holder has made.', INFERENCE),
  promise('5', 'auth.balance', 'The account behind the key holds a sufficient balance.', ['chat', 'completions']),
  gap('5', 'jobs-auth', 'How interface B is authenticated.', ['run', 'status', 'health']),
  convention('5', 'auth.status-401', 'Missing or wrong credentials get 401.', INFERENCE),
  convention('5', 'auth.scheme', 'Only the scheme Bearer is taken, in any case of letters.', INFERENCE),
  convention('5', 'auth.balance-status', 'A lack of balance is 402, or 429 with a quota code.', [
    'chat',
    'completions',
  ]),
];
