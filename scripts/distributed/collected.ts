/** What runners left behind, as a run: their ledgers, probe by probe, judged as if one process had sent them all. */
import { readFileSync } from 'node:fs';
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { analyse, type PlannedProbe } from '../../scenarios/index.ts';
import type { LoadFacts } from '../../schemas/facts.ts';
import { decodeLedger, type Ledger } from '../../schemas/ledger.ts';
import { NO_KEYS, UsageError } from '../../schemas/target.ts';
import { readValues } from '../cli/settings.ts';
import type { RawOptions } from '../cli/values.ts';
import type { Host } from '../host.ts';
import { createProgress } from '../progress.ts';
import { openBaseline } from '../run/baseline.ts';
import { openRunDirectory } from '../run/directory.ts';
import { githubJob } from '../run/github.ts';
import { historyFile } from '../run/history.ts';
import { onInterrupt } from '../run/interrupt.ts';
import { writeOutcome } from '../run/outcome.ts';
import { emptyRecord } from '../run/record.ts';
import { type DistributedPlan, LEDGERS, planOf, probesOf } from './plan.ts';

/** Resolves with the exit code of the run. Throws UsageError where there is no ledger at all. */
export async function reportCollected(
  directory: string,
  distributed: DistributedPlan,
  flags: RawOptions,
  host: Host,
): Promise<number> {
  const values = readValues('report', flags, host.env);
  const { target, profile, only, runId: id } = distributed;
  const credentials = NO_KEYS;
  const settings = { target, credentials, profile, only, values };
  const plan = planOf(distributed);
  const from = join(directory, LEDGERS);
  const names = await readdir(from).catch(() => []);
  if (names.length === 0) throw new UsageError(`no ledger in ${from}: copy there what the runners left (README.md)`);
  const { path: dir } = await openRunDirectory(values.out, id);
  await cp(from, join(dir, 'ledger'), { recursive: true });
  const record = emptyRecord();
  record.declaredLoad.push(...plan.declared);
  record.floorMs = plan.floorMs;
  record.loadFacts.push(...plan.unobservable.map((one) => ({ kind: 'missing', ...one }) as const));
  let startedMs = Number.POSITIVE_INFINITY;
  for (const probe of probesOf(plan)) {
    const parts = names.filter((name) => name.startsWith(`${probe.id}.`)).sort();
    const { facts, startMs } = factsOf(probe, decodeLedger(textsOf(parts.map((name) => join(from, name)))));
    record.loadFacts.push(facts);
    startedMs = Math.min(startedMs, startMs);
  }
  const lines = values.json ? host.stderr : host.stdout;
  const run = {
    id,
    startedAt: new Date(Number.isFinite(startedMs) ? startedMs : Date.now()),
    parts: { conformance: false, load: true },
    settings,
    baseline: await openBaseline(settings),
    history: await historyFile(values.history),
    host,
    dir,
    progress: createProgress(lines, { quiet: true }),
    job: githubJob(host, lines),
    interrupt: onInterrupt(() => {}),
    cleanUp: [],
  };
  try {
    return await writeOutcome({ run, prepared: { target, credentials, load: null }, record, ending: null });
  } finally {
    run.interrupt.dispose();
    run.job.close();
  }
}

/** One after the other, each when it is needed. */
function* textsOf(files: readonly string[]): Generator<string> {
  for (const file of files) yield readFileSync(file, 'utf8');
}

function factsOf(probe: PlannedProbe, ledger: Ledger): { readonly facts: LoadFacts; readonly startMs: number } {
  const [first] = ledger.runners ?? [];
  if (first) return { facts: analyse(probe, ledger), startMs: first.startAtMs };
  const reason = 'none of its runners left a ledger that can be read';
  const outcome = { kind: 'inconclusive', reason, remedy: 'see what became of its pods, and send it again' } as const;
  return { facts: { kind: 'missing', checkIds: probe.checkIds, outcome }, startMs: Number.POSITIVE_INFINITY };
}
