/** Part 6 of the documentation, which leaves events open. */
import { type Clause, unseenGap } from './clause.ts';

export const part6: readonly Clause[] = [
  unseenGap(
    '6',
    'webhooks',
    'Whether an address given with a submission is told how the job ended.',
    'a receiver that the service can reach, and a field of the submission that names it',
    ['run', 'runsync'],
  ),
  unseenGap(
    '6',
    'events',
    'Whether notifications or other events are sent to anybody.',
    'a subscription in the account and a receiver that the service can reach',
    ['run', 'runsync', 'cancel', 'purge-queue'],
  ),
];
