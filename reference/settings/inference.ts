/** Rows: how fast answers come, and what stands behind interface A. */
import type { Rows } from './row.ts';
import { choice, real, whole } from './takes.ts';

const MOST_INSTANCES = 1000;
const MOST_TOKENS = 1_000_000;

export const inference = {
  latencyMs: {
    takes: real({ unit: 'ms' }),
    meaning: 'Added to every answer of both interfaces, while it holds its slot.',
    fills: ['1'],
    shorthand: '--latency MS',
  },
  firstTokenMs: {
    takes: real({ unit: 'ms' }),
    meaning: 'Time to the first token of a completion.',
    fills: ['gap.chat-response', 'gap.completions-response'],
  },
  interTokenMs: {
    takes: real({ unit: 'ms' }),
    meaning: 'Time between two tokens of a completion.',
    fills: ['gap.chat-response', 'gap.completions-response'],
  },
  jitter: {
    takes: real({ max: 1 }),
    meaning: 'The part of firstTokenMs and of each interTokenMs that chance adds or takes away.',
    fills: ['gap.chat-response', 'gap.completions-response'],
  },
  maxCompletionTokens: {
    takes: whole({ unit: 'tokens', min: 1, max: MOST_TOKENS }),
    meaning: 'Most tokens one choice may have, whatever max_tokens says.',
    fills: ['gap.inference-request-fields'],
  },
  inferenceInstances: {
    takes: whole({ unit: 'instances', max: MOST_INSTANCES }),
    meaning: 'Instances of interface A behind its load balancer; with 0 every request is refused.',
    fills: ['inference.load-balancing'],
  },
  replaceMs: {
    takes: whole({ unit: 'ms' }),
    meaning: 'How long a failed instance is missing before it is replaced.',
    fills: ['inference.failover'],
  },
  streamFailover: {
    takes: choice('continue', 'error'),
    meaning: 'A stream whose instance fails goes on from another one, or ends with an error event.',
    fills: ['inference.failover', 'gap.chat-response', 'gap.completions-response'],
  },
} satisfies Partial<Rows>;
