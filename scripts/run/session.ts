/**
 * One run from its checked configuration to its exit code: reference, wiring, k6, contract, load, report. What fails
 * before the first check is bad input; what fails after it still ends in a report, marked incomplete.
 */
import { checkWiring, declaredChecks, runConformance } from '../../conformance/index.ts';
import { planLoad, runLoad } from '../../scenarios/index.ts';
import { matchesOnly } from '../../schemas/only.ts';
import type { Calibration, Credentials, TargetConfig } from '../../schemas/target.ts';
import { UsageError } from '../../schemas/target.ts';
import { requireKeys, type Settings } from '../cli/settings.ts';
import { describeCrash, type Host } from '../host.ts';
import { type K6, provisionK6 } from '../k6/provision.ts';
import { createProgress, type TerminalProgress } from '../progress.ts';
import { openRunDirectory } from './directory.ts';
import { INTERRUPTED, onInterrupt } from './interrupt.ts';
import { writeOutcome } from './outcome.ts';
import { type Ending, emptyRecord, type RunRecord } from './record.ts';
import { referenceCredentials, referenceTarget, startReference } from './reference-process.ts';
import { newRunId } from './run-id.ts';
import { type Parts, partsOf, select } from './selection.ts';

export type RunCommand = 'verify' | 'conformance' | 'load';

/** Resolves with the exit code. Throws UsageError when nothing could be begun. */
export async function runSession(command: RunCommand, settings: Settings, host: Host): Promise<number> {
  const parts = select(partsOf[command], settings.only);
  if (settings.target !== null) requireKeys(settings.target, settings.credentials);
  const runId = newRunId();
  const directory = await openRunDirectory(settings.values.out, runId);
  const progress = createProgress(settings.values.json ? host.stderr : host.stdout, {
    quiet: settings.values.quiet ?? false,
  });
  const interrupt = onInterrupt((line) => progress.note(line));
  const cleanUp: (() => Promise<void>)[] = [];
  const record = emptyRecord();
  const startedAt = new Date();
  let prepared: Prepared | null = null;
  let ending: Ending | null = null;
  try {
    prepared = await prepare({ parts, settings, host, progress, signal: interrupt.signal, cleanUp });
    const working = work({
      prepared,
      parts,
      settings,
      dir: directory.path,
      progress,
      signal: interrupt.signal,
      record,
    });
    await Promise.race([working, host.fatal]);
    if (interrupt.signal.aborted) ending = stopped();
  } catch (error) {
    ending = interrupt.signal.aborted ? stopped() : broken(error);
    if (prepared === null) {
      await directory.discard();
      if (!interrupt.signal.aborted) throw error;
      host.stderr.write('proofload: stopped before anything was checked\n');
      return INTERRUPTED;
    }
    if (!interrupt.signal.aborted && error instanceof UsageError && record.checkFacts.length === 0) {
      await directory.discard();
      throw error;
    }
    if (ending.kind === 'broken') host.stderr.write(describeCrash(error, host.env));
  } finally {
    progress.close();
    interrupt.dispose();
    for (const step of cleanUp) await step();
  }
  return writeOutcome({ prepared, settings, dir: directory.path, runId, startedAt, record, ending, host });
}

const stopped = (): Ending => ({ kind: 'interrupted', why: 'stopped with Ctrl-C' });

function broken(error: unknown): Ending {
  const message = error instanceof Error ? error.message.split('\n')[0] : String(error);
  return { kind: 'broken', why: `the harness broke: ${message}` };
}

export interface Prepared {
  readonly target: TargetConfig;
  readonly credentials: Credentials;
  /** null when the checks are asked in-process, where there is no wiring to measure. */
  readonly calibration: Calibration | null;
  /** null when no load is sent. */
  readonly k6: K6 | null;
}

interface Preparation {
  readonly parts: Parts;
  readonly settings: Settings;
  readonly host: Host;
  readonly progress: TerminalProgress;
  readonly signal: AbortSignal;
  readonly cleanUp: (() => Promise<void>)[];
}

/**
 * Everything before the first check. The wiring is checked before k6 is obtained: a wrong address should show in a
 * second, and a compiler running beside it would spoil the round trips that are measured here.
 */
async function prepare({ parts, settings, host, progress, signal, cleanUp }: Preparation): Promise<Prepared> {
  const credentials = settings.target === null ? referenceCredentials(settings.credentials) : settings.credentials;
  if (settings.target === null && !parts.load) {
    return { target: referenceTarget(null), credentials, calibration: null, k6: null };
  }
  let target = settings.target;
  if (target === null) {
    const reference = await startReference(credentials, host.env);
    cleanUp.push(reference.stop);
    target = referenceTarget(reference.url);
  }
  signal.throwIfAborted();
  const wired = await checkWiring({ target, credentials, signal });
  const k6 = parts.load ? await provisionK6({ progress, signal, env: host.env }) : null;
  return { target: wired.target, credentials, calibration: wired.calibration, k6 };
}

interface Work {
  readonly prepared: Prepared;
  readonly parts: Parts;
  readonly settings: Settings;
  readonly dir: string;
  readonly progress: TerminalProgress;
  readonly signal: AbortSignal;
  readonly record: RunRecord;
}

/** Fills the record. The load comes after the contract: its idle windows then see no request of ours. */
async function work({ prepared, parts, settings, dir, progress, signal, record }: Work): Promise<void> {
  const { target, credentials, calibration, k6 } = prepared;
  const { profile, only } = settings;
  const plan = parts.load ? planLoad({ target, profile, only, calibration }) : null;
  if (plan) {
    record.declaredLoad.push(...plan.declared);
    record.floorMs = plan.floorMs;
  }
  progress.note(headline(target, k6));
  if (parts.conformance) {
    record.declaredContract.push(...declaredChecks().filter((check) => matchesOnly(only, check.id)));
    record.checkFacts.push(...(await runConformance({ target, credentials, profile, only, progress, signal })).facts);
  }
  if (plan && k6 && !signal.aborted) {
    record.loadFacts.push(...(await runLoad({ plan, credentials, k6Bin: k6.path, dir, progress, signal })));
  }
}

function headline(target: TargetConfig, k6: K6 | null): string {
  const where = [target.baseUrl, target.jobBaseUrl].filter((url) => url !== null);
  const what = target.kind === 'reference' ? 'the reference' : 'the service';
  const at = where.length > 0 ? ` at ${[...new Set(where)].join(' and ')}` : ', in-process';
  return `proofload: ${what}${at}${k6 ? `; k6 ${k6.version} ${k6.how}` : ''}`;
}
