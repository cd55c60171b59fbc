/**
 * One k6 process: started with nothing inherited that could change what it sends, watched by a deadline of ours, and
 * stopped for certain. Its exit code goes to the log; zero proves nothing (exceptions in iterations leave it at 0),
 * so whether a probe is complete is read from its ledger's `end` mark.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { errorCode } from '../../schemas/error-code.ts';
import { segmentOf } from '../k6/lib/segments.ts';

// What ends at the latest with this process. One listener does it for all: with a listener for each k6, Node would warn
// about a leak in the middle of our output.

const ends = new Set<() => void>();

const endAll = (): void => {
  for (const end of ends) end();
};

/**
 * Calls `end` when this process exits; it can do nothing then that takes time. The function that is returned takes that
 * back, and calling it again does nothing.
 */
export function endWithUs(end: () => void): () => void {
  // Of its own for each call, so that the same one given twice is two.
  const own = () => end();
  if (ends.size === 0) process.on('exit', endAll);
  ends.add(own);
  return () => {
    if (ends.delete(own) && ends.size === 0) process.removeListener('exit', endAll);
  };
}

export interface K6Run {
  readonly k6Bin: string;
  readonly script: string;
  /** File for the ledger lines; must not exist yet, since k6 appends. */
  readonly ledgerFile: string;
  readonly logFile: string;
  /** An empty JSON object, so that no configuration of the user's own k6 gets in. */
  readonly configFile: string;
  /** Variables for the script on top of the inherited ones; the access key travels here and nowhere else. */
  readonly env: Readonly<Record<string, string>>;
  /** Which of several it is that send the same; absent: the only one. */
  readonly part?: K6Part;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Called with the id of the process once it runs. */
  started?(pid: number): void;
}

/** `from`: the address of this machine that it sends from; default: the system's choice. */
export interface K6Part {
  readonly index: number;
  readonly count: number;
  readonly from?: string;
}

export interface K6Outcome {
  /** null when it was killed. */
  readonly exitCode: number | null;
  readonly stopped: 'abort' | 'deadline' | null;
}

/** What k6 gets after a SIGTERM to finish its `teardown`, before it is killed. */
const GRACE_MS = 5000;

/** Runs k6 to its end, the deadline or an abort, whichever comes first. Throws when it cannot be started. */
export async function runK6(run: K6Run): Promise<K6Outcome> {
  if (run.signal.aborted) return { exitCode: null, stopped: 'abort' };
  const log = await open(run.logFile, 'a');
  try {
    const child = spawn(run.k6Bin, k6Arguments(run), {
      env: k6Environment(process.env, run.env),
      stdio: ['ignore', log.fd, log.fd],
      detached: true,
    });
    if (child.pid !== undefined) run.started?.(child.pid);
    const outcome = await supervise(child, run);
    await log.appendFile(`proofload: k6 ended with exit code ${outcome.exitCode ?? 'none'}${stopNote(outcome)}\n`);
    return outcome;
  } finally {
    await log.close();
  }
}

export function k6Arguments(run: Pick<K6Run, 'script' | 'ledgerFile' | 'configFile' | 'part'>): string[] {
  const output = ['--log-format', 'raw', '--console-output', run.ledgerFile, '--summary-mode', 'disabled'];
  const quiet = ['--quiet', '--no-color', '--no-usage-report', '--no-thresholds'];
  return ['run', ...quiet, ...output, ...(run.part ? partOf(run.part) : []), '--config', run.configFile, run.script];
}

function partOf({ index, count, from }: K6Part): string[] {
  const { segment, sequence } = segmentOf(index, count);
  const segments = ['--execution-segment', segment, '--execution-segment-sequence', sequence];
  return from ? [...segments, '--local-ips', from] : segments;
}

/**
 * A script leaves much garbage and keeps little, so k6's collector spends up to a fifth of the processor time of a load,
 * and at the worst of moments. It may wait until there is four times as much as is kept, but not without a bound.
 */
const COLLECTOR = { GOGC: '400', GOMEMLIMIT: '512MiB' };

/** `K6_*` variables override a script's options, and credentials of other roles are none of its business. */
export function k6Environment(
  inherited: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept = Object.entries(inherited).flatMap(([name, value]): [string, string][] =>
    value === undefined || /^(K6_|PROOFLOAD_)/i.test(name) ? [] : [[name, value]],
  );
  return {
    ...COLLECTOR,
    ...Object.fromEntries(kept),
    K6_NO_USAGE_REPORT: 'true',
    K6_AUTO_EXTENSION_RESOLUTION: 'false',
    ...own,
  };
}

function supervise(child: ChildProcess, run: K6Run): Promise<K6Outcome> {
  return new Promise((resolve, reject) => {
    let stopped: K6Outcome['stopped'] = null;
    let killTimer: NodeJS.Timeout | undefined;
    const stop = (why: NonNullable<K6Outcome['stopped']>) => {
      if (stopped) return;
      stopped = why;
      signalGroup(child, 'SIGTERM');
      killTimer = setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_MS);
    };
    const onAbort = () => stop('abort');
    const over = endWithUs(() => signalGroup(child, 'SIGKILL'));
    const deadline = setTimeout(() => stop('deadline'), run.deadlineMs);
    const finish = () => {
      clearTimeout(deadline);
      clearTimeout(killTimer);
      run.signal.removeEventListener('abort', onAbort);
      over();
    };
    run.signal.addEventListener('abort', onAbort);
    child.once('error', (error) => {
      finish();
      reject(new Error(`k6 could not be started (${run.k6Bin}): ${error.message}`));
    });
    child.once('exit', (exitCode) => {
      finish();
      resolve({ exitCode, stopped });
    });
  });
}

/** Signals the whole group of a child that was started detached; one that is gone already is fine. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') child.kill(signal);
  }
}

function stopNote({ stopped }: K6Outcome): string {
  if (stopped === 'deadline') return ', stopped at its deadline';
  return stopped === 'abort' ? ', stopped by an abort' : '';
}
