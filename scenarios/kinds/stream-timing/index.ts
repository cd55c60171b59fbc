/** When tokens of a completion, and results of a job, arrive. */
import type { StreamTiming, StreamTimingFacts } from '../../../schemas/facts.ts';
import type { Goal } from '../../../schemas/goals.ts';
import type { PercentileName } from '../../../schemas/latency.ts';
import type { Ledger } from '../../../schemas/ledger.ts';
import type { LedgerRow } from '../../../schemas/ledger-rows.ts';
import { CHAT_STREAM_TIMING, RESULT_STREAM_TIMING } from '../../../schemas/load-checks.ts';
import { generatorHealth } from '../../analysis/health.ts';
import { bySpeed, workersAtLeast } from '../../plan/assumptions.ts';
import { BYTES_PER_REQUEST, type PlanContext } from '../../plan/context.ts';
import { closedByWorkload, needsWorkers, noEndpoint } from '../../plan/reasons.ts';
import type { Candidate, PlannedProbe } from '../../plan/types.ts';
import type { StreamTimingParameters } from '../../probe.ts';
import type { Kind } from '../kind.ts';
import { arrivalsIn, sendStreams } from './send/index.ts';

/** A stream begins with its request: the completion itself, or the submission of a job. */
const BEGINS = ['completion', 'submit'];

export function analyseStreamTiming(
  { instId, operation }: StreamTimingParameters,
  ledger: Ledger,
  planned: number,
): StreamTimingFacts {
  const streams: LedgerRow[][] = [];
  for (const entry of ledger.entries) {
    if (BEGINS.includes(entry.phase)) streams.push([entry]);
    else if (entry.phase === 'read') streams.at(-1)?.push(entry);
  }
  return {
    kind: 'stream-timing',
    instId,
    operation,
    streams: streams.map(timingOf),
    health: generatorHealth(ledger, planned),
  };
}

const micro = (ms: number): number => Math.round(ms * 1000) / 1000;

function timingOf(entries: readonly LedgerRow[]): StreamTiming {
  const [first, last] = [entries[0], entries.at(-1)];
  const zeroMs = first?.sentMs ?? 0;
  return {
    status: last?.status ?? 0,
    tokensMs: entries.flatMap(({ note }) => arrivalsIn(note)).map((atMs) => micro(atMs - zeroMs)),
    wholeMs: micro((last?.endMs ?? zeroMs) - zeroMs),
  };
}

// The probes that time streams: few, since completions cost money. Where a goal needs a percentile for which few are
// not enough, as many as that takes.

const STREAMS = 5;
/** Values that a goal's percentile of the time to the first token takes. */
const STREAMS_FOR: Readonly<Record<PercentileName, number>> = {
  p50: STREAMS,
  p90: 10,
  p95: 20,
  p99: 100,
  max: STREAMS,
};
const CHAT_TOKENS = 32;
/** Of one job. Few and quick, so that its worker is soon free again. */
const RESULTS = 8;
const RESULTS_APART_MS = 50;
/** A target that hands out each result by itself, and one that answers at once where there is none yet. */
const READS_MOST = 3 * RESULTS;
const CHAT_MS = { usual: 1500, near: 200 };

function streamsFor(operation: 'chat' | 'stream', goals: readonly Goal[] = []): number {
  const own = goals.filter((goal) => goal.operation === operation && goal.measure !== 'latency');
  const needed = own.map(({ measure, percentile }) => (measure === 'first-token' ? STREAMS_FOR[percentile] : STREAMS));
  return Math.max(STREAMS, ...needed);
}

const common = { floorMs: 0, exclusive: [], startsIdle: false, sender: 'held', machine: 'steady' } as const;

export function chatTimingCandidate({ goals, speed }: PlanContext): Candidate {
  const checkIds = [CHAT_STREAM_TIMING];
  const streams = streamsFor('chat', goals);
  const parameters: StreamTimingParameters = {
    kind: 'stream-timing',
    instId: '',
    operation: 'chat',
    streams,
    tokens: CHAT_TOKENS,
    apartMs: 0,
    readsMost: 0,
  };
  const probe: PlannedProbe = {
    ...common,
    id: 'chat.stream-timing',
    title: `Token arrival times of ${streams} streamed chat completions`,
    checkIds,
    parameters,
    requests: streams,
    bytes: streams * BYTES_PER_REQUEST,
    estimateMs: streams * bySpeed(speed, CHAT_MS),
    shared: ['budget:inference'],
    spends: {},
  };
  return { checkIds, probe };
}

export function resultTimingCandidate(context: PlanContext): Candidate {
  const checkIds = [RESULT_STREAM_TIMING];
  const endpoint = context.endpoints[0];
  const closed =
    closedByWorkload(context.target, 'streaming') ??
    (endpoint === undefined
      ? noEndpoint
      : workersAtLeast(endpoint, context.speed) === 0
        ? needsWorkers(1, 'a job that never runs has no results to stream')
        : undefined);
  if (closed || !endpoint) return { checkIds, missing: closed ?? noEndpoint };
  const streams = streamsFor('stream', context.goals);
  const parameters: StreamTimingParameters = {
    kind: 'stream-timing',
    instId: endpoint.instId,
    operation: 'stream',
    streams,
    tokens: RESULTS,
    apartMs: RESULTS_APART_MS,
    readsMost: READS_MOST,
  };
  const requests = streams * (1 + READS_MOST);
  const probe: PlannedProbe = {
    ...common,
    id: 'stream.timing',
    title: `Result arrival times of ${streams} streaming jobs`,
    checkIds,
    parameters,
    requests,
    bytes: requests * BYTES_PER_REQUEST,
    estimateMs:
      streams * (RESULTS * RESULTS_APART_MS + 2 * context.speed.roundTripMs + (context.speed.quickJobMs ?? 0)),
    shared: ['budget:run', 'budget:status', `queue:${endpoint.instId}`, `workers:${endpoint.instId}`],
    spends: { run: streams, status: streams * READS_MOST },
  };
  return { checkIds, probe };
}

export const streamTiming: Kind<StreamTimingParameters> = {
  questions: () => [
    {
      of: 'inference',
      bursts: true,
      checkIds: [CHAT_STREAM_TIMING],
      plan: (context) => [chatTimingCandidate(context)],
    },
    {
      of: 'jobs',
      bursts: true,
      checkIds: [RESULT_STREAM_TIMING],
      plan: (context) => [resultTimingCandidate(context)],
    },
  ],
  least: ({ streams }) => streams,
  send: (parameters, { sending, env }) => sendStreams(parameters, sending, env),
  analyse: analyseStreamTiming,
};
