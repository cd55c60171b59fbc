/**
 * One run from its checked configuration to its exit code. What fails before the first check is bad input; what fails
 * after it still ends in a report, marked incomplete.
 */
import {
  beginLongWaits,
  contractDeadlineMs,
  declaredChecks,
  longestWaitMs,
  runConformance,
} from '../../conformance/index.ts';
import { redactor } from '../../reports/index.ts';
import { arrangedAfter, type LoadInput, runLoad } from '../../scenarios/index.ts';
import { declareGoals } from '../../schemas/goals.ts';
import { tableOf } from '../../schemas/limits.ts';
import { matchesOnly } from '../../schemas/only.ts';
import { type TargetConfig, UsageError } from '../../schemas/target.ts';
import type { CheckDeclaration } from '../../schemas/verdicts.ts';
import { requireKeys, type Settings } from '../cli/settings.ts';
import { describeCrash, type Host } from '../host.ts';
import { createProgress } from '../progress.ts';
import { openBaseline } from './baseline.ts';
import { newRunId, openRunDirectory, type RunDirectory } from './directory.ts';
import { githubJob } from './github.ts';
import { historyFile } from './history.ts';
import { INTERRUPTED, onInterrupt } from './interrupt.ts';
import { absenceOf, addressesOf, untilGone } from './liveness.ts';
import { writeOutcome } from './outcome.ts';
import { type Prepared, prepare, type Run } from './prepare.ts';
import { addLater, type Ending, emptyRecord, type RunRecord } from './record.ts';
import { runReference, runReferenceUntil } from './reference-run.ts';
import { retryContract, retryLoad } from './retry.ts';
import { partsOf, select, selected } from './selection.ts';

export type RunCommand = 'verify' | 'conformance' | 'load';

/** How long work that goes on after a crash gets to stop the load and cancel its own jobs, ms. */
const STOPPING_MS = 20_000;

/** Resolves with the exit code. Throws UsageError when nothing could be begun, or when the report can't be written. */
export async function runSession(command: RunCommand, given: Settings, host: Host): Promise<number> {
  const settings = await selected(command, given);
  const parts = select(partsOf[command], settings.only, settings.goals, tableOf(settings.target ?? {}));
  if (settings.target !== null) requireKeys(settings.target, settings.credentials);
  host.protect(Object.values(settings.credentials));
  const baseline = await openBaseline(settings);
  const history = await historyFile(settings.values.history);
  const id = newRunId();
  const directory = await openRunDirectory(settings.values.out, id);
  const { json = false, quiet = false } = settings.values;
  const lines = json ? host.stderr : host.stdout;
  const job = githubJob(host, lines);
  const progress = createProgress(lines, { quiet });
  const interrupt = onInterrupt((line) => progress.note(line));
  const cleanUp: (() => Promise<void>)[] = [];
  const startedAt = new Date();
  const run: Run = {
    id,
    startedAt,
    parts,
    settings,
    baseline,
    history,
    host,
    dir: directory.path,
    progress,
    job,
    interrupt,
    cleanUp,
  };
  try {
    const prepared = await begin(run, directory);
    if (prepared === null) return INTERRUPTED;
    const record = emptyRecord();
    const ending = await carryOut(run, prepared, record);
    progress.close();
    return await writeOutcome({ run, prepared, record, ending });
  } finally {
    progress.close();
    for (const step of cleanUp) await step();
    interrupt.dispose();
    job.close();
  }
}

/** null when the run was stopped before anything was checked: then there is nothing to report. */
async function begin(run: Run, directory: RunDirectory): Promise<Prepared | null> {
  try {
    return await prepare(run);
  } catch (error) {
    const isStopped = run.interrupt.signal.aborted;
    if (!isStopped && error instanceof UsageError && run.settings.target !== null) {
      await reportNothing(run, run.settings.target, error);
      throw error;
    }
    await directory.discard();
    if (!isStopped) throw error;
    run.host.stderr.write('proofload: stopped before anything was checked\n');
    return null;
  }
}

/**
 * A target that can't be reached leaves a report too, with the reason: a reader in the morning, or of the trend, must
 * not find the last good night instead.
 */
async function reportNothing(run: Run, target: TargetConfig, { message }: UsageError): Promise<void> {
  const record = emptyRecord();
  record.declaredContract.push(...contractOf(run));
  const prepared: Prepared = { target, credentials: run.settings.credentials, load: null };
  run.progress.close();
  // An error in writing must not hide the reason.
  await writeOutcome({ run, prepared, record, ending: { kind: 'gone', why: message } }, true).catch(() => {});
}

const contractOf = ({ parts, settings }: Run): CheckDeclaration[] =>
  parts.conformance ? declaredChecks().filter((check) => matchesOnly(settings.only, check.id)) : [];

