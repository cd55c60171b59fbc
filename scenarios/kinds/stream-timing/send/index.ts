/**
 * The sender that times streams: a few completions with `stream`, or a few jobs whose results are read while they are
 * made, one after the other so that they don't disturb one another. k6 sees an answer only when it is whole, so this one
 * is in this process.
 */
import { request } from 'undici';
import type { LedgerEntry } from '../../../../schemas/ledger.ts';
import { deadline } from '../../../execute/deadline.ts';
import type { Sending } from '../../../execute/environment.ts';
import { begun } from '../../../execute/own-ledger.ts';
import {
  generation,
  headersFor,
  type OutgoingRequest,
  outgoing,
  streamingJob,
  userAgentOf,
} from '../../../execute/requests.ts';
import { pause, type Stopwatch } from '../../../execute/stopwatch.ts';
import { jobIdOf, jobState } from '../../../k6/lib/job-state.ts';
import type { StreamTimingParameters } from '../../../probe.ts';
import { completionTokens, resultTokens, type TokenReader } from './tokens.ts';

/** @param atMs one moment for each token, ms, in the order in which they came */
export const noteOf = (atMs: readonly number[]): string => atMs.map((ms) => ms.toFixed(3)).join(' ');

/** The moments again; none where the note is no such list. */
export function arrivalsIn(note: string): number[] {
  if (note === '') return [];
  const all = note.split(' ').map(Number);
  return all.every((ms) => Number.isFinite(ms)) ? all : [];
}

// One request whose answer is read as it comes, as a ledger entry with the moments of its tokens.

interface ReadOptions {
  readonly phase: string;
  readonly sending: Pick<Sending, 'addresses' | 'key'>;
  readonly clock: Stopwatch;
  readonly signal: AbortSignal;
  /** Milliseconds until the answer, body and all, is given up (status 0). */
  readonly timeoutMs: number;
  /** Absent: there are no tokens to look for. */
  readonly tokens?: TokenReader;
}

interface ReadAnswer {
  readonly entry: LedgerEntry;
  readonly body: string;
  /** How many tokens it brought. */
  readonly tokens: number;
}

/** Rejects only when the signal is aborted; a failure is an entry with status 0, with what had come until then. */
async function readAnswer(one: OutgoingRequest, options: ReadOptions): Promise<ReadAnswer> {
  const { phase, sending, clock, signal, timeoutMs, tokens } = options;
  const arrivals: number[] = [];
  const sentMs = clock();
  let [status, error, body] = [0, '', ''];
  let firstByteMs: number | null = null;
  const limit = deadline(signal, timeoutMs);
  try {
    const response = await request(one.url, {
      method: one.method,
      headers: { ...headersFor(sending.key, one.body !== null), 'User-Agent': userAgentOf(sending.addresses) },
      body: one.body,
      signal: limit.signal,
    });
    firstByteMs = clock();
    response.body.setEncoding('utf8');
    for await (const piece of response.body) {
      const atMs = clock();
      const text = String(piece);
      body += text;
      for (let token = tokens?.read(text) ?? 0; token > 0; token -= 1) arrivals.push(atMs);
    }
    status = response.statusCode;
  } catch (failure) {
    error = failure instanceof Error ? failure.name : String(failure);
  } finally {
    limit.over();
  }
  signal.throwIfAborted();
  const endMs = clock();
  const times = { sentMs, firstByteMs: firstByteMs ?? endMs, endMs };
  const entry = { phase, operation: one.operation, ...times, status, error, note: noteOf(arrivals) };
  return { entry, body, tokens: arrivals.length };
}

const ANSWER_PATIENCE_MS = 60_000;
const TOTAL_PATIENCE_MS = 300_000;
/** After an answer without news: the target may not hold one until there is some. */
const PAUSE_MS = 50;

type Send = Pick<ReadOptions, 'sending' | 'clock' | 'signal' | 'timeoutMs'>;

/** Sends the probe and returns its ledger; without an `end` mark when it was aborted or took too long. */
export async function sendStreams(
  parameters: StreamTimingParameters,
  sending: Sending,
  env: { readonly signal: AbortSignal; progress(done: number): void },
): Promise<string> {
  const all = begun();
  const limit = deadline(env.signal, TOTAL_PATIENCE_MS);
  const { signal } = limit;
  const send: Send = { sending, clock: all.clock, signal, timeoutMs: ANSWER_PATIENCE_MS };
  const record = (entry: LedgerEntry): void => {
    all.add(entry);
    env.progress(all.all().length);
  };
  const sent = all.during(signal, async () => {
    for (let stream = 0; stream < parameters.streams; stream += 1) {
      if (parameters.operation === 'chat') await readCompletion(parameters, send, record);
      else await readJob(parameters, send, record);
    }
  });
  return sent.finally(limit.over);
}

type Record = (entry: LedgerEntry) => void;

async function readCompletion({ tokens }: StreamTimingParameters, send: Send, record: Record): Promise<void> {
  const { addresses } = send.sending;
  const body = generation('chat', addresses, tokens, { stream: true });
  const one = outgoing(addresses, 'chat', { body });
  record((await readAnswer(one, { ...send, phase: 'completion', tokens: completionTokens() })).entry);
}

/** Submits a job that makes its results one by one, and asks for them until it is over or they are all there. */
async function readJob(parameters: StreamTimingParameters, send: Send, record: Record): Promise<void> {
  const { tokens: wanted, apartMs, readsMost } = parameters;
  const { addresses } = send.sending;
  const submitted = await readAnswer(outgoing(addresses, 'run', { body: streamingJob(addresses, wanted, apartMs) }), {
    ...send,
    phase: 'submit',
  });
  record(submitted.entry);
  const jobId = jobIdOf(submitted.body);
  if (jobId === null) return;
  const tokens = resultTokens();
  for (let reads = 0, came = 0; reads < readsMost && came < wanted; reads += 1) {
    const answer = await readAnswer(outgoing(addresses, 'stream', { jobId }), { ...send, phase: 'read', tokens });
    tokens.answerOver();
    record(answer.entry);
    came += answer.tokens;
    if (jobState(answer.body) === 'finished') return;
    if (answer.tokens === 0) await pause(PAUSE_MS, send.signal);
  }
}
