/**
 * Our own requests against the schemas of requests, before they are sent. A request that is wrong by mistake would make
 * a finding about the target out of a fault of ours; one that is meant to be wrong and isn't would make a refusal look
 * missing. Where the schemas leave it open whether a request is right, the check decides.
 */
import { parseJson } from '../../schemas/json.ts';
import { limitFor } from '../../schemas/limits.ts';
import { type DocumentedOperationId, operation } from '../../schemas/operations.ts';
import { type RequestName, requests } from '../../schemas/requests/index.ts';
import { type Break, breakIn } from '../reading/schema.ts';

/** A request as it will be sent, without its address. */
export interface OwnRequest {
  readonly operation: DocumentedOperationId | null;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The body before it was written down, where it was a value. */
  readonly json?: unknown;
  /** The value that Authorization has with our own key, or null where there is no key. */
  readonly ownAuthorization: string | null;
  /** Every key of the run that was configured. */
  readonly goodKeys: readonly string[];
  readonly breaks?: string;
}

export type Part = 'route' | 'credential' | 'query' | 'body';

/** What a request is by the schemas. `open`: they don't say whether it is right. */
export type Judged =
  | { readonly kind: 'valid'; readonly name: RequestName; readonly parameters: Parameters }
  | { readonly kind: 'open'; readonly part: Part }
  | { readonly kind: 'broken'; readonly part: Part; readonly found: Break };

/** Parameters of a path, decoded, by name. */
export type Parameters = Readonly<Record<string, string>>;

/** Ids that any service must be able to read; others may be right or wrong by a format that is not documented. */
const PLAIN_ID = /^[\w.:~/@+=,-]{1,256}$/;
/** What HTTP itself gives a meaning for any address. */
const GENERAL_METHODS = ['HEAD', 'OPTIONS'];
const DIGITS = /^\d{1,15}$/;

const broken = (part: Part, words: string, schemaPath: string): Judged => ({
  kind: 'broken',
  part,
  found: { words, schemaPath },
});

/** The request that a path of an operation means, with its parameters decoded; null where it means none. */
function routeOf(id: DocumentedOperationId, pathname: string): { name: RequestName; parameters: Parameters } | null {
  const pattern = operation(id).path.split('/');
  const given = pathname.split('/');
  const rest = given.slice(pattern.length).join('/');
  if (rest !== '' && id !== 'models') return null;
  if (rest === '' && given.length !== pattern.length) return null;
  const parameters: Record<string, string> = {};
  try {
    for (const [index, expected] of pattern.entries()) {
      const segment = given[index] ?? '';
      if (expected.startsWith('{')) parameters[expected.slice(1, -1)] = decodeURIComponent(segment);
      else if (segment !== expected) return null;
    }
    if (rest !== '') parameters.model = decodeURIComponent(rest);
  } catch {
    return null;
  }
  return { name: rest === '' ? id : 'model', parameters };
}

function headerOf(headers: OwnRequest['headers'], name: string): string | null {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? null;
}

function judgeCredential(one: OwnRequest, id: DocumentedOperationId): Judged | null {
  const given = headerOf(one.headers, 'authorization');
  if (one.ownAuthorization === null && one.breaks !== undefined) return { kind: 'open', part: 'credential' };
  if (given === one.ownAuthorization) return null;
  if (operation(id).interface === 'jobs') return { kind: 'open', part: 'credential' };
  // A good key of another account, or the scheme in other letters, is for the check to judge.
  const key = /^bearer +(\S+)$/i.exec(given ?? '')?.[1];
  if (key !== undefined && one.goodKeys.includes(key)) return { kind: 'open', part: 'credential' };
  const words = given === null ? 'no Authorization' : 'an Authorization other than Bearer with the key of the run';
  return broken('credential', words, `${id}/request/security#`);
}

function judgeQuery(name: RequestName, query: URLSearchParams): Judged | null {
  for (const [key, text] of query) {
    const schema = requests[name].query[key];
    const value = DIGITS.test(text) ? Number(text) : text;
    const found = schema && breakIn(`${name}/request/query/${key}`, schema, value, key);
    if (found) return { kind: 'broken', part: 'query', found };
  }
  return null;
}

function judgeBody(name: RequestName, id: DocumentedOperationId, one: OwnRequest): Judged | null {
  const { body: known } = requests[name];
  const text = one.body ?? '';
  const place = `${name}/request/body`;
  if (text === '') return known?.required ? broken('body', 'no body', `${place}#`) : null;
  if (known === null || one.method === 'GET') return broken('body', 'a body on an operation without one', `${place}#`);
  const type = headerOf(one.headers, 'content-type') ?? 'none';
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    return broken('body', `the content-type ${type} instead of application/json`, `${place}#`);
  }
  const found = breakIn(place, known.schema, one.json === undefined ? parseJson(text) : one.json, 'the body');
  if (found) return { kind: 'broken', part: 'body', found };
  const limit = limitFor('content-bytes', operation(id).budget ?? 'status');
  if (limit === undefined || text.length * 4 <= limit.value) return null;
  const bytes = Buffer.byteLength(text);
  if (bytes > limit.upperReading) return broken('body', `${bytes} bytes`, `${place}#/maxLength`);
  return bytes > limit.value ? { kind: 'open', part: 'body' } : null;
}

/** What a request is by the schemas; its first fault, from the outside in. */
export function judgeRequest(one: OwnRequest): Judged {
  const { operation: id, method, path } = one;
  if (id === null) return broken('route', `the path ${path}, which no operation has`, 'request/path#');
  const [pathname = '', query = ''] = path.split(/\?(.*)/s);
  const route = routeOf(id, pathname);
  if (route === null) return broken('route', `the path ${path}, which ${id} does not have`, `${id}/request/path#`);
  const { name, parameters } = route;
  for (const [key, schema] of Object.entries(requests[name].path)) {
    const found = breakIn(`${name}/request/path/${key}`, schema, parameters[key], key);
    if (found) return { kind: 'broken', part: 'route', found };
  }
  if (!operation(id).methods.some((known) => known === method)) {
    if (GENERAL_METHODS.includes(method)) return { kind: 'open', part: 'route' };
    return broken('route', `the method ${method}, which ${id} does not have`, `${id}/request/method#`);
  }
  const open: Judged | null = Object.values(parameters).every((value) => PLAIN_ID.test(value))
    ? null
    : { kind: 'open', part: 'route' };
  const credential = judgeCredential(one, id);
  const faults = [credential, judgeQuery(name, new URLSearchParams(query)), judgeBody(name, id, one), open];
  const known = faults.filter((fault) => fault !== null);
  return known.find((fault) => fault.kind === 'broken') ?? known[0] ?? { kind: 'valid', name, parameters };
}

/**
 * The same, for a request that is about to be sent.
 *
 * @throws Error for a fault of ours: the request is wrong and not declared to be so, or declared to be wrong and isn't.
 */
export function requireOwnRequest(one: OwnRequest): Judged {
  const judged = judgeRequest(one);
  const name = `${one.method} ${one.path}`;
  if (judged.kind === 'broken' && one.breaks === undefined) {
    const { words, schemaPath } = judged.found;
    throw new Error(`the fault is the suite's own: ${name}: ${words} (${schemaPath}), and 'breaks' does not say so`);
  }
  if (judged.kind === 'valid' && one.breaks !== undefined) {
    throw new Error(`the fault is the suite's own: ${name} says that '${one.breaks}' is wrong, and nothing is`);
  }
  return judged;
}
