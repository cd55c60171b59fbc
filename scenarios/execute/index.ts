/** Carries out one probe: picks its sender (k6 or one of those in this process) and keeps the ledger as evidence. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeMachine } from '../../schemas/ledger-machine.ts';
import type { OperationId } from '../../schemas/operations.ts';
import { operationIn } from '../../schemas/own.ts';
import { kindOf } from '../kinds/index.ts';
import type { Probe, ProbeParameters } from '../probe.ts';
import type { ProbeEnvironment, Sending } from './environment.ts';
import { keepEvidence, maskLog } from './keep-evidence.ts';
import { watchMachine } from './machine-watch.ts';
import { runScript, scriptsFolder } from './script.ts';

/**
 * Sends what the probe describes and returns its ledger (`schemas/ledger.ts`), which is also written to
 * `dir/ledger/PROBE.ndjson.gz`; what k6 had to say goes to `dir/k6/PROBE.log`. A ledger without an `end` mark is that
 * of a probe that was cut short: aborted, past its deadline, or broken; one that could not be written says so. Throws
 * only when nothing could be started.
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
  const { baseUrl, jobBaseUrl, model, endpoints, workloads, operations } = target;
  const { instId } = parameters;
  const ofJobs = operationIn(operations, firstOperation(parameters)).interface === 'jobs';
  return {
    addresses: {
      baseUrl,
      jobBaseUrl,
      model,
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
