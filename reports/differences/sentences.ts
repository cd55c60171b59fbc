/** How differences are put: one plain sentence each, with names from a target cut and on one line. */
import { cut, oneLine } from '../text.ts';

export interface Difference {
  readonly text: string;
  /** Words by which a broken expectation would name it: statuses, fields, headers. */
  readonly aspect: readonly string[];
}

const LONGEST_NAME = 60;
const MOST_WORDS = 4;

/** A name or a word of a service, as code. */
export const name = (text: string): string => `\`${cut(oneLine(text), LONGEST_NAME).replaceAll('`', "'")}\``;

/** `a, b and c`, or the first few of many. */
export function listWords(words: readonly string[]): string {
  if (words.length > MOST_WORDS) {
    return `${words.slice(0, MOST_WORDS).join(', ')} and ${words.length - MOST_WORDS} more`;
  }
  const last = words.at(-1) ?? 'nothing';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** A JSON type with its article; `null` needs none. */
export function article(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

export const statusWords = (statuses: readonly number[]): string =>
  listWords(statuses.map((one) => (one === 0 ? 'nothing (no answer came)' : `${one}`)));
