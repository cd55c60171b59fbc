/** Part 6 of the documentation, which leaves events open. */
import { type Clause, gap } from './clause.ts';

export const part6: readonly Clause[] = [
  gap('6', 'events', 'Whether webhooks, notifications or other events are sent.'),
];
