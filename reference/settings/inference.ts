/** Rows: how fast answers come, and what stands behind interface A. */
import { row } from './row.ts';
import { choice, real, whole } from './takes.ts';

const MOST_INSTANCES = 1000;
const MOST_TOKENS = 1_000_000;

const completions = ['gap.chat-response', 'gap.completions-response'];

export const inference = {
  latencyMs: row(real({ unit: 'ms' }), 0, 'Added to every answer of both interfaces, while it holds its slot.', ['1'], {
    shorthand: '--latency MS',
  }),
  firstTokenMs: row(real({ unit: 'ms' }), 10, 'Time to the first token of a completion.', completions),
  interTokenMs: row(real({ unit: 'ms' }), 5, 'Time between two tokens of a completion.', completions),
  jitter: row(
    real({ max: 1 }),
    0,
    'The part of firstTokenMs and of each interTokenMs that chance adds or takes away.',
    completions,
  ),
  maxCompletionTokens: row(
    whole({ unit: 'tokens', min: 1, max: MOST_TOKENS }),
    4096,
    'Most tokens one choice may have, for any max_tokens.',
    ['gap.inference-request-fields'],
  ),
  inferenceInstances: row(
    whole({ unit: 'instances', max: MOST_INSTANCES }),
    3,
    'Instances of interface A behind its load balancer; with 0 every request is refused.',
    ['inference.load-balancing'],
  ),
  replaceMs: row(whole({ unit: 'ms' }), 2000, 'How long a failed instance is missing before it is replaced.', [
    'inference.failover',
  ]),
  streamFailover: row(
    choice('continue', 'error'),
    'continue',
    'A stream whose instance fails goes on from another one, or ends with an error event.',
    ['inference.failover', ...completions],
  ),
};
