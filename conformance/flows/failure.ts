/** What a failed job says about it: what the handler failed with, where the configured workload lets us choose that. */
import { takes } from '../../schemas/workloads.ts';
import type { CheckContext } from '../context.ts';
import { mentions, saysSomething, show } from '../reading/json.ts';

/** @param word what the handler was told to fail with; a handler with an error of its own has to say something. */
export function expectReason(t: CheckContext, error: unknown, word: string): void {
  const chosen = takes(t.target.config.workloads, 'failing', 'fail');
  const holds = chosen ? mentions(error, word) : saysSomething(error);
  t.expect('its error', chosen ? `a string with ${word}` : 'the error message', show(error), holds);
}
