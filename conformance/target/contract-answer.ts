/**
 * Responses against the schemas of responses, from all checks. A response must be as documented where the request is
 * known to be good and about something that certainly exists: what a service says of a job that was never submitted is
 * up to it.
 */
import { jobIdOf } from '../../schemas/job-answer.ts';
import { at, parseJson } from '../../schemas/json.ts';
import { type DocumentedOperationId, operation } from '../../schemas/operations.ts';
import type { RequestName } from '../../schemas/requests/index.ts';
import type { ResponseName } from '../../schemas/responses/index.ts';
import { chunksOf, DONE, readEvents } from '../reading/events.ts';
import { type Break, breakOf, firstBreakOf } from '../reading/schema.ts';
import { BYTE_ORDER_MARK, describe, type Reply, withoutMark } from './reply.ts';

/** Events that end a stream because something went wrong on the way; clients know them. */
const isErrorEvent = (event: unknown): boolean => breakOf('inference-error', 'convention', event) === null;

/** @param schemaPath where it stands; default: in no schema */
export const broken = (words: string, schemaPath = ''): Break => ({ words, schemaPath });

/** What the documentation promises of a successful answer and this one breaks. */
export function documentedBreak(name: RequestName, reply: Reply, requestBody: string): Break | null {
  const text = reply.text.trim();
  // Nothing but results is promised of these two, and results may be nothing, at the moment or at all.
  if (name === 'stream' || name === 'model') return null;
  if (name === 'runsync' && text !== '' && requestBody.includes(text)) return null;
  if (operation(name).interface === 'inference') return breakOf(name, 'documented', reply.json);
  // Interface B is not documented to speak JSON.
  if (text === '' && reply.json === undefined) return broken('an empty body', `${name}/documented#`);
  const found = reply.json === undefined ? null : breakOf(name, 'documented', reply.json);
  if (found !== null || name !== 'run' || jobIdOf(reply.json ?? text) !== null) return found;
  return broken(`no job id in ${describe(reply)}`, `${name}/documented/job-id#`);
}

/** A content type other than that of JSON, or JSON that its parsers may refuse. */
export function typeBreak(name: RequestName, reply: Reply): Break | null {
  if (reply.text.startsWith(BYTE_ORDER_MARK))
    return broken('a byte order mark before the JSON', `${name}/convention/byte-order-mark#`);
  const type = reply.headers['content-type'] ?? 'none';
  if (/^application\/json\s*(;|$)/i.test(type)) return null;
  return broken(`content-type ${type} instead of application/json`, `${name}/convention/content-type#`);
}

/** What clients read in a successful answer and this one lacks. */
export function conventionBreak(name: RequestName, reply: Reply): Break | null {
  // Clients of interface B ignore the type.
  const matters = name === 'model' || operation(name).interface === 'inference';
  return (matters ? typeBreak(name, reply) : null) ?? notJson(name, reply) ?? breakOf(name, 'convention', reply.json);
}

/** Where its text stops being JSON, which is often not at its beginning: parsers of some languages write `Infinity`. */
function notJson(name: RequestName, { json, text }: Reply): Break | null {
  if (json !== undefined) return null;
  try {
    JSON.parse(withoutMark(text));
    return null;
  } catch (error) {
    return broken(`not JSON: ${(error as SyntaxError).message}`, `${name}/convention#`);
  }
}

/** What clients read in a refusal and this one lacks. */
export function errorBreak(id: DocumentedOperationId, reply: Reply): Break | null {
  return breakOf(operation(id).interface === 'inference' ? 'inference-error' : 'jobs-error', 'convention', reply.json);
}

export interface StreamReading {
  readonly events: number;
  /** That of its first chunk. */
  readonly id?: unknown;
  readonly found: Break | null;
}

/** What is wrong with a stream: the events in their order, then how it ends. */
export function streamBreak(name: 'chat' | 'completions', reply: Reply): StreamReading {
  const chunk: ResponseName = `${name}-chunk`;
  const type = reply.headers['content-type'] ?? 'none';
  if (!/^text\/event-stream\s*(;|$)/i.test(type)) {
    const words = `content-type ${type} instead of text/event-stream`;
    return { events: 0, found: broken(words, `${chunk}/convention/content-type#`) };
  }
  const stream = readEvents(reply.pieces);
  const chunks = chunksOf(stream);
  const [events, id] = [stream.events.length, at(chunks[0], 'id')];
  const error = chunks.findIndex(isErrorEvent);
  const found = firstBreakOf(chunk, 'convention', error < 0 ? chunks : chunks.slice(0, error), 'event');
  if (found !== null || error >= 0) return { events, id, found };
  const end = `${chunk}/convention/end#`;
  if (stream.events.at(-1)?.data.trim() !== DONE)
    return { events, id, found: broken(`no ${DONE} as the last event`, end) };
  if (chunks.length < events - 1) return { events, id, found: broken(`${DONE} more than once`, end) };
  return { events, id, found: null };
}

/** Whether a request asked for a stream. */
export const requestsStream = (requestBody: string): boolean => at(parseJson(requestBody), 'stream') === true;
