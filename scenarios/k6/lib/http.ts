/**
 * Sends one request and records it. No redirect, no retry, no thresholds: what the ledger says is what was sent.
 *
 * When the server saw a request is known as an interval, and both ends are chosen so that they hold however long this
 * process was kept from running: the connection was had no earlier than `before + blocked` (only then is anything
 * written), and the first byte of the answer came no later than `after - receiving`.
 */
import { instance } from 'k6/execution';
import http, { type RefinedParams, type RefinedResponse, type ResponseType } from 'k6/http';
import { headOf } from '../../../schemas/ledger.ts';
import { headersFor, type OutgoingRequest } from '../../execute/requests.ts';
import { noteOf, saysRefused, wrongNote } from '../../limit-fields.ts';
import { now } from './clock.ts';
import { Contents } from './content.ts';
import { targetKey } from './environment.ts';
import { errorText } from './error-text.ts';
import { record, write } from './ledger.ts';
import { SENT_TWICE, sentTwiceJudge } from './sent-twice.ts';

export interface SendOptions {
  readonly phase: string;
  /** Milliseconds until the request is given up (status 0, error `timeout`). */
  readonly timeoutMs?: number;
  /** Keep the answer's body as text; by default it is discarded. */
  readonly keepBody?: boolean;
  /** Body other than the request's own, e.g. a large one as bytes. */
  readonly bytes?: ArrayBuffer;
  /** The entry's note, from the response; default: what it says of limits (limit-fields.ts). */
  readonly note?: (answer: Answer) => string;
  /** When the schedule wanted it sent, ms on the script's clock; absent where there is no such moment. */
  readonly dueMs?: number | undefined;
}

export interface Answer {
  /** 0 when there was none. */
  readonly status: number;
  readonly error: string;
  /** Empty when it was not kept. */
  readonly body: string;
  /** What it says of limits, as a note (limit-fields.ts). */
  readonly limitFields: string;
  readonly sentMs: number;
  readonly firstByteMs: number;
  readonly endMs: number;
}

/** A request with all that is the same each time it is sent: making that each time takes longer than the sending. */
export interface Prepared {
  readonly request: OutgoingRequest;
  readonly options: PreparedOptions;
  readonly params: RefinedParams<ResponseType>;
  readonly head: string;
  /** Whether k6 may send it twice, and that has to be known. */
  readonly mayRepeat: boolean;
  /** What is wrong with the content of its last response; empty where nothing is. */
  fault: string;
}

export interface PreparedOptions extends Pick<SendOptions, 'phase' | 'keepBody'> {
  /** Keep what its response says of limits, with any status. */
  readonly keepsLimitFields?: boolean;
  /**
   * Whether the number of requests that the server gets has to be known: a GET that may have been sent twice is then
   * recorded a second time, as one without a response (status 0, error `sent twice`).
   */
  readonly exact?: boolean;
}

const DEFAULT_TIMEOUT_MS = 30_000;
/** k6's code for a request that its own timeout ended. */
const TIMEOUT_CODE = 1050;

/** From here on an answer may be a refusal, of which more is kept. */
export const LEAST_REFUSAL = 400;

/** Of this VU. */
const contents = new Contents();
const sentTwice = sentTwiceJudge();

/** Both read once, since k6 makes new objects of them each time. */
const { request: requestOf } = http;
let clock: typeof instance | undefined;

export function prepare(request: OutgoingRequest, options: PreparedOptions): Prepared {
  const [head, params] = [headOf(options.phase, request.operation), paramsFor(request, options)];
  return { request, options, params, head, fault: '', mayRepeat: options.exact === true && request.method === 'GET' };
}

/**
 * What `send` does, for a paced load, where each request pays for every instruction: written out, since a call costs a
 * script as much as a ledger line does. Returns the status; 0 when there was no answer. (Bursts: volley.ts.)
 */
export function sendPrepared(prepared: Prepared, dueMs?: number): number {
  const { request } = prepared;
  clock ??= instance;
  const before = clock.currentTestRunDuration;
  const response = requestOf(request.method, request.url, request.body, prepared.params);
  const after = clock.currentTestRunDuration;
  const { status, timings } = response;
  if (prepared.options.keepsLimitFields || isRemarkable(prepared, response))
    recordLong(prepared, response, before, after, dueMs);
  else {
    // As `encodeShort` does.
    const row = `${prepared.head}${before},${timings.blocked},${timings.receiving},${after},${status}`;
    write(dueMs === undefined ? `${row}]` : `${row},${dueMs}]`);
  }
  if (prepared.mayRepeat) recordRepeated(prepared, response, before, after);
  return status;
}

type Response = RefinedResponse<ResponseType>;

/** No answer, or one whose status or body says something else than usually. */
export function isRemarkable(prepared: Prepared, { status, body }: Response): boolean {
  const isRefusal = status === 0 || status >= LEAST_REFUSAL || (typeof body === 'string' && saysRefused(body) !== '');
  prepared.fault = isRefusal || typeof body !== 'string' ? '' : contents.faultOf(prepared.request, body);
  return isRefusal || prepared.fault !== '';
}

