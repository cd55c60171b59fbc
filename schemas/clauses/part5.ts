/** Part 5 of the documentation: credentials. */
import { type Clause, COMPLETING, INFERENCE, section } from './clause.ts';

const { convention, gap, habit, promise } = section('5');

export const part5: readonly Clause[] = [
  promise('auth.bearer', 'Requests of interface A carry Authorization: Bearer and the access key.', INFERENCE),
  promise('auth.access-key', 'The credential is an access key that the account holder has made.', INFERENCE),
  promise('auth.balance', 'The account behind the key holds a sufficient balance.', COMPLETING),
  gap('jobs-auth', 'How interface B is authenticated.', ['run', 'status', 'health']),
  convention(
    'auth.status-401',
    'Missing or wrong credentials get 401.',
    'that requests carry a key is documented, the status without one is not',
    {
      LiteLLM: 'of all 4xx only 401, 404, 408 and 429 make it leave a deployment: at 403 it keeps sending that key',
      'openai (npm)': 'raises AuthenticationError for this status alone, which programs catch to prompt for a key',
      'openai (Python)': 'raises AuthenticationError for this status alone, which programs catch to prompt for a key',
    },
    INFERENCE,
  ),
  habit('auth.scheme', 'Only the scheme Bearer is taken, in any case of letters.', INFERENCE),
  habit('auth.balance-status', 'A lack of balance is 402, or 429 with a quota code.', COMPLETING),
];
