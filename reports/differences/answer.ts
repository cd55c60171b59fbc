/**
 * One answer, reduced to what two correct runs of one service always agree on: status, kind of body, which notable
 * headers it has, the values in its body by name and not by content, and whether it kept its caller waiting.
 */
import type { Exchange } from '../../schemas/facts.ts';
import { type JobState, stateOf } from '../../schemas/job-answer.ts';
import { parseJson } from '../../schemas/json.ts';
import { mayHold, type OperationId } from '../../schemas/operations.ts';

// What can still be read of a JSON text that was cut: everything that was complete before the cut. Lists of models and
// of requests are long, and evidence keeps only their beginning.

interface Read {
  readonly value: unknown;
  /** Objects that the cut went through: what they lack may have stood behind it. */
  readonly torn: ReadonlySet<unknown>;
}

/** Cuts back to the last complete item or field and closes what is open. Null where nothing was complete. */
function mended(text: string): string | null {
  const open: string[] = [];
  let best: { readonly end: number; readonly close: string } | null = null;
  let inText = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (inText) {
      if (char === '\\') index += 1;
      else if (char === '"') inText = false;
    } else if (char === '"') inText = true;
    else if (char === '{' || char === '[') open.push(char === '{' ? '}' : ']');
    else if (char === '}' || char === ']') open.pop();
    const end = char === ',' ? index : index + 1;
    if (!inText && [',', '}', ']'].includes(char)) best = { end, close: [...open].reverse().join('') };
  }
  return best && text.slice(0, best.end) + best.close;
}

/** The value up to the cut, with the objects that are not whole; null where nothing can be read. */
export function readCut(text: string): Read | null {
  const whole = mended(text);
  if (whole === null) return null;
  const value = parseJson(whole);
  if (value === undefined) return null;
  // The cut goes through the last child of the last child, and so on: how deep doesn't matter, whole ones lose little.
  const torn = new Set<unknown>();
  let at: unknown = value;
  while (typeof at === 'object' && at !== null) {
    torn.add(at);
    at = Object.values(at).at(-1);
  }
  return { value, torn };
}

export interface Answer {
  /** 0 where none came. */
  readonly status: number;
  readonly contentType: string;
  /** Names of those notable headers that it has; families of them under one name. */
  readonly headers: ReadonlySet<string>;
  readonly kind: 'json' | 'events' | 'text' | 'nothing' | 'cut';
  /** The body, or the data of its events. */
  readonly values: readonly unknown[];
  /** Objects among them that evidence kept in part only. */
  readonly torn: ReadonlySet<unknown>;
  /** Only known of long-polls whose time leaves no doubt. */
  readonly wait: 'waits' | 'at once' | 'unknown';
}

const CUT = /… \(\d+ (?:more )?characters\)$/;
/** An answer as quick as this did not wait; one that took as long as those surely did. Milliseconds. */
const AT_ONCE_MS = 150;
const WAITED_MS = { finished: 300, unfinished: 1000 };
const UNFINISHED: readonly JobState[] = ['queued', 'running'];

const notable: readonly (readonly [RegExp, string])[] = [
  [/^retry-after$/, 'Retry-After'],
  [/^ratelimit(?:-|$)/, 'RateLimit'],
  [/^x-ratelimit-/, 'X-RateLimit-*'],
  [/^www-authenticate$/, 'WWW-Authenticate'],
  [/^x-request-id$/, 'X-Request-Id'],
  [/^allow$/, 'Allow'],
  [/^cache-control$/, 'Cache-Control'],
];

export const isUnfinished = (word: string): boolean => UNFINISHED.includes(stateOf({ status: word }));

/** The data of each event; the last one of a stream that was cut is not whole. */
function eventsIn(text: string, cut: boolean): unknown[] {
  const events = text.split(/\r?\n\r?\n/);
  const whole = cut ? events.slice(0, -1) : events;
  const data = whole.map((event) => [...event.matchAll(/^data: ?(.*)$/gm)].map((line) => line[1]).join('\n'));
  return data.flatMap((one) => parseJson(one) ?? []);
}

function bodyOf(text: string, contentType: string): Pick<Answer, 'kind' | 'values' | 'torn'> {
  const cut = CUT.test(text);
  const torn = new Set<unknown>();
  if (text.trim() === '') return { kind: 'nothing', values: [], torn };
  if (contentType === 'text/event-stream') return { kind: 'events', values: eventsIn(text, cut), torn };
  if (cut) {
    const part = readCut(text.replace(CUT, ''));
    return part ? { kind: 'json', values: [part.value], torn: part.torn } : { kind: 'cut', values: [], torn };
  }
  const whole = parseJson(text);
  return whole === undefined ? { kind: 'text', values: [], torn } : { kind: 'json', values: [whole], torn };
}

function waitOf(durationMs: number, values: readonly unknown[]): Answer['wait'] {
  const unfinished = values.some((one) => UNFINISHED.includes(stateOf(one)));
  if (unfinished && durationMs < AT_ONCE_MS) return 'at once';
  return durationMs >= (unfinished ? WAITED_MS.unfinished : WAITED_MS.finished) ? 'waits' : 'unknown';
}

/** @param operation the operation of the request; only long-polls have a wait. */
export function answerIn(exchange: Exchange, operation: OperationId | null): Answer {
  const headers = Object.entries(exchange.responseHeaders ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  const contentType = type.split(';')[0]?.trim().toLowerCase() ?? '';
  const families = headers.flatMap(([name = '']) => notable.find(([pattern]) => pattern.test(name))?.[1] ?? []);
  const { status = 0 } = exchange;
  // An answer to HEAD has no body; what stands there instead is the client's doing.
  const body = bodyOf(exchange.method === 'HEAD' ? '' : (exchange.responseBody ?? ''), contentType);
  const polled = mayHold(operation) && status >= 200 && status < 300 && body.kind === 'json';
  return {
    status,
    contentType,
    headers: new Set(families),
    ...body,
    wait: polled ? waitOf(exchange.durationMs, body.values) : 'unknown',
  };
}
