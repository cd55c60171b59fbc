/** Server-sent events out of an answer, each with the time it had fully arrived. */
import { parseJson } from '../../schemas/json.ts';
import { type Piece, withoutMark } from '../target/reply.ts';

export interface ServerEvent {
  readonly data: string;
  readonly atMs: number;
}

/** `event`, `id`, `retry` and comments are legal and carry nothing here. */
const OTHER_FIELD = /^(event|id|retry)(:|$)|^:/;

export interface EventStream {
  readonly events: readonly ServerEvent[];
  /** Lines that no event stream may have. */
  readonly garbage: readonly string[];
  /** Text after the last blank line: an event that was cut off. */
  readonly unfinished: string;
}

/** Reads the pieces of a text/event-stream answer. Line ends may be LF, CR or CRLF. */
export function readEvents(pieces: readonly Piece[]): EventStream {
  const events: ServerEvent[] = [];
  const garbage: string[] = [];
  let data: string[] = [];
  let rest = '';
  let isBegun = false;
  for (const piece of pieces) {
    // A byte order mark is legal at the very beginning alone.
    rest += isBegun ? piece.text : withoutMark(piece.text);
    isBegun ||= piece.text !== '';
    // A CR at the very end may be half of a CRLF: it waits for the next piece.
    const whole = rest.endsWith('\r') ? rest.slice(0, -1) : rest;
    const lines = whole.split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + rest.slice(whole.length);
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) events.push({ data: data.join('\n'), atMs: piece.atMs });
        data = [];
      } else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
      else if (line === 'data') data.push('');
      else if (!OTHER_FIELD.test(line)) garbage.push(line);
    }
  }
  return { events, garbage, unfinished: [...data, rest.trim()].filter((one) => one !== '').join('\n') };
}

export const DONE = '[DONE]';

/** The JSON of every event but the closing one; an event that is not JSON is undefined. */
export function chunksOf(stream: EventStream): readonly unknown[] {
  return stream.events.filter((one) => one.data.trim() !== DONE).map((one) => parseJson(one.data));
}
