/**
 * From an address to an operation of the table, with its parameters decoded. The matching is hono's. A path is taken as
 * it was sent: `..`, `//` and a percent-encoded slash lead nowhere else.
 */
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { type DocumentedOperation, type InterfaceId, operation, operations } from '../schemas/operations.ts';

export interface Route {
  readonly operation: DocumentedOperation;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface Address {
  readonly pathname: string;
  readonly search: string;
}

/** One model by its id, which has a slash in it, bare or percent-encoded. */
const MODEL_BY_ID = `${operation('models').path}/:model_id{.+}`;

// Methods are matched afterwards, so that a wrong one on a known path is a 405 and not a 404.
const ANY = 'ALL';

const router = new RegExpRouter<DocumentedOperation>();
for (const one of operations) router.add(ANY, one.path.replace(/\{(\w+)\}/g, ':$1'), one);
router.add(ANY, MODEL_BY_ID, operation('models'));

/** Path, and query without its `?`, of an absolute address or of a path; a fragment is no part of either. */
export function addressOf(url: string): Address {
  const authority = /^https?:\/\/[^/?#]*/i.exec(url)?.[0].length ?? 0;
  const fragment = url.indexOf('#', authority);
  const end = fragment < 0 ? url.length : fragment;
  const mark = url.indexOf('?', authority);
  const pathEnd = mark < 0 || mark > end ? end : mark;
  const path = url.slice(authority, pathEnd);
  return { pathname: path.startsWith('/') ? path : `/${path}`, search: url.slice(pathEnd + 1, end) };
}

/** The route of a path, or null when there is none or its percent-encoding is broken. */
export function routeOf(path: string): Route | null {
  const [matches, values] = router.match(ANY, path);
  const [match] = matches;
  if (!match || !values) return null;
  const [found, indexes] = match;
  const parameters: Record<string, string> = {};
  try {
    for (const [name, index] of Object.entries(indexes)) {
      const value = (typeof index === 'number' ? values[index] : index) ?? '';
      parameters[name] = value.includes('%') ? decodeURIComponent(value) : value;
    }
  } catch {
    return null;
  }
  return { operation: found, parameters };
}

/** Whose words an error about a request to this address is written in, whether there is anything or not. */
export const sideOfUrl = (url: string): InterfaceId => sideOf(addressOf(url).pathname);

/** Whose words an error on an unknown path is written in. */
export function sideOf(path: string): InterfaceId {
  return path === '/v1' || path.startsWith('/v1/') ? 'inference' : 'jobs';
}
