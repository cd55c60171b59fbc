/**
 * Which requests of two runs are the same one. Two runs never send the same bytes: addresses, endpoints, models, run
 * ids, job ids and made-up words differ. All of these are replaced by what they stand for, so that only the meaning of
 * a request remains.
 */
import type { Exchange } from '../../schemas/facts.ts';
import { isObject, parseJson } from '../../schemas/json.ts';
import { isSubmitting, type OperationId, operations } from '../../schemas/operations.ts';
import type { TargetConfig } from '../../schemas/target.ts';

/** Whose exchanges these are: all that is needed to replace their names by meanings. */
export interface Side {
  readonly target: TargetConfig;
  readonly runId: string;
  /** No request of interface B carries a key, because none is configured; its own requests then are those without. */
  readonly keyless: boolean;
}

export interface SentRequest {
  /** Equal for the same request of two runs, and only for it. */
  readonly key: string;
  readonly method: string;
  /** Null where it reached no operation. */
  readonly operation: OperationId | null;
  /** `run`, or the path where it is no operation's. */
  readonly place: string;
}

const JOBS = /^\/api\/v1\/sl\/([^/]*)(?:\/([^/]+))?(?:\/(.*))?$/;
const MADE_UP = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{8,}/gi;
const CUT = /… \(\d+ (?:more )?characters\)$/;
/** Header fields without meaning for the comparison: the client, and those that curl or undici set by themselves. */
const SILENT = new Set(['user-agent', 'content-length', 'host', 'connection']);

/** A text without what is new in every run. */
function settled(text: string, { target, runId }: Side): string {
  const named = runId === '' ? text : text.replaceAll(runId, '{run}');
  const plain = named.replace(CUT, '…').replace(MADE_UP, '#');
  return target.model === null || target.model === '' ? plain : plain.replaceAll(target.model, '{model}');
}

/** JSON with its keys in order, so that only what was sent counts. */
function canonical(value: unknown, side: Side): unknown {
  if (typeof value === 'string') return settled(value, side);
  if (Array.isArray(value)) return value.map((one) => canonical(one, side));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, canonical(one, side)]));
}

function bodyWords(body: string | undefined, operation: OperationId | null, side: Side): string {
  if (body === undefined) return '';
  const value = parseJson(body);
  if (value === undefined) return settled(body, side);
  const submits = isSubmitting(operation);
  // A target with inputs of its own is sent other ones than the reference for the same question.
  const own = submits && side.target.workloads !== undefined;
  const asked = own && isObject(value) && 'input' in value ? { ...value, input: '{input}' } : value;
  return JSON.stringify(canonical(asked, side));
}

function headerWords({ requestHeaders }: Exchange, jobs: boolean, side: Side): string {
  const reported = Object.entries(requestHeaders).map(([name, value]) => [name.toLowerCase(), value] as const);
  const own = jobs && side.keyless && !reported.some(([name]) => name === 'authorization');
  const all = own ? [...reported, ['authorization', 'Bearer ***'] as const] : reported;
  const lines = all.filter(([name]) => !SILENT.has(name)).map(([name, value]) => `${name}: ${settled(value, side)}`);
  return lines.sort().join('\n');
}

/** The path below an interface's address, decoded no further than the target would. */
function pathOf(url: string, { target }: Side): { readonly path: string; readonly query: string } {
  const base = [target.baseUrl, target.jobBaseUrl]
    .map((one) => one?.replace(/\/+$/, '') ?? '')
    .find((one) => one !== '' && url.startsWith(`${one}/`));
  const rest = base === undefined ? url.replace(/^[a-z]+:\/\/[^/]*/i, '') : url.slice(base.length);
  const [path = '', query = ''] = rest.split('?');
  return { path, query };
}

function endpointWords(instId: string, side: Side): string {
  const endpoint = side.target.endpoints.find((one) => encodeURIComponent(one.instId) === instId);
  if (!endpoint) return settled(instId, side);
  return endpoint.workersMax === 0 ? '{inst_id without workers}' : '{inst_id}';
}

/** @param given every text that answers have given so far: an id among them was handed out, another was made up. */
export function sentBy(exchange: Exchange, side: Side, given: ReadonlySet<string>): SentRequest {
  const { path, query } = pathOf(exchange.url, side);
  const known = (text: string, as: string): string => (given.has(text) ? as : settled(text, side));
  const jobs = JOBS.exec(path);
  const { method } = exchange;
  let place = settled(path, side);
  let operation: OperationId | null = null;
  if (jobs) {
    const [, instId = '', name, rest] = jobs;
    operation = operations.find((one) => one.interface === 'jobs' && one.id === name)?.id ?? null;
    const tail = rest === undefined ? '' : `/${known(rest, '{job_id}')}`;
    place = `/api/v1/sl/${endpointWords(instId, side)}${name === undefined ? '' : `/${name}`}${tail}`;
  } else {
    const found = operations.find((one) => one.interface === 'inference' && path.startsWith(one.path));
    operation = found?.id ?? null;
    if (found && path.length > found.path.length) {
      place = `${found.path}/${known(path.slice(found.path.length + 1), '{model}')}`;
    }
  }
  const parts = [headerWords(exchange, jobs !== null, side), bodyWords(exchange.requestBody, operation, side)];
  const key = [`${method} ${place}?${settled(query, side)}`, ...parts].join('\n');
  return { key, method, operation, place: operation ?? place };
}

/** Every quoted text of a body, to search for ids, also in a body that was cut. */
export function textsOf(body: string | undefined): string[] {
  return [...(body ?? '').matchAll(/"((?:[^"\\]|\\.){1,200})"/g)].map((match) => match[1] ?? '');
}
