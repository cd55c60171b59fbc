/** What shows the jobs of an endpoint to anybody: their number in health, and their ids in the list of requests. */
import { isSuccess } from '../../../../schemas/status.ts';
import type { Sending } from '../../../execute/environment.ts';
import { exchange } from '../../../execute/exchange.ts';
import type { OwnLedger } from '../../../execute/own-ledger.ts';
import { outgoing } from '../../../execute/requests.ts';
import { encodeSight, type SightNote } from './note.ts';

const TIMEOUT_MS = 10_000;

interface Looking {
  readonly phase: string;
  /** Whether to read the list of requests too, which has a small budget. */
  readonly list: boolean;
  readonly sending: Sending;
  readonly signal: AbortSignal;
  readonly all: OwnLedger;
}

/** Rejects only when the signal is aborted; what was not told is null. */
export async function sight({ phase, list, sending, signal, all }: Looking): Promise<SightNote> {
  const ask = async (id: 'health' | 'requests') => {
    const options = { phase, sending, clock: all.clock, signal, timeoutMs: TIMEOUT_MS };
    const { entry, body } = await exchange(outgoing(sending.addresses, id), options);
    const seen = isSuccess(entry.status) ? body : '';
    const note = id === 'health' ? { jobs: jobsIn(seen), ids: null } : { jobs: null, ids: idsIn(seen) };
    all.add({ ...entry, note: encodeSight(note) });
    return note;
  };
  const { jobs } = await ask('health');
  return { jobs, ids: list ? (await ask('requests')).ids : null };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** All counts of jobs together, which only a new job makes more; null where there are none. */
export function jobsIn(health: string): number | null {
  const body = parsed(health);
  const jobs = isObject(body) ? body.jobs : undefined;
  if (!isObject(jobs)) return null;
  const counts = Object.values(jobs).filter((one): one is number => typeof one === 'number' && Number.isFinite(one));
  return counts.length > 0 ? counts.reduce((sum, one) => sum + one, 0) : null;
}

/** The ids of the first list in an answer whose rows all have one; null where there is none. */
export function idsIn(requests: string): string[] | null {
  const body = parsed(requests);
  const lists = [body, ...(isObject(body) ? Object.values(body) : [])].filter(Array.isArray);
  for (const rows of lists) {
    const ids = rows.flatMap((row: unknown) => (isObject(row) && typeof row.id === 'string' ? [row.id] : []));
    if (ids.length === rows.length) return ids;
  }
  return null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