/** The long row, of an answer that is a refusal or none. */
export function recordLong(
  { request, options, fault }: Prepared,
  response: Response,
  before: number,
  after: number,
  dueMs?: number,
): void {
  const note = fault === '' ? {} : { note: () => wrongNote(fault) };
  recorded(request, { ...options, dueMs, ...note }, answerOf(response, before, after), before, after);
}

/** A second entry, where k6 may have sent it twice. Call it for every response to a request that `mayRepeat`. */
export function recordRepeated(
  { request, options }: Prepared,
  response: Response,
  before: number,
  after: number,
): void {
  if (!sentTwice(response.timings)) return;
  const unseen = { ...answerOf(response, before, after), sentMs: before, status: 0, error: SENT_TWICE };
  recorded(request, { phase: options.phase, note: () => '' }, unseen, before, after);
}

export function send(request: OutgoingRequest, options: SendOptions): Answer {
  const body = options.bytes ?? request.body;
  const before = now();
  const response = requestOf(request.method, request.url, body, paramsFor(request, options));
  const after = now();
  // How long a connection takes is learnt from these.
  sentTwice(response.timings);
  return recorded(request, options, answerOf(response, before, after), before, after);
}

/** The same concurrently with others of this VU. */
export async function sendConcurrently(request: OutgoingRequest, options: SendOptions): Promise<Answer> {
  const before = now();
  const body = options.bytes ?? request.body;
  const response = await http.asyncRequest(request.method, request.url, body, paramsFor(request, options));
  const after = now();
  return recorded(request, options, answerOf(response, before, after), before, after);
}

/**
 * Sends several requests at the same time and waits for all. The first byte of each is no later than the end of all.
 * k6 sends as many at once as its options `batch` and `batchPerHost` allow.
 */
export function sendTogether(requests: readonly OutgoingRequest[], options: SendOptions): Answer[] {
  const before = now();
  const responses = http.batch(
    requests.map((request) => ({
      method: request.method,
      url: request.url,
      body: request.body,
      params: paramsFor(request, options),
    })),
  );
  const after = now();
  return requests.map((request, index) => {
    const response = responses[index];
    if (!response) throw new Error(`k6 answered ${responses.length} of ${requests.length} requests of a batch`);
    return recorded(request, options, answerOf(response, before, after), before, after);
  });
}

/** How often to check for a response. */
const POLL_EVERY_MS = 20;

/**
 * Sends one request and waits `patienceMs` for its answer; without one by then it is recorded as unanswered (status 0,
 * error `timeout`) and yet left open, so that the server goes on working for it, until `options.timeoutMs`.
 */
export async function sendLeavingOpen(
  request: OutgoingRequest,
  options: SendOptions,
  patienceMs: number,
): Promise<Answer> {
  const before = now();
  let answered: { readonly answer: Answer; readonly after: number } | undefined;
  const params = paramsFor(request, options);
  void http.asyncRequest(request.method, request.url, options.bytes ?? request.body, params).then((response) => {
    const after = now();
    answered = { answer: answerOf(response, before, after), after };
  });
  while (answered === undefined && now() < before + patienceMs) {
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  }
  if (answered) return recorded(request, options, answered.answer, before, answered.after);
  const after = now();
  const none = {
    status: 0,
    error: 'timeout',
    body: '',
    limitFields: '',
    sentMs: before,
    firstByteMs: after,
    endMs: after,
  };
  return recorded(request, options, none, before, after);
}

function answerOf(response: RefinedResponse<ResponseType>, before: number, after: number): Answer {
  // Where nothing else is said, a link says which resource was made (RFC 9110, 10.2.2).
  const body = typeof response.body === 'string' ? response.body || (response.headers.Location ?? '') : '';
  return {
    status: response.status,
    error: errorOf(response),
    body,
    // Only when it is used: most responses are kept for something else.
    get limitFields() {
      return noteOf(response.headers, saysRefused(body));
    },
    sentMs: before + response.timings.blocked,
    firstByteMs: after - response.timings.receiving,
    endMs: after,
  };
}

function recorded(
  request: OutgoingRequest,
  { phase, note = limitFieldsOf, dueMs }: SendOptions,
  answer: Answer,
  begunMs: number,
  endMs: number,
): Answer {
  const { sentMs, firstByteMs, status, error } = answer;
  const times = { sentMs, firstByteMs, endMs, ...(dueMs === undefined ? {} : { dueMs, begunMs }) };
  record({ phase, operation: request.operation, ...times, status, error, note: note(answer) });
  return answer;
}

const limitFieldsOf = ({ limitFields }: Answer): string => limitFields;

/** Redirects and unwanted bodies are set in the options: k6 reads these parameters for every request. */
function paramsFor(request: OutgoingRequest, options: SendOptions): RefinedParams<ResponseType> {
  const headers = headersFor(targetKey, request.body !== null || options.bytes !== undefined);
  return {
    headers,
    timeout: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    ...(options.keepBody ? { responseType: 'text' } : {}),
  };
}

function errorOf(response: RefinedResponse<ResponseType>): string {
  if (response.status !== 0) return '';
  if (response.error_code === TIMEOUT_CODE) return 'timeout';
  return `${response.error_code} ${errorText(response.error)}`;
}
