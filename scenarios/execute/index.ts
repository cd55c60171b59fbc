/** Carries out one probe: picks its sender (k6 or one of those in this process) and keeps the ledger as evidence. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { encodeLost, encodeMachine } from '../../schemas/ledger-machine.ts';
import type { OperationId } from '../../schemas/operations.ts';
import { operationIn } from '../../schemas/own.ts';
import { kindOf } from '../kinds/index.ts';
import type { Probe, ProbeParameters } from '../probe.ts';
import type { ProbeEnvironment, Sending } from './environment.ts';
import { watchMachine } from './machine-watch.ts';
import { runScript, scriptsFolder } from './script.ts';

// The ledger as a file of the run. On a full disk a probe still has its result, but a verdict that rests on it could
// not be verified: so the ledger is marked as lost, instead of the probe being called broken.

type Mask = (text: string) => string;

/**
 * Writes it, masked and compressed, and returns it as it was; with a line more where it could not be written. Never
 * rejects.
 */
export async function keepEvidence(file: string, ledger: string, mask: Mask = (text) => text): Promise<string> {
  try {
    await writeFile(file, gzipSync(mask(ledger)));
    return ledger;
  } catch (error) {
    // What is there of it is no gzip file.
    await rm(file, { force: true }).catch(() => {});
    const lines = ledger.split('\n').filter((line) => line !== '').length;
    return lines === 0 ? ledger : `${ledger.trimEnd()}\n${encodeLost({ lines, why: reasonOf(error) })}\n`;
  }
}

/** k6 writes its log by itself, and what went wrong with a request may hold what the target sent. Never rejects. */
export async function maskLog(file: string, mask: Mask): Promise<void> {
  try {
    const written = await readFile(file, 'utf8');
    const masked = mask(written);
    if (masked !== written) await writeFile(file, masked);
  } catch {
    // One that can't be read or written again must not stay as it is; one that was never written need not be removed.
    await rm(file, { force: true }).catch(() => {});
  }
}

/** `ENOSPC: no space left on device, write` -> `no space left on device`, as k6 says it. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /^[A-Z]+: ([^,]+),/.exec(message)?.[1] ?? message;
}

/**
 * Sends what the probe describes and returns its ledger (`schemas/ledger.ts`), which is also written to
 * `dir/ledger/PROBE.ndjson.gz`; the log of k6 goes to `dir/k6/PROBE.log`. A ledger without an `end` mark is that of a
 * probe that was cut short: aborted, past its deadline, or broken; one that could not be written is marked as lost.
 * Throws only when nothing could be started.
 *
 * @param scripts folder of the bundled k6 scripts; default: `dist/k6` of the package
 */
export async function executeProbe(probe: Probe, env: ProbeEnvironment, scripts = scriptsFolder()): Promise<string> {
  await mkdir(join(env.dir, 'ledger'), { recursive: true });
  await mkdir(join(env.dir, 'k6'), { recursive: true });
  const { parameters } = probe;
  const sending = sendingFor(parameters, env);
  const kind = kindOf(parameters);
  const ledger = await withMachine(kind.byK6?.(parameters) !== true, (follow) =>
    kind.send(parameters, { sending, env, script: () => runScript(probe, sending, env, scripts, follow) }),
  );
  if (env.mask) await maskLog(join(env.dir, 'k6', `${probe.id}.log`), env.mask);
  return keepEvidence(join(env.dir, 'ledger', `${probe.id}.ndjson.gz`), ledger, env.mask);
}

/** The ledger with what the machine had left while it was made; one that was not even begun stays empty. */
async function withMachine(loop: boolean, send: (follow: (pid: number) => void) => Promise<string>): Promise<string> {
  const machine = watchMachine(loop);
  try {
    const ledger = await send(machine.follow);
    return ledger === '' ? '' : `${ledger.trimEnd()}\n${encodeMachine(machine.stop())}\n`;
  } finally {
    machine.stop();
  }
}

/** Where it goes, and with which key. */
export function sendingFor(
  parameters: ProbeParameters,
  {
    target,
    credentials,
    runId,
    doneJobs = {},
  }: Pick<ProbeEnvironment, 'target' | 'credentials' | 'runId' | 'doneJobs'>,
): Sending {
  const { baseUrl, jobBaseUrl, model, takesMaxTokens = true, endpoints, workloads, operations } = target;
  const { instId } = parameters;
  const ofJobs = operationIn(operations, firstOperation(parameters)).interface === 'jobs';
  return {
    addresses: {
      baseUrl,
      jobBaseUrl,
      model,
      takesMaxTokens,
      instId,
      runId,
      doneJobs: doneJobs[instId] ?? [],
      ...(workloads ? { workloads } : {}),
      ...(operations ? { operations } : {}),
    },
    workersMax: endpoints.find((one) => one.instId === instId)?.workersMax ?? null,
    key: ofJobs ? credentials.jobKey : credentials.accessKey,
  };
}

const firstOperation = (parameters: ProbeParameters): OperationId =>
  ('operations' in parameters ? parameters.operations[0] : 'operation' in parameters ? parameters.operation : null) ??
  'run';
