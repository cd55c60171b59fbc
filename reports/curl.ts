/**
 * A recorded request as a curl line to paste into a POSIX shell, with the key left to an environment variable. What
 * can't be repeated exactly, because only a part of it was kept, is said in a comment above it.
 */
import type { Exchange } from '../schemas/facts.ts';
import { cut, oneLine, visible } from './text.ts';

/** In single quotes nothing is special to a POSIX shell but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The same where that is needed. */
export const shellQuoted = (text: string): string => (/^[\w./:@%+=,-]+$/.test(text) ? text : quoted(text));

/** curl sets these itself. */
const ownHeaders = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'expect']);

/** A credential that was masked before it was recorded; one that is shown was meant to be wrong. */
const isMasked = (value: string): boolean => /\*{2,}|…|•|\[.*\]|<.*>|\$\{?\w+|masked|redacted/i.test(value);

/** How evidence marks a body of which it kept the beginning. */
const KEPT_IN_PART = /… \((\d+) characters\)$/;
const JOBS = '/api/v1/sl/';

/** Interface B may have a key of its own; else the one of interface A serves both. */
const keyFor = (url: string): string =>
  `\${${url.includes(JOBS) ? 'PROOFLOAD_JOB_KEY:-$PROOFLOAD_ACCESS_KEY' : 'PROOFLOAD_ACCESS_KEY'}}`;

/**
 * Whose credential a masked one is. Masked, all look alike: a check about credentials may have sent another one than
 * the configured key, and a command with that key would then show something else than what broke.
 */
export type Credential = 'configured' | 'unsure';

const UNSURE = '# *** is a credential that is not written down; in this check it need not be the configured key';

function headerArgument(name: string, value: string, url: string, credential: Credential): string | undefined {
  const lower = name.toLowerCase();
  if (ownHeaders.has(lower)) return undefined;
  if (lower === 'authorization' && isMasked(value) && credential === 'configured') {
    const scheme = /^(\w+)\s/.exec(value)?.[1];
    return `-H "${name}: ${scheme ? `${scheme} ` : ''}${keyFor(url)}"`;
  }
  return `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`;
}

/** Characters that a page or a terminal would not show as they are, as the octal bytes that printf understands. */
function printable(text: string): string {
  const escaped = [...text].map((char) => {
    if (char === '\\') return '\\\\';
    if (char === '%') return '%%';
    if (visible(char) === char && char !== '\r') return char;
    return [...Buffer.from(char)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  });
  return escaped.join('');
}

interface Body {
  readonly before: readonly string[];
  readonly argument: string | null;
}

function bodyOf(text: string | undefined, bodyCharacters: number): Body {
  if (text === undefined || text === '') return { before: [], argument: null };
  const length = KEPT_IN_PART.exec(text)?.[1] ?? (text.length > bodyCharacters ? `${text.length}` : null);
  if (length !== null) {
    const begins = cut(oneLine(text.replace(KEPT_IN_PART, '')), bodyCharacters).replace(/… \(.*\)$/, '…');
    const before = [`# The file body has to hold the ${length} characters that begin with ${begins}`];
    return { before, argument: '--data-binary @body' };
  }
  if (visible(text) === text) return { before: [], argument: `--data-raw ${quoted(text)}` };
  return { before: [`printf ${quoted(printable(text))} |`], argument: '--data-binary @-' };
}

/** The request as `curl …`, one argument a line; of a body longer than `bodyCharacters` only the beginning is shown. */
export function curlLine(exchange: Exchange, bodyCharacters: number, credential: Credential = 'configured'): string {
  const { method, url, requestHeaders } = exchange;
  const headers = Object.entries(requestHeaders).flatMap(
    ([name, value]) => headerArgument(name, value, url, credential) ?? [],
  );
  const { before, argument } = bodyOf(exchange.requestBody, bodyCharacters);
  const typed = Object.keys(requestHeaders).some((name) => name.toLowerCase() === 'content-type');
  const verb = method === 'HEAD' ? '--head' : `-X ${/^[A-Z]+$/.test(method) ? method : quoted(method)}`;
  // curl would tidy up such paths, and read such brackets as patterns.
  const raw = [/\/\.{1,2}(?:\/|$|\?)/.test(url) ? ' --path-as-is' : '', /[[\]{}]/.test(url) ? ' --globoff' : ''].join(
    '',
  );
  const line = [
    `curl -i${raw} ${verb} ${quoted(url)}`,
    ...headers,
    // Without this curl names a content type of its own.
    ...(argument !== null && !typed ? ["-H 'content-type:'"] : []),
    ...(argument === null ? [] : [argument]),
  ].join(' \\\n  ');
  const masked = Object.entries(requestHeaders).some(
    ([name, value]) => name.toLowerCase() === 'authorization' && isMasked(value),
  );
  return [...(masked && credential === 'unsure' ? [UNSURE] : []), ...before, line].join('\n');
}
