/** A recorded request as a curl line to paste into a shell, with the key left to an environment variable. */
import type { Exchange } from '../schemas/facts.ts';
import { cut } from './text.ts';

/** In single quotes nothing is special to a POSIX shell but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** curl sets these itself. */
const ownHeaders = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'expect']);

/** A credential that was masked before it was recorded; one that is shown was meant to be wrong. */
const isMasked = (value: string): boolean => /\*{2,}|…|•|\[.*\]|<.*>|\$\{?\w+|masked|redacted/i.test(value);

function headerArgument(name: string, value: string): string | undefined {
  const lower = name.toLowerCase();
  if (ownHeaders.has(lower)) return undefined;
  if (lower === 'authorization' && isMasked(value)) {
    const scheme = /^(\w+)\s/.exec(value)?.[1];
    return `-H "${name}: ${scheme ? `${scheme} ` : ''}$PROOFLOAD_ACCESS_KEY"`;
  }
  return `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`;
}

/** The request as `curl …`, one argument a line; a body longer than `bodyCharacters` is cut and says so. */
export function curlLine(exchange: Exchange, bodyCharacters: number): string {
  const headers = Object.entries(exchange.requestHeaders).flatMap(([name, value]) => headerArgument(name, value) ?? []);
  const body = exchange.requestBody ? [`--data-raw ${quoted(cut(exchange.requestBody, bodyCharacters))}`] : [];
  return [
    `curl -i -X ${/^[A-Z]+$/.test(exchange.method) ? exchange.method : quoted(exchange.method)} ${quoted(exchange.url)}`,
    ...headers,
    ...body,
  ].join(' \\\n  ');
}
