/**
 * What was sent and answered, kept as evidence. Keys are masked here, before anything is stored: by header name, and
 * wherever a key's own text turns up, because a target may echo it.
 */
import type { Exchange } from '../../schemas/facts.ts';
import type { Sender } from './allowance.ts';

const MASK = '***';
const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']);
const LONGEST_BODY = 2000;
/** Anything shorter turns up by chance. */
const SHORTEST_KEY = 4;
const MOST_EXCHANGES = 24;

/** `Bearer ***` says enough: the scheme is evidence, the key is not. */
function maskCredential(value: string): string {
  const [scheme, ...rest] = value.split(' ');
  return rest.length > 0 && /^[A-Za-z][\w-]*$/.test(scheme ?? '') ? `${scheme} ${MASK}` : MASK;
}

export function shorten(text: string, longest = LONGEST_BODY): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}

/** Matches a text with one of the words in it; with none of them, no text. */
function anyOf(words: readonly string[]): RegExp {
  const escaped = (one: string): string => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`;
  const literal = words.map((word) => word.replaceAll(/[^\w]/gu, escaped));
  return literal.length === 0 ? /$^/ : new RegExp(literal.join('|'), 'u');
}

/** Removes keys from what is stored; made once for the keys of a run. */
export class Masker {
  readonly #keys: string[];
  /** Any of them: nearly everything that is stored holds none, and one match shows that. */
  #any: RegExp;

  constructor(keys: readonly (string | null)[]) {
    this.#keys = keys.filter((key): key is string => key !== null && key.length >= SHORTEST_KEY);
    this.#any = anyOf(this.#keys);
  }

  /** Masks one more from now on. The longest is replaced first, so that none is masked in part only. */
  learn(key: string): void {
    if (key.length < SHORTEST_KEY || this.#keys.includes(key)) return;
    this.#keys.push(key);
    this.#keys.sort((one, other) => other.length - one.length);
    this.#any = anyOf(this.#keys);
  }

  text(value: string): string {
    if (!this.#any.test(value)) return value;
    return this.#keys.reduce((left, key) => left.replaceAll(key, MASK), value);
  }

  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    const masked = { ...headers };
    for (const [name, value] of Object.entries(headers)) {
      masked[name] = SECRET_HEADERS.has(name.toLowerCase()) ? maskCredential(value) : this.text(value);
    }
    return masked;
  }

  /**
   * @param madeUp an Authorization that was made to be wrong: it is shown, but for what in it is a key or was made of one.
   */
  exchange(raw: Exchange, madeUp: string | null = null): Exchange {
    const { requestBody, responseHeaders, responseBody, error } = raw;
    const shown: Record<string, string> = madeUp === null ? {} : { authorization: this.text(madeUp) };
    return {
      ...raw,
      url: this.text(raw.url),
      requestHeaders: { ...this.headers(raw.requestHeaders), ...shown },
      ...(requestBody === undefined ? {} : { requestBody: shorten(this.text(requestBody)) }),
      ...(responseHeaders === undefined ? {} : { responseHeaders: this.headers(responseHeaders) }),
      ...(responseBody === undefined ? {} : { responseBody: shorten(this.text(responseBody)) }),
      ...(error === undefined ? {} : { error: this.text(error) }),
    };
  }
}

/** The exchanges of one check, in order. Of many, the first and the last are kept: the middle is mostly polling. */
export class Evidence {
  /** The check, or the shared thing that it is making, whose requests these are. */
  readonly owner: Sender;
  readonly #exchanges: Exchange[] = [];

  constructor(owner: Sender = { check: '', shared: '' }) {
    this.owner = owner;
  }

  add(exchange: Exchange): void {
    this.#exchanges.push(exchange);
  }

  list(): readonly Exchange[] {
    const half = MOST_EXCHANGES / 2;
    if (this.#exchanges.length <= MOST_EXCHANGES) return [...this.#exchanges];
    return [...this.#exchanges.slice(0, half), ...this.#exchanges.slice(-half)];
  }
}
