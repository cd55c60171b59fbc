/** The end of a run: facts judged, report written, the last lines said, the exit code found. */
import { assemble, finalBlock, writeReport } from '../../reports/index.ts';
import { judge } from '../../reports/verdicts/index.ts';
import { clauses } from '../../schemas/clauses/index.ts';
import type { Results } from '../../schemas/results.ts';
import type { Settings } from '../cli/settings.ts';
import type { Host } from '../host.ts';
import { suiteVersion } from '../package.ts';
import { styleFor } from '../style.ts';
import { closed, declaredIds, type Ending, type RunRecord } from './record.ts';
import type { Prepared } from './session.ts';

export interface Ended {
  readonly prepared: Prepared;
  readonly settings: Settings;
  readonly dir: string;
  readonly runId: string;
  readonly startedAt: Date;
  readonly record: RunRecord;
  /** null for a run that came to its end. */
  readonly ending: Ending | null;
  readonly host: Host;
}

const HARNESS_BROKE = { verdict: 'error', exitCode: 2 } as const;

/** Resolves with the exit code. Throws UsageError when the report can't be written. */
export async function writeOutcome(ended: Ended): Promise<number> {
  const { prepared, settings, host } = ended;
  const { accessKey, jobKey, brokeKey } = prepared.credentials;
  const secrets = [accessKey, jobKey, brokeKey];
  const { paths, results } = await writeReport(resultsOf(ended), ended.dir, { secrets, clauses });
  const lines = settings.values.json ? host.stderr : host.stdout;
  lines.write(`${finalBlock(results, paths, styleFor(lines)).join('\n')}\n`);
  if (settings.values.json) host.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  return results.exitCode;
}

/** What the run comes to. Whatever was seen stands; a harness that broke is told apart from a person who stopped it. */
function resultsOf({ prepared, settings, runId, startedAt, record, ending }: Ended): Results {
  const facts = closed(record, ending);
  const { checks, limits } = judge({
    checkFacts: facts.checks,
    loadFacts: facts.load,
    declaredLoad: record.declaredLoad,
    endpoints: prepared.target.endpoints,
  });
  const finishedAt = new Date();
  const results = assemble({
    checks,
    limits,
    declared: declaredIds(record),
    run: {
      id: runId,
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
      profile: settings.profile,
      suiteVersion: suiteVersion(),
      k6Version: prepared.k6?.version ?? null,
      nodeVersion: process.version,
      durationMs: finishedAt.getTime() - startedAt.getTime(),
      floorMs: record.floorMs,
    },
    target: prepared.target,
    clauses,
    strict: settings.values.strict ?? false,
    ...(ending === null ? {} : { interrupted: ending.why }),
  });
  return ending?.kind === 'broken' ? { ...results, ...HARNESS_BROKE } : results;
}
