/** A run's results -> what is kept of it when its directory is gone. */
import {
  HISTORY_VERSION,
  type HistoryLine,
  type NotableVerdict,
  notableVerdicts,
  type PastRun,
} from '../../schemas/history.ts';
import type { Results } from '../../schemas/results.ts';
import { bareLimit, knownIds, seenOf } from '../changes/changes.ts';
import { answeredLatency, firstTokens } from '../latency/words.ts';
import { parametersOf } from './parameters.ts';

const notable = (verdict: string): verdict is NotableVerdict => notableVerdicts.some((one) => one === verdict);

/** The run itself, to compare with others of the same parameters. */
export function pastRun(results: Results): PastRun {
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
    known: knownIds(checks),
    limits: limits.map(bareLimit),
    latency: answeredLatency(results),
    firstToken: firstTokens(results),
  };
}

export function historyLine(results: Results): HistoryLine {
  return { schemaVersion: HISTORY_VERSION, ...pastRun(results), parameters: parametersOf(results) };
}

/** A line without what is the same in all the runs that it is kept with. */
export function withoutParameters({ schemaVersion: _version, parameters: _parameters, ...past }: HistoryLine): PastRun {
  return past;
}
