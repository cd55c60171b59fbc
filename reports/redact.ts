/**
 * Keeps keys out of everything a report writes. A target may send a key back in any wrapping it likes, so a secret is
 * masked raw, percent-encoded, JSON-, XML- and HTML-escaped, and in base64 wherever in the encoded bytes it stands
 * (`Basic dXNlcjprZXk=` holds it as well as the encoding of `Bearer KEY`).
 *
 * It is applied twice: to the results before they are rendered, so that no escaping or cutting can hide a key, and to
 * the finished text on its way to the disk, so that no rendering can be forgotten.
 */
import { limits } from '../schemas/limits.ts';
import { operations } from '../schemas/operations.ts';
import { resultsSchema } from '../schemas/results.ts';
import { xmlEntities } from './text.ts';

export const MASK = '[masked]';

/** Shorter secrets are only masked behind `Bearer`: three letters occur in every text by chance. */
const SHORTEST_RAW = 4;
/** A finished page is made of words of HTML and CSS, which a short secret could hit. */
const SHORTEST_IN_MARKUP = 8;
/** Fewer base64 characters than this occur by chance. */
const SHORTEST_BASE64 = 6;

export interface Redactor {
  /** Masks one string that came from outside. */
  text(text: string): string;
  /** Masks every string of a value made of plain objects and arrays, property names included. */
  deep<T>(value: T): T;
  /** Masks a finished file. */
  file(text: string): string;
}

/** The words results.json is made of; a secret that is part of one cannot be masked without destroying the file. */
function wordsOf(node: unknown): string[] {
  if (typeof node === 'string') return [node];
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => [key, ...wordsOf(value)]);
}
const ids = [...operations, ...limits].map((one) => one.id);
const vocabulary = [...new Set([...wordsOf(resultsSchema.properties), ...ids])];
const isOurWord = (secret: string): boolean => vocabulary.some((word) => word.includes(secret));

/** The characters of a base64 text that depend on the secret alone, for each of the three places it can start at. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.byteLength(secret);
  const forms = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]).toString('base64');
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes) * 8) / 6));
  });
  return [...forms, ...forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))].filter(
    (form) => form.length >= SHORTEST_BASE64,
  );
}

function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    json,
    json.replaceAll('/', '\\/'),
    encodeURIComponent(secret),
    encodeURIComponent(secret).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    new URLSearchParams({ k: secret }).toString().slice(2),
    encodeURI(secret),
    secret.replace(/[&<>"']/g, (char) => xmlEntities[char] ?? char),
    secret.replace(/[^A-Za-z0-9]/g, (char) => `&#${char.codePointAt(0)};`),
    ...base64Forms(secret),
  ];
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function pattern(secrets: readonly string[]): RegExp | null {
  const strong = secrets.flatMap(formsOf);
  const longestFirst = [...new Set(strong)].sort((a, b) => b.length - a.length);
  return longestFirst.length === 0 ? null : new RegExp(longestFirst.map(escapeRegExp).join('|'), 'g');
}

/** A redactor for these secrets; null and empty ones are left out. */
export function redactor(secrets: readonly (string | null | undefined)[]): Redactor {
  const known = [...new Set(secrets)].filter((secret): secret is string => typeof secret === 'string' && secret !== '');
  const strong = known.filter((secret) => secret.length >= SHORTEST_RAW && !isOurWord(secret));
  const raw = pattern(strong);
  const markup = pattern(strong.filter((secret) => secret.length >= SHORTEST_IN_MARKUP));
  const credential =
    known.length === 0
      ? null
      : new RegExp(`(Bearer(?:\\s|%20|\\+)+)(?:${known.map(escapeRegExp).join('|')})(?![A-Za-z0-9_-])`, 'gi');

  const apply = (text: string, mask: RegExp | null): string => {
    const bare = credential ? text.replace(credential, `$1${MASK}`) : text;
    return mask ? bare.replace(mask, MASK) : bare;
  };
  const text = (value: string): string => apply(value, raw);
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), walk(item)]));
  };
  return { text, deep: <T>(value: T): T => walk(value) as T, file: (value) => apply(value, markup) };
}
