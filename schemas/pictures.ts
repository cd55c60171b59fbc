/** Small data for the pictures of the report: what a probe saw, thinned until a page of them stays light. */

/** Arrivals per bin from the start of the probe. */
import type { BodyEncoding } from './payload-facts.ts';

export interface ArrivalsPicture {
  readonly kind: 'arrivals';
  readonly binMs: number;
  readonly windowMs: number;
  readonly limit: number;
  readonly admitted: readonly number[];
  readonly refused: readonly number[];
  /** By bin: as many as were surely admitted within one window that ends there; absent in results of older versions. */
  readonly inWindow?: readonly number[];
}

/** Requests in flight over time, by steps. */
export interface InFlightPicture {
  readonly kind: 'in-flight';
  readonly limit: number;
  readonly steps: readonly { readonly atMs: number; readonly inFlight: number; readonly refused: number }[];
}

/** Body sizes tried, against the two readings of the documented size. */
export interface BytesPicture {
  readonly kind: 'bytes';
  readonly accept: number;
  readonly refuse: number;
  /** How the ends of these bodies were told; absent: by a length in front. */
  readonly encoding?: BodyEncoding;
  readonly attempts: readonly { readonly bytes: number; readonly accepted: boolean }[];
}

/** Queue depth at each submission, against the border. */
export interface QueuePicture {
  readonly kind: 'queue';
  readonly instId: string;
  readonly border: number;
  readonly points: readonly { readonly queued: number; readonly accepted: boolean }[];
}

/** Looks at finished jobs by their age, ms, against the time they are documented to stay. */
export interface RetentionPicture {
  readonly kind: 'retention';
  readonly documentedMs: number;
  readonly looks: readonly { readonly ageMs: number; readonly gone: boolean }[];
}

export type Picture = ArrivalsPicture | InFlightPicture | BytesPicture | QueuePicture | RetentionPicture;
