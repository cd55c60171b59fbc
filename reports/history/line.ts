/** A run's results -> what is kept of it when its directory is gone. */
import {
  HISTORY_VERSION,
  type HistoryLatency,
  type HistoryLine,
  type NotableVerdict,
  notableVerdicts,
  type PastRun,
} from '../../schemas/history.ts';
import type { ResultCheck, Results } from '../../schemas/results.ts';
import { parametersOf } from './parameters.ts';

/** What was seen of a check, without the excuse that a baseline gives it. */
export const seenOf = ({ verdict, known }: Pick<ResultCheck, 'verdict' | 'known'>): ResultCheck['verdict'] =>
  known?.verdict ?? verdict;

const notable = (verdict: string): verdict is NotableVerdict => notableVerdicts.some((one) => one === verdict);

function latencyOf({ latency = [] }: Results): HistoryLatency[] {
  return latency
    .filter(({ statusClass }) => statusClass === '2xx')
    .map(({ operation, requests, latency: percentiles }) => ({ operation, requests, latency: percentiles }));
}

function firstTokenOf({ streams = [] }: Results): HistoryLatency[] {
  return streams.flatMap(({ operation, answered, firstToken }) =>
    firstToken ? [{ operation, requests: answered, latency: firstToken }] : [],
  );
}

function pastRun(results: Results): PastRun {
  const { run, complete, verdict, exitCode, counts, checks, limits } = results;
  const seen = checks.flatMap((check) => {
    const word = seenOf(check);
    return notable(word) ? [[check.id, word] as const] : [];
  });
  return {
    run: {
      id: run.id,
      startedAt: run.startedAt,
      durationMs: run.durationMs,
      suiteVersion: run.suiteVersion,
      k6Version: run.k6Version,
      nodeVersion: run.nodeVersion,
    },
    complete,
    verdict,
    exitCode,
    counts,
    checks: Object.fromEntries(seen),
    known: checks.filter((check) => check.known).map(({ id }) => id),
    limits: limits.map(({ id, kind, documented, measured, algorithm, verdict: judged }) => ({
      id,
      kind,
      documented,
      measured,
      ...(algorithm ? { algorithm } : {}),
      verdict: judged,
    })),
    latency: latencyOf(results),
    firstToken: firstTokenOf(results),
  };
}

export function historyLine(results: Results): HistoryLine {
  return { schemaVersion: HISTORY_VERSION, ...pastRun(results), parameters: parametersOf(results) };
}

/** A line without what is the same in all the runs that it is kept with. */
export function withoutParameters({ schemaVersion: _version, parameters: _parameters, ...past }: HistoryLine): PastRun {
  return past;
}
