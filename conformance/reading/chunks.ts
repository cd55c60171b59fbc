/** The results of a streaming job, numbered or not, out of whatever form the target streams them in. */
import { parseJson } from '../target/reply.ts';
import { at, isObject, walk } from './json.ts';

/** Every JSON document of an answer: the whole text, or one per line, with or without `data:` before it. */
function documents(text: string): unknown[] {
  const whole = parseJson(text);
  if (whole !== undefined) return [whole];
  return text
    .split(/\r\n|\n|\r/)
    .map((line) => parseJson(line.replace(/^data:\s*/, '').trim()))
    .filter((one) => one !== undefined);
}

/** The numbers under the key `chunk`, in the order they stand in the answer. */
export function chunkNumbersOf(text: string): number[] {
  return documents(text).flatMap((document) =>
    [...walk(document)].flatMap(({ key, value }) => (key === 'chunk' && typeof value === 'number' ? [value] : [])),
  );
}

/**
 * The results themselves, whatever they are: the items of a list, alone or under the key `stream`, each without its
 * envelope; else one per line of several.
 */
export function resultsOf(text: string): unknown[] {
  const whole = parseJson(text);
  const list = Array.isArray(whole) ? whole : at(whole, 'stream');
  const items = Array.isArray(list) ? list : whole === undefined ? documents(text) : [];
  return items.map((one: unknown) => (isObject(one) && 'output' in one ? one.output : one));
}
