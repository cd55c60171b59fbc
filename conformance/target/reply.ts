/** One answer as it came: status, headers, text, and when each piece of it arrived. */
import { isSuccess } from '../../schemas/status.ts';

export interface Piece {
  readonly atMs: number;
  readonly text: string;
}

export interface Reply {
  /** `POST /v1/chat/completions`, for words about it. */
  readonly request: string;
  readonly status: number;
  /** Names in lower case; several values of one name joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The parsed body, or its word where it is a single one; undefined where it is neither. */
  readonly json: unknown;
  readonly sentMs: number;
  readonly headersMs: number;
  readonly endMs: number;
  readonly pieces: readonly Piece[];
  /** Longest that this process was kept from reading during it, ms; absent on a virtual clock. */
  readonly stalledMs?: number;
}

/** From the first byte sent to the last received, milliseconds. */
export const durationOf = ({ sentMs, endMs }: Pick<Reply, 'sentMs' | 'endMs'>): number => endMs - sentMs;

export const isOk = (reply: Reply): boolean => isSuccess(reply.status);

/** What a body may begin with although JSON must not (RFC 8259, 8.1): some clients pass over it, others refuse it. */
export const BYTE_ORDER_MARK = '\ufeff';

export const withoutMark = (text: string): string => (text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);

/** Status and the beginning of the body, in a line for a report. */
export function describe(reply: Reply): string {
  const body = reply.text.trim().replaceAll(/\s+/g, ' ');
  if (body === '') return `${reply.status} without a body`;
  return `${reply.status} ${body.length > 160 ? `${body.slice(0, 160)}…` : body}`;
}
