/**
 * The shape of a response without its content: its fields with their types, so that two services can be compared where
 * the documentation names no field. Ids, times and texts never show.
 */
import { isObject } from '../../schemas/json.ts';
import type { Reply } from '../target/reply.ts';

/** Outputs are up to the handler. */
const OPAQUE = ['output', 'outputs', 'result', 'results', 'input'];
const MOST = 60;

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);

function* pathsIn(value: unknown, path: string): Generator<string> {
  if (Array.isArray(value)) {
    if (value.length === 0) yield `${path}[]`;
    for (const item of value) yield* pathsIn(item, `${path}[]`);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const here = path === '' ? key : `${path}.${key}`;
      if (OPAQUE.includes(key) && !Array.isArray(value)) yield `${here}: ${typeOf(item) === 'null' ? 'null' : 'any'}`;
      else yield* pathsIn(item, here);
    }
  } else yield path === '' ? typeOf(value) : `${path}: ${typeOf(value)}`;
}

/** `{choices[].index: number, id: string}`, sorted; `not JSON` for undefined. */
export function shapeOf(body: unknown): string {
  if (body === undefined) return 'not JSON';
  const paths = [...new Set(pathsIn(body, ''))].sort();
  const shown = paths.length > MOST ? [...paths.slice(0, MOST), '…'] : paths;
  return `{${shown.join(', ')}}`;
}

/** Status, content type without parameters, and shape. */
export function shapeOfReply({ status, headers, text, json }: Reply): string {
  const type = (headers['content-type'] ?? 'no type').split(';')[0]?.trim().toLowerCase() ?? '';
  return text === '' ? `${status} without a body` : `${status} ${type} ${shapeOf(json)}`;
}

/** What the path of a message says nothing about: a server or a proxy adds these to anything. */
const ANYWHERE = ['connection', 'content-length', 'date', 'keep-alive', 'server', 'transfer-encoding', 'vary', 'via'];

/** Names of the headers that the service itself has set, sorted. */
export function headerNames({ headers }: Reply): string {
  const names = Object.keys(headers).filter((name) => !ANYWHERE.includes(name));
  return names.length === 0 ? 'none' : names.sort().join(', ');
}
