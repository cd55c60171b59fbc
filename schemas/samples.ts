/**
 * `samples.json.gz`: every time that the latency of a run was made of. Percentiles of two runs can't be put together
 * from the percentiles of each, so merging runs needs these. Times in milliseconds, those of requests to the hundredth.
 */
import { statusClasses } from './latency.ts';
import { choice, list, number, object, type TypeOf, text } from './schema-words.ts';

export const SAMPLES_VERSION = 1;

const times = list(number);

/** Of the requests of a paced load with one status class, in all lists in the same order. */
const latencySamples = object({
  operation: text,
  statusClass: choice(...statusClasses),
  dueToEndMs: times,
  sentToEndMs: times,
  sentToFirstByteMs: times,
});

const streamSamples = object({
  operation: text,
  /** When each token of a stream came, from its request; a list for each stream. */
  tokensMs: list(times),
});

export const samplesSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'samples.json.gz of a proofload run',
  ...object({ schemaVersion: { const: SAMPLES_VERSION }, latency: list(latencySamples), streams: list(streamSamples) }),
} as const;

export type LatencySamples = TypeOf<typeof latencySamples>;
export type StreamSamples = TypeOf<typeof streamSamples>;
export type Samples = TypeOf<typeof samplesSchema>;
