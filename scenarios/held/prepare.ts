/** A finished job for the operations that need a job's id: on one that still runs some would wait by themselves. */
import type { LedgerEntry } from '../../schemas/ledger.ts';
import { asksAboutJob, operationIn } from '../../schemas/own.ts';
import type { Sending } from '../execute/environment.ts';
import { type OutgoingRequest, outgoing } from '../execute/requests.ts';
import { jobIdOf, jobState } from '../k6/lib/job-state.ts';
import type { ConcurrencyParameters } from '../probe.ts';
import { pause, type Stopwatch } from './clock.ts';
import { exchange } from './exchange.ts';

const LOOK_EVERY_MS = 250;
const LOOKS = 40;
const TIMEOUT_MS = 10_000;

export interface Preparation {
  /** null: none was needed, or none could be made. */
  readonly jobId: string | null;
  readonly entries: readonly LedgerEntry[];
}

/** Watches the job only where it must be finished, so that a probe of another budget spends none of `status`. */
export async function prepare(
  { operations }: ConcurrencyParameters,
  sending: Sending,
  clock: Stopwatch,
  signal: AbortSignal,
): Promise<Preparation> {
  if (!operations.some((id) => asksAboutJob(operationIn(sending.addresses.operations, id))))
    return { jobId: null, entries: [] };
  const entries: LedgerEntry[] = [];
  const send = async (one: OutgoingRequest): Promise<string> => {
    const { entry, body } = await exchange(one, {
      phase: 'setup',
      sending,
      clock,
      signal,
      timeoutMs: TIMEOUT_MS,
    });
    entries.push(entry);
    return body;
  };
  const jobId = jobIdOf(await send(outgoing(sending.addresses, 'run')));
  const watched = operations.some((id) => operationIn(sending.addresses.operations, id).budget === 'status');
  for (let looks = 0; jobId !== null && watched && looks < LOOKS; looks += 1) {
    const state = jobState(await send(outgoing(sending.addresses, 'status', { jobId })));
    if (state === 'finished' || state === 'unknown') break;
    await pause(LOOK_EVERY_MS, signal);
  }
  return { jobId, entries };
}
