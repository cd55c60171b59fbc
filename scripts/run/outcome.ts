/** The end of a run: facts judged, report written, the last lines said, the exit code found. */
import { inAll } from '../../reports/counts.ts';
import { compareWithReference } from '../../reports/differences/index.ts';
import { remember } from '../../reports/history/index.ts';
import { assemble, finalBlock, jsonText, stored, writeReport } from '../../reports/index.ts';
import { samplesOf, writeSamples } from '../../reports/latency/samples.ts';
import { generatorReport } from '../../reports/verdicts/generator.ts';
import { judge } from '../../reports/verdicts/index.ts';
import { clauses } from '../../schemas/clauses/index.ts';
import { declareGoals } from '../../schemas/goals.ts';
import { tableOf } from '../../schemas/limits.ts';
import type { Results, Traffic } from '../../schemas/results.ts';
import type { RunSelection } from '../../schemas/results-parts.ts';
import { suiteVersion } from '../package.ts';
import { styleFor } from '../style.ts';
import { settleBaseline } from './baseline.ts';
import type { Prepared, Run } from './prepare.ts';
import { closed, declaredIds, type Ending, type RunRecord } from './record.ts';

export interface Ended {
  readonly run: Run;
  readonly prepared: Prepared;
  readonly record: RunRecord;
  /** null for a run that came to its end. */
  readonly ending: Ending | null;
}

/**
 * Resolves with the exit code. Throws UsageError when the report can't be written.
 *
 * @param brief of a run that reached no target: the last lines only say where the report is
 */
export async function writeOutcome(ended: Ended, brief = false): Promise<number> {
  const { prepared, run } = ended;
  const { settings, host } = run;
  const secrets = Object.values(prepared.credentials);
  const reported = await remember(await resultsOf(ended), run.history, secrets);
  const { paths, results } = await writeReport(reported, run.dir, {
    secrets,
    clauses,
    // One that reached no target is no newer state of it.
    latest: settings.values.out === undefined && !brief,
  });
  await writeSamples(samplesOf([...ended.record.loadFacts, ...ended.record.retryFacts]), run.dir);
  const lines = settings.values.json ? host.stderr : host.stdout;
  const block = finalBlock(results, paths, styleFor(lines));
  lines.write(`${(brief ? block.slice(-1) : block).join('\n')}\n`);
  await run.job.tell(results, paths.summary);
  if (settings.values.json) host.stdout.write(jsonText(stored(results)));
  return results.exitCode;
}

function selectionOf({ parts, settings }: Run): RunSelection {
  const goals = declareGoals(settings.goals ?? []).map(({ id, goal }) => [id, goal.ms] as const);
  return { contract: parts.conformance, load: parts.load, only: settings.only, goals: Object.fromEntries(goals) };
}

function trafficOf({ wiring, load }: Prepared, record: RunRecord): Traffic {
  const { contract, loadFacts, retryFacts, announcedForRetry } = record;
  const sent = [...loadFacts, ...retryFacts].reduce(
    (all, facts) => all + ('health' in facts ? facts.health.sent : 0),
    0,
  );
  return {
    ...(wiring ? { wiring } : {}),
    ...(contract ? { contract } : {}),
    ...(load ? { load: { announced: inAll(load.plan, announcedForRetry), sent: { requests: sent } } } : {}),
  };
}

/**
 * The results of the run. All that was seen stands; a harness that broke is distinguished from a person who stopped it.
 */
async function resultsOf({ run, prepared, record, ending }: Ended): Promise<Results> {
  const { id, startedAt, settings } = run;
  const facts = closed(record, ending);
  const judged = judge({
    checkFacts: facts.checks,
    loadFacts: facts.load,
    retryFacts: record.retryFacts,
    declaredLoad: record.declaredLoad,
    declaredGoals: record.declaredGoals,
    endpoints: prepared.target.endpoints,
    table: tableOf(prepared.target),
  });
  const { limits, latency, achieved, streams } = judged;
  const beside = { ...judged, facts: facts.checks, target: prepared.target, runId: id, view: record.reference };
  const { checks, reference } = compareWithReference(beside);
  const generator = generatorReport([...facts.load, ...record.retryFacts]);
  const finishedAt = new Date();
  const { baseline, fault } = await settleBaseline(run, prepared.target, checks);
  const why = [ending && ending.kind !== 'interrupted' ? ending.why : undefined, fault].filter(
    (one) => one !== undefined,
  );
  return assemble({
    checks,
    limits,
    latency,
    achieved,
    streams,
    declared: declaredIds(record),
    run: {
      id,
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
      profile: settings.profile,
      suiteVersion: suiteVersion(),
      k6Version: prepared.load?.k6.version ?? null,
      nodeVersion: process.version,
      durationMs: finishedAt.getTime() - startedAt.getTime(),
      floorMs: record.floorMs,
      traffic: trafficOf(prepared, record),
      asked: selectionOf(run),
      ...(settings.values.config === undefined ? {} : { config: settings.values.config }),
      ...(generator ? { generator } : {}),
    },
    target: prepared.target,
    clauses,
    strict: settings.values.strict ?? false,
    ...(ending?.kind === 'interrupted' ? { interrupted: ending.why } : {}),
    reference,
    ...(baseline ? { baseline } : {}),
    ...(why.length > 0 ? { fault: why.join('; ') } : {}),
  });
}
