/** The results of a streaming job, numbered or not, and its state, from any form in which the target streams them. */
import { isFinal, type JobState, stateOf } from '../../schemas/job-answer.ts';
import { at, isObject, parseJson, saysSomething, walk } from '../../schemas/json.ts';

/** Where an answer has its list of results, and where one of them stands in its envelope. */
const LIST_KEYS = ['stream', 'chunks', 'results', 'items', 'parts', 'outputs', 'data', 'output'];
const ITEM_KEYS = ['output', 'chunk', 'result', 'data', 'value', 'item', 'delta'];
/** An object with one of these keys and none of those is about the job. */
const ABOUT_KEYS = ['status', 'state', 'error'];

/** The JSON documents of a line: one, or several objects without anything between them. */
function documentsIn(line: string): readonly unknown[] {
  const one = parseJson(line);
  if (one !== undefined) return [one];
  const several = line.startsWith('{') ? parseJson(`[${line.replaceAll(/\}\s*\{/g, '},{')}]`) : [];
  return Array.isArray(several) ? several : [];
}

/** Every JSON document of an answer: the whole text, or those of its lines, with or without `data:` before them. */
export function documentsOf(text: string): unknown[] {
  const whole = parseJson(text);
  if (whole !== undefined) return [whole];
  return text.split(/\r\n|\n|\r/).flatMap((line) => documentsIn(line.replace(/^data:\s*/, '').trim()));
}

/**
 * The numbers under the key `chunk`, in the order they stand in the answer. The record that closes a stream may repeat
 * all results.
 */
export function chunkNumbersOf(text: string): readonly number[] {
  const documents = documentsOf(text);
  const numbersIn = (some: readonly unknown[]): number[] =>
    some
      .flatMap((one) => [...walk(one)])
      .flatMap(({ key, value }) => (key === 'chunk' && typeof value === 'number' ? [value] : []));
  const isEnd = (one: unknown): boolean => isFinal(stateOf(one));
  return delivered([numbersIn(documents.filter((one) => !isEnd(one))), numbersIn(documents.filter(isEnd))]);
}

/**
 * What a reader has after several answers. One that begins with all that came before replaces it: some services send
 * the stream from its beginning to each request, which no documented sentence forbids.
 */
export function delivered<T>(answers: readonly (readonly T[])[]): readonly T[] {
  let had: T[] = [];
  for (const one of answers) {
    const again = had.every((item, index) => JSON.stringify(item) === JSON.stringify(one[index]));
    had = again ? [...one] : had.concat(one);
  }
  return had;
}

/** Where results have a number that counts them, and the first of it. */
export interface Counting {
  readonly place: string;
  readonly first: number;
}

/** So few may count by accident. */
const LEAST_COUNTED = 3;

/** Every number in a result with its place: the keys on the way to it, and the words round it in a text. */
function* placesIn(value: unknown, place = ''): Generator<readonly [place: string, number: number]> {
  if (typeof value === 'number') yield [place, value];
  if (typeof value === 'string') {
    const words = value.replaceAll(/\d+/g, '#');
    for (const [nth, [digits]] of [...value.matchAll(/\d+/g)].entries())
      yield [`${place} ${words} ${nth}`, Number(digits)];
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) yield* placesIn(item, `${place}/${key}`);
}

/** null unless these results count up by one, from 0 or 1: only results of which none is missing show how they count. */
export function countingOf(results: readonly unknown[]): Counting | null {
  const rows = results.map((one) => new Map(placesIn(one)));
  const counts = ([place, first]: readonly [string, number]): boolean =>
    first <= 1 && rows.every((row, index) => row.get(place) === first + index);
  const found = rows.length < LEAST_COUNTED ? undefined : [...(rows[0] ?? [])].find(counts);
  return found ? { place: found[0], first: found[1] } : null;
}

/** The number of a result, from 0. */
export function countIn(result: unknown, { place, first }: Counting): number | undefined {
  const number = new Map(placesIn(result)).get(place);
  return number === undefined ? undefined : number - first;
}

/** The same numbers from 0, where a handler that got a count counts from 1: when the last number is the count. */
export function fromZero(numbers: readonly number[], count: number): readonly number[] {
  const fromOne = Math.max(...numbers) === count && Math.min(...numbers) > 0;
  return fromOne ? numbers.map((one) => one - 1) : numbers;
}

/** What an object holds as a result, or undefined. */
const itemIn = (one: unknown): unknown => ITEM_KEYS.map((key) => at(one, key)).find(saysSomething);
const isAbout = (one: unknown): boolean =>
  isFinal(stateOf(one)) || (itemIn(one) === undefined && ABOUT_KEYS.some((key) => at(one, key) !== undefined));
const bare = (one: unknown): unknown => (isObject(one) && 'output' in one ? one.output : one);

/**
 * The results themselves, of any form: the items of a list, alone or under a key of the response, each without its
 * envelope; else one per line of several, without those that are about the job.
 */
export function resultsOf(text: string): unknown[] {
  const whole = parseJson(text);
  if (whole === undefined)
    return documentsOf(text)
      .filter((one) => !isAbout(one))
      .map(bare);
  const list = Array.isArray(whole) ? whole : LIST_KEYS.map((key) => at(whole, key)).find(Array.isArray);
  if (Array.isArray(list)) return list.map(bare);
  const item = itemIn(whole);
  return item === undefined ? [] : [item];
}

/** The last document of a stream response that has a state; undefined where none has. */
export const lastStateIn = (text: string): unknown =>
  documentsOf(text)
    .flatMap((one) => (Array.isArray(one) ? one : [one]))
    .findLast((one) => stateOf(one) !== 'unknown');

/** The state in it. */
export const streamStateOf = (text: string): JobState => stateOf(lastStateIn(text));
