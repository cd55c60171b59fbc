/**
 * The sender that times streams: a few completions with `stream`, or a few jobs whose results are read while they are
 * made, one after the other so that they don't disturb one another. k6 sees an answer only when it is whole, so this one
 * is in this process.
 */
import type { LedgerEntry } from '../../../../schemas/ledger.ts';
import { deadline } from '../../../execute/deadline.ts';
import type { SenderEnvironment, Sending } from '../../../execute/environment.ts';
import { type ExchangeOptions, exchange } from '../../../execute/exchange.ts';
import { begun } from '../../../execute/own-ledger.ts';
import { generation, type OutgoingRequest, outgoing, streamingJob } from '../../../execute/requests.ts';
import { pause } from '../../../execute/stopwatch.ts';
import { hasEnded, jobIdIn } from '../../../k6/lib/job-state.ts';
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

type Send = Omit<ExchangeOptions, 'phase' | 'each'>;

/** One request, as a ledger entry with the moments of its tokens; without a reader there are none. */
async function readAnswer(one: OutgoingRequest, phase: string, send: Send, tokens?: TokenReader) {
  const arrivals: number[] = [];
  const each = (text: string): void => {
    const atMs = send.clock();
    for (let token = tokens?.read(text) ?? 0; token > 0; token -= 1) arrivals.push(atMs);
  };
  const { entry, body } = await exchange(one, { ...send, phase, each });
  return { entry: { ...entry, note: noteOf(arrivals) }, body, tokens: arrivals.length };
}

const ANSWER_PATIENCE_MS = 60_000;
const TOTAL_PATIENCE_MS = 300_000;
/** After an answer without news: the target may not hold one until there is some. */
const PAUSE_MS = 50;

/** Sends the probe and returns its ledger; without an `end` mark when it was aborted or took too long. */
export async function sendStreams(
  parameters: StreamTimingParameters,
  sending: Sending,
  env: SenderEnvironment,
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
  record((await readAnswer(one, 'completion', send, completionTokens())).entry);
}

/** Submits a job that makes its results one by one, and requests them until it is over or they are all there. */
async function readJob(parameters: StreamTimingParameters, send: Send, record: Record): Promise<void> {
  const { tokens: wanted, apartMs, readsMost } = parameters;
  const { addresses } = send.sending;
  const body = streamingJob(addresses, wanted, apartMs);
  const submitted = await readAnswer(outgoing(addresses, 'run', { body }), 'submit', send);
  record(submitted.entry);
  const jobId = jobIdIn(submitted.body);
  if (jobId === null) return;
  const tokens = resultTokens();
  for (let reads = 0, came = 0; reads < readsMost && came < wanted; reads += 1) {
    const answer = await readAnswer(outgoing(addresses, 'stream', { jobId }), 'read', send, tokens);
    tokens.answerOver();
    record(answer.entry);
    came += answer.tokens;
    if (hasEnded(answer.body)) return;
    if (answer.tokens === 0) await pause(PAUSE_MS, send.signal);
  }
}
