/**
 * The notes of a payload ledger. They are JSON, since a body has several properties: its size, its encoding, how much
 * of it was sent, and what was seen of its job.
 */
import type { BodyEncoding } from '../../../../schemas/facts.ts';
import { parseJson } from '../../../../schemas/json.ts';
import type { JobEcho } from './job-echo.ts';

export interface SizeNote {
  readonly bytes: number;
  readonly encoding: BodyEncoding;
  /** null: unknown to the sender. */
  readonly sent: 'part' | 'whole' | null;
  /** null: the response was not read. */
  readonly seen: JobEcho | null;
}

export const encodeSize = (note: SizeNote): string => JSON.stringify(note);

/** null for a note of another kind. */
export function decodeSize(text: string): SizeNote | null {
  const value = parseJson(text);
  return isSizeNote(value) ? value : null;
}

/** What shows jobs on an endpoint: their number in health, and the ids in the list of requests. */
export interface VisibilityNote {
  readonly jobs: number | null;
  readonly ids: readonly string[] | null;
}

export const encodeVisibility = (note: VisibilityNote): string => JSON.stringify(note);

export function decodeVisibility(text: string): VisibilityNote | null {
  const value = parseJson(text);
  return isVisibilityNote(value) ? value : null;
}

function isVisibilityNote(value: unknown): value is VisibilityNote {
  return typeof value === 'object' && value !== null && 'jobs' in value && 'ids' in value;
}

function isSizeNote(value: unknown): value is SizeNote {
  return (
    typeof value === 'object' &&
    value !== null &&
    'bytes' in value &&
    typeof value.bytes === 'number' &&
    'encoding' in value &&
    (value.encoding === 'content-length' || value.encoding === 'chunked') &&
    'sent' in value &&
    'seen' in value
  );
}