/** Resolves with how the run ended early, or null when it came to its end; never rejects. */
async function carryOut(run: Run, prepared: Prepared, record: RunRecord): Promise<Ending | null> {
  const { host, interrupt } = run;
  const working = work(run, prepared, record);
  const over = new AbortController();
  const addresses = addressesOf(prepared.target);
  const gone = untilGone(addresses, AbortSignal.any([interrupt.signal, over.signal]));
  try {
    // Quick parts end before the absence of the target is known.
    const done = working.then(() => absenceOf(addresses, interrupt.signal));
    const why = await Promise.race([done, host.fatal, gone]);
    if (interrupt.signal.aborted) return stopped(run);
    if (why === null) return null;
    run.progress.note(`stopping: ${why}`);
    interrupt.abort();
    await waitAtMost(working, STOPPING_MS);
    return { kind: 'gone', why };
  } catch (error) {
    if (interrupt.signal.aborted) return stopped(run);
    host.stderr.write(describeCrash(error, host.env));
    interrupt.abort();
    await waitAtMost(working, STOPPING_MS);
    return broken(error);
  } finally {
    over.abort();
  }
}

/**
 * Fills the record. The load comes after the contract: its idle windows then see no request of ours, and the reference
 * runs in one of them. Checks with long waits wait during it, and send nothing while the load runs.
 */
async function work(run: Run, { target, credentials, calibration, load }: Prepared, record: RunRecord): Promise<void> {
  const { settings, progress, dir } = run;
  const { profile, only } = settings;
  const { signal } = run.interrupt;
  const contract = contractOf(run);
  record.declaredContract.push(...contract);
  record.declaredLoad.push(...(load?.plan.declared ?? []));
  record.declaredGoals.push(
    ...(load ? declareGoals(settings.goals ?? []) : []).filter(({ id }) => matchesOnly(only, id)),
  );
  const waitMs = contract.length > 0 ? longestWaitMs({ target, profile, only }) : 0;
  record.floorMs = Math.max(waitMs, load?.plan.floorMs ?? 0);
  progress.note(headline({ target, credentials, load }));
  const deadlineMs = contractDeadlineMs(profile, calibration ?? null);
  const input = { target, credentials, profile, only, runId: run.id, progress, signal, deadlineMs };
  let spentBefore: NonNullable<LoadInput['spentBefore']> = [];
  if (contract.length > 0) {
    const { facts, traffic, lately, leftMs } = await runConformance(input);
    spentBefore = lately;
    record.checkFacts.push(...facts);
    record.contract = traffic;
    // A target that used up most of the time once would do it again.
    if (!settings.values.once && leftMs > deadlineMs / 2) spentBefore = (await retryContract(input, record)) ?? lately;
  }
  let referenceRan = contract.length === 0;
  const inIdle = async (until: AbortSignal): Promise<void> => {
    const view = referenceRan ? null : await runReferenceUntil(run, target, until);
    if (view === null) return;
    referenceRan = true;
    record.reference = view;
  };
  const waits = contract.length > 0 && !signal.aborted ? beginLongWaits(input) : null;
  try {
    await waits?.still;
    if (load && !signal.aborted) {
      const { k6, plan, sources } = load;
      const whole = {
        plan: contract.length > 0 ? arrangedAfter(plan, spentBefore) : plan,
        credentials,
        runId: run.id,
        k6Bin: k6.path,
        dir,
        progress,
        signal,
        mask: redactor(Object.values(credentials)).file,
        spentBefore,
        inIdle,
        runners: settings.values.runners ?? 1,
        sources,
      };
      const beganMs = performance.now();
      record.loadFacts.push(...(await runLoad(whole)));
      if (!settings.values.once) await retryLoad({ ...whole, beganMs }, record);
    }
    if (!referenceRan) record.reference = await runReference(run, target);
  } finally {
    waits?.loadIsOver();
  }
  if (waits) addLater(record, await waits.done);
}

const stopped = ({ interrupt }: Run): Ending => ({ kind: 'interrupted', why: `stopped with ${interrupt.by()}` });

function broken(error: unknown): Ending {
  const message = error instanceof Error ? error.message.split('\n')[0] : String(error);
  return { kind: 'broken', why: `harness error: ${message}` };
}

async function waitAtMost(work: Promise<unknown>, patienceMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([work.catch(() => {}), patience]);
  clearTimeout(timer);
}

function headline({ target, load }: Prepared): string {
  const urls = [target.baseUrl, target.jobBaseUrl].filter((url) => url !== null);
  const what = target.kind === 'reference' ? 'the reference' : 'the service';
  const where = urls.length > 0 ? ` at ${[...new Set(urls)].join(' and ')}` : ', in-process';
  return `proofload: ${what}${where}${load ? `; k6 ${load.k6.version} ${load.k6.how}` : ''}`;
}
