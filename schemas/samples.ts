/**
 * `samples.json.gz`: every time that the latency of a run was made of. Percentiles of two runs can't be put together
 * from the percentiles of each, so whoever merges runs needs these. Times in milliseconds, those of requests to the hundredth.
 */
import { statusClasses } from './latency.ts';
import { list, object } from './schema-words.ts';

export const SAMPLES_VERSION = 1;

/** Of the requests of a paced load with one status class, in all lists in the same order. */
export interface LatencySamples {
  readonly operation: string;
  readonly statusClass: (typeof statusClasses)[number];
  readonly dueToEndMs: readonly number[];
  readonly sentToEndMs: readonly number[];
  readonly sentToFirstByteMs: readonly number[];
}

export interface StreamSamples {
  readonly operation: string;
  /** When each token of a stream came, from its request; a list for each stream. */
  readonly tokensMs: readonly (readonly number[])[];
}

export interface Samples {
  readonly schemaVersion: typeof SAMPLES_VERSION;
  readonly latency: readonly LatencySamples[];
  readonly streams: readonly StreamSamples[];
}

const text = { type: 'string' } as const;
const times = list({ type: 'number' } as const);

export const samplesSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'samples.json.gz of a proofload run',
  ...object({
    schemaVersion: { const: SAMPLES_VERSION },
    latency: list(
      object({
        operation: text,
        statusClass: { enum: statusClasses },
        dueToEndMs: times,
        sentToEndMs: times,
        sentToFirstByteMs: times,
      }),
    ),
    streams: list(object({ operation: text, tokensMs: list(times) })),
  }),
} as const;
