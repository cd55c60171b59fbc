/** Small data for the pictures of the report: what a probe saw, thinned until a page of them stays light. */
import { bodyEncodings } from './payload-facts.ts';
import { choice, count, flag, list, number, object, type TypeOf, text } from './schema-words.ts';

const time = { type: 'number', exclusiveMinimum: 0 } as const;

/** Arrivals per bin from the start of the probe. */
const arrivals = object(
  {
    kind: { const: 'arrivals' },
    binMs: time,
    windowMs: time,
    limit: count,
    admitted: list(count),
    refused: list(count),
  },
  {
    /** By bin: as many as were surely admitted within one window that ends there; absent in results of older versions. */
    inWindow: list(count),
  },
);

/** Requests in flight over time, by steps. */
const inFlight = object({
  kind: { const: 'in-flight' },
  limit: count,
  steps: list(object({ atMs: number, inFlight: count, refused: count })),
});

/** Body sizes tried, against the two readings of the documented size. */
const bytes = object(
  {
    kind: { const: 'bytes' },
    accept: count,
    refuse: count,
    attempts: list(object({ bytes: count, accepted: flag })),
  },
  {
    /** The encoding of these bodies; absent: with Content-Length. */
    encoding: choice(...bodyEncodings),
  },
);

/** Queue depth at each submission, against the border. */
const queue = object({
  kind: { const: 'queue' },
  instId: text,
  border: count,
  points: list(object({ queued: count, accepted: flag })),
});

/** Polls of finished jobs by their age, ms, against their documented retention. */
const retention = object({
  kind: { const: 'retention' },
  documentedMs: count,
  looks: list(object({ ageMs: count, gone: flag })),
});

export const picture = { oneOf: [arrivals, inFlight, bytes, queue, retention] } as const;

export type ArrivalsPicture = TypeOf<typeof arrivals>;
export type InFlightPicture = TypeOf<typeof inFlight>;
export type BytesPicture = TypeOf<typeof bytes>;
export type QueuePicture = TypeOf<typeof queue>;
export type RetentionPicture = TypeOf<typeof retention>;
export type Picture = TypeOf<typeof picture>;
