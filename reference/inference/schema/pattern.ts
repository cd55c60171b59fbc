/**
 * A text that a regular expression matches, for those that stand in schemas: literals, classes, groups, alternatives,
 * repetitions. What it makes is tried on the expression itself, so one that it doesn't understand yields nothing
 * instead of something wrong.
 */

const PRINTABLE = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
const FAVOURITES = [...'axA0', ...PRINTABLE, 'é', '\n'];
const ESCAPED: Readonly<Record<string, string>> = { b: '', B: '', n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' };
const SETS = 'dDwWsS';

/** Reads an expression from left to right and tells the shortest text, longer by `extra` where it may repeat. */
class Reader {
  readonly #source: string;
  readonly #extra: number;
  #at = 0;

  constructor(source: string, extra: number) {
    this.#source = source;
    this.#extra = extra;
  }

  /** The text of the first alternative; the others are read and dropped. */
  alternatives(): string {
    const first = this.#sequence();
    while (this.#take('|')) this.#sequence();
    return first;
  }

  #take(expected: string): boolean {
    const found = this.#source.startsWith(expected, this.#at);
    if (found) this.#at += expected.length;
    return found;
  }

  #match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#source);
    if (found) this.#at = sticky.lastIndex;
    return found;
  }

  #sequence(): string {
    let text = '';
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] ?? '')) {
      const one = this.#atom();
      text += one.repeat(this.#times());
    }
    return text;
  }

  #times(): number {
    const found = this.#match(/(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y);
    if (!found) return 1;
    const [, sign, least = '', comma, most] = found;
    const from = sign ? (sign === '+' ? 1 : 0) : Number(least);
    const upTo = sign === '?' ? 1 : sign || (comma && !most) ? Number.POSITIVE_INFINITY : Number(most || least);
    return Math.min(upTo, from + this.#extra);
  }

  #atom(): string {
    if (this.#take('^') || this.#take('$')) return '';
    if (this.#match(/\((?:\?:|\?<\w+>)?/y)) {
      const inside = this.alternatives();
      this.#take(')');
      return inside;
    }
    const set = this.#match(/\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}/y);
    if (set) return oneOf(set[0]);
    if (this.#take('\\')) {
      const sign = this.#next();
      return SETS.includes(sign) ? oneOf(`\\${sign}`) : (ESCAPED[sign] ?? sign);
    }
    return this.#take('.') ? 'x' : this.#next();
  }

  #next(): string {
    const sign = this.#source[this.#at] ?? '';
    this.#at += 1;
    return sign;
  }
}

/** A sign that a class has in it. */
function oneOf(set: string): string {
  const expression = new RegExp(`^${set}$`, 'u');
  return FAVOURITES.find((sign) => expression.test(sign)) ?? '';
}

/** More repetitions than this are tried only to reach a length exactly. */
const MOST_EXTRA = 64;

/** A text that the expression matches, of a length within the bounds; null where none is found. */
export function matching(pattern: string, minLength: number, maxLength: number): string | null {
  try {
    const expression = new RegExp(pattern, 'u');
    const fits = (text: string): boolean =>
      text.length >= minLength && text.length <= maxLength && expression.test(text);
    const extras = Array.from({ length: Math.min(minLength, MOST_EXTRA) }, (_, extra) => extra);
    for (const extra of [...extras, Math.max(0, minLength - 1), minLength]) {
      const text = new Reader(pattern, extra).alternatives();
      // An expression that only asks for a part leaves room for more on either side.
      const more = 'x'.repeat(Math.max(0, minLength - text.length));
      const found = [text, text + more, more + text].find(fits);
      if (found !== undefined) return found;
    }
  } catch {
    return null;
  }
  return null;
}
