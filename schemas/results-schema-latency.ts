/** The part of the JSON Schema of `results.json` that is about latency (latency.ts). */
import { statusClasses } from './latency.ts';
import { list, object } from './schema-words.ts';

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const milliseconds = { type: 'number', minimum: 0 } as const;
export const percentiles = object(
  { p50: milliseconds, p90: milliseconds, p95: milliseconds, p99: milliseconds, max: milliseconds },
  ['p50', 'p90', 'p95', 'p99'],
);

export const latency = object(
  {
    operation: text,
    statusClass: { enum: statusClasses },
    requests: count,
    latency: percentiles,
    distribution: object({ edgesMs: list(milliseconds), counts: list(count) }),
    uncorrected: percentiles,
    firstByte: percentiles,
    note: text,
  },
  ['distribution', 'uncorrected', 'firstByte', 'note'],
);

export const achieved = object(
  {
    probe: text,
    phase: text,
    operations: list(text),
    planned: count,
    sent: count,
    plannedRate: { type: 'number', minimum: 0 },
    achievedRate: { type: 'number', minimum: 0 },
    lateness: percentiles,
  },
  ['lateness'],
);

export const streams = object(
  {
    operation: text,
    streams: count,
    answered: count,
    tokens: count,
    firstToken: percentiles,
    betweenTokens: percentiles,
    inOnePiece: count,
    note: text,
  },
  ['firstToken', 'betweenTokens', 'note'],
);
