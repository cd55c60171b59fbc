/** Facts of streams that were read as they came -> the rows of the results, and the times that goals are held against. */
import type { LoadFacts, StreamTiming, StreamTimingFacts } from '../../schemas/facts.ts';
import type { GoalMeasure } from '../../schemas/goals.ts';
import type { ResultStreams } from '../../schemas/latency.ts';
import type { StreamSamples } from '../../schemas/samples.ts';
import { brokenLedger } from '../verdicts/evidence.ts';
import { missingPercentiles, percentilesOf, sorted } from './percentiles.ts';

const timingsIn = (facts: readonly LoadFacts[]): readonly StreamTimingFacts[] =>
  facts.filter((one) => one.kind === 'stream-timing');

type Tokens = Pick<StreamTiming, 'tokensMs'>;

const gapsOf = ({ tokensMs }: Tokens): number[] => tokensMs.slice(1).map((at, index) => at - (tokensMs[index] ?? at));

/** All at once, and nothing before: what makes the stream holds it back. */
function inOnePiece({ tokensMs }: Tokens): boolean {
  return tokensMs.length > 1 && tokensMs.every((at) => at === tokensMs[0]);
}

/** What is kept of the streams that were read. */
export const streamSamples = (facts: readonly LoadFacts[]): StreamSamples[] =>
  timingsIn(facts).map(({ operation, streams }) => ({ operation, tokensMs: streams.map(({ tokensMs }) => tokensMs) }));

/** One row for each operation whose streams were read. */
export const streamRows = (facts: readonly LoadFacts[]): ResultStreams[] => streamRowsOf(streamSamples(facts));

/** The same of samples that were kept. */
export function streamRowsOf(samples: readonly StreamSamples[]): ResultStreams[] {
  const names = [...new Set(samples.map(({ operation }) => operation))].sort();
  return names.map((operation) => {
    const own = samples.filter((one) => one.operation === operation);
    const streams = own.flatMap((one) => one.tokensMs.map((tokensMs) => ({ tokensMs })));
    const answered = streams.filter(({ tokensMs }) => tokensMs.length > 0);
    const firstToken = percentilesOf(sorted(answered.map(({ tokensMs }) => tokensMs[0] ?? 0)));
    const betweenTokens = percentilesOf(sorted(answered.flatMap(gapsOf)));
    const note = missingPercentiles(answered.length);
    return {
      operation,
      streams: streams.length,
      answered: answered.length,
      tokens: answered.reduce((sum, { tokensMs }) => sum + tokensMs.length, 0),
      ...(firstToken ? { firstToken } : {}),
      ...(betweenTokens ? { betweenTokens } : {}),
      inOnePiece: answered.filter(inOnePiece).length,
      ...(note ? { note: `time to the first token: ${note}` } : {}),
    };
  });
}

/** What a goal on streams is held against, ms. */
export interface TokenTimes {
  readonly values: readonly number[];
  readonly streams: number;
  /** Streams that brought as many tokens as the measure needs. */
  readonly answered: number;
  /** Why nothing was read, where a probe was to. */
  readonly why: string | undefined;
  readonly fault: string | undefined;
  /** Longest that the process that read them was kept from it, ms. */
  readonly stallMs: number;
}

export function tokenTimes(facts: readonly LoadFacts[], operation: string, measure: GoalMeasure): TokenTimes {
  const timings = timingsIn(facts).filter((one) => one.operation === operation);
  const streams = timings.flatMap((one) => one.streams);
  const least = measure === 'first-token' ? 1 : 2;
  const answered = streams.filter(({ tokensMs }) => tokensMs.length >= least);
  const values = answered.flatMap((one) => (measure === 'first-token' ? one.tokensMs.slice(0, 1) : gapsOf(one)));
  const fault = timings.map(({ health }) => brokenLedger(health)).find((one) => one !== undefined);
  const why =
    streams.length > 0
      ? `none of the ${streams.length} streams brought ${least === 1 ? 'a token' : 'two tokens'}`
      : undefined;
  const stallMs = Math.max(0, ...timings.map(({ health }) => health.machine?.loopLagMs ?? 0));
  return { values, streams: streams.length, answered: answered.length, why, fault, stallMs };
}
