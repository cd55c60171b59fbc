/** Part 6 of the documentation, which leaves events open. */
import { type Clause, unseenGap } from './clause.ts';

export const part6: readonly Clause[] = [
  unseenGap(
    '6',
    'events',
    'Whether webhooks, notifications or other events are sent.',
    'a receiver that the service can reach',
  ),
];
