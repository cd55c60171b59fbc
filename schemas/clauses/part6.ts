/** Part 6 of the documentation, which leaves events open. */
import { type Clause, section } from './clause.ts';

const { unobservableGap } = section('6');

export const part6: readonly Clause[] = [
  unobservableGap(
    'webhooks',
    "Whether an address given with a submission is notified of the job's end.",
    'a receiver that the service can reach, and a field of the submission that names it',
    ['run', 'runsync'],
  ),
  unobservableGap(
    'events',
    'Whether notifications or other events are sent.',
    'a subscription in the account and a receiver that the service can reach',
    ['run', 'runsync', 'cancel', 'purge-queue'],
  ),
];
