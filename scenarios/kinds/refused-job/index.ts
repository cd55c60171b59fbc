/** Whether a body that is refused for its size becomes a job all the same. */
import type { RefusedJobFacts } from '../../../schemas/facts.ts';
import type { Ledger } from '../../../schemas/ledger.ts';
import type { LedgerRow } from '../../../schemas/ledger-rows.ts';
import { isAdded, type LimitTable, type PayloadLimit, submittingOf } from '../../../schemas/limits.ts';
import { isSuccess } from '../../../schemas/status.ts';
import { generatorHealth } from '../../analysis/health.ts';
import { BYTES_PER_REQUEST, checkIdsOf, type PlanContext } from '../../plan/context.ts';
import { closedByWorkload, needsDedicated } from '../../plan/reasons.ts';
import type { Candidate, PlannedProbe } from '../../plan/types.ts';
import type { RefusedJobParameters } from '../../probe.ts';
import type { Kind } from '../kind.ts';
import { REFUSED_JOB } from '../payload/plan.ts';
import { decodeSize, decodeVisibility } from '../payload/send/note.ts';
import { payloadOutcome } from '../payload/send/outcome.ts';
import { LISTS, MOST_VISIBILITY_POLLS, NAMED_READINGS, sendRefusedJobs } from '../payload/send/refused-jobs.ts';

/** Ledger of the probe for jobs of refused bodies -> facts: what could show a job there, and what it showed after each. */
export function analyseRefusedJobs(parameters: RefusedJobParameters, ledger: Ledger, planned: number): RefusedJobFacts {
  const { entries } = ledger;
  const ordinaryId = idOf(entries.find(({ phase, operation }) => phase === 'ordinary' && operation === 'run'));
  const [first, second, last] = listsOf(entries);
  const listed = ordinaryId !== null && (second?.includes(ordinaryId) ?? false);
  return {
    kind: 'refused-job',
    instId: parameters.instId,
    counted: ordinaryCounted(entries),
    listed,
    rounds: roundsOf(parameters, entries),
    unknownJobs: listed && first && second && last ? unknownJobsIn(first, second, last, ordinaryId) : null,
    health: generatorHealth(ledger, planned),
  };
}

const idOf = (entry: LedgerRow | undefined): string | null => (entry && decodeSize(entry.note)?.seen?.id) ?? null;

function listsOf(entries: readonly LedgerRow[]): (readonly string[])[] {
  return entries.flatMap(({ note }) => {
    const ids = decodeVisibility(note)?.ids;
    return ids ? [ids] : [];
  });
}

const jobsOf = ({ note }: LedgerRow): number | null => decodeVisibility(note)?.jobs ?? null;

/**
 * Whether the ordinary job made health count exactly one more, so that its counts are of ours alone, and to the end, so
 * that they are not only of jobs that still wait or run.
 */
function ordinaryCounted(entries: readonly LedgerRow[]): boolean {
  const of = (phase: string) => entries.filter((one) => one.phase === phase).flatMap((one) => jobsOf(one) ?? []);
  const [before, after, end] = [of('before')[0], of('ordinary').at(-1), of('end').at(-1)];
  return before !== undefined && after !== undefined && after === before + 1 && end !== undefined && end >= after;
}

function roundsOf({ bodies }: RefusedJobParameters, entries: readonly LedgerRow[]): RefusedJobFacts['rounds'] {
  return entries.flatMap((entry, index) => {
    const size = entry.phase === 'try' ? decodeSize(entry.note) : null;
    const body = bodies.find(({ operation, bytes }) => operation === entry.operation && bytes === size?.bytes);
    if (!size || !body) return [];
    const next = entries.findIndex((other, at) => at > index && other.phase === 'try');
    const until = entries.slice(index + 1, next === -1 ? entries.length : next);
    const before = entries
      .slice(0, index)
      .flatMap((other) => jobsOf(other) ?? [])
      .at(-1);
    const after = until.flatMap((other) => jobsOf(other) ?? [])[0];
    const named = until.find(({ phase }) => phase === 'named');
    return {
      limitId: body.limitId,
      bytes: body.bytes,
      status: entry.status,
      outcome: payloadOutcome(entry),
      moreJobs: before !== undefined && after !== undefined ? after - before : null,
      named: named ? isSuccess(named.status) : null,
    };
  });
}

/**
 * Ids that appeared after the ordinary job's. A list that begins with the newest shows them in front of it; of any
 * other, only a list that is not cut into pages shows them, where no id has dropped out.
 */
function unknownJobsIn(
  first: readonly string[],
  second: readonly string[],
  last: readonly string[],
  ordinaryId: string,
): number | null {
  if (second[0] === ordinaryId && last.includes(ordinaryId)) return last.indexOf(ordinaryId);
  if (!first.every((id) => last.includes(id)) || !last.includes(ordinaryId)) return null;
  return last.filter((id) => id !== ordinaryId && !first.includes(id)).length;
}

/** A job of another client may raise one count by chance, but hardly each. */
const ROUNDS = 2;
const SETTLE_MS = 300;
const SETTLE_JOBS = 3;
const ESTIMATE_MS = 1000;

/** An operation of the configuration makes no jobs that are known. */
const rowsOf = (table: LimitTable): readonly PayloadLimit[] => table.of('content-bytes').filter((row) => !isAdded(row));

export const refusedJobCheckIds = (table: LimitTable): string[] =>
  rowsOf(table).flatMap((limit) => checkIdsOf(limit).filter((id) => id.endsWith(`.${REFUSED_JOB}`)));

export function refusedJobCandidates(context: PlanContext): Candidate[] {
  const checkIds = refusedJobCheckIds(context.table);
  const closed = closedByWorkload(context.target, 'quick');
  if (closed) return [{ checkIds, missing: closed }];
  const endpoint = context.endpoints.find((one) => one.dedicated);
  if (!endpoint) return [{ checkIds, missing: needsDedicated('a new job there could be of another client') }];
  return [{ checkIds, probe: refusedJobProbe(endpoint.instId, checkIds, context) }];
}

function refusedJobProbe(instId: string, checkIds: readonly string[], { table, speed }: PlanContext): PlannedProbe {
  const parameters: RefusedJobParameters = {
    kind: 'refused-job',
    instId,
    operation: 'run',
    bodies: rowsOf(table).map((limit) => ({
      limitId: limit.id,
      operation: submittingOf(limit),
      bytes: limit.upperReading + 1,
    })),
    rounds: ROUNDS,
    settleMs: Math.round(SETTLE_MS + SETTLE_JOBS * (speed.quickJobMs ?? 0)),
  };
  const { bodies, settleMs } = parameters;
  const large = ROUNDS * bodies.length;
  const sights = 3 + MOST_VISIBILITY_POLLS + large;
  const requests = 1 + sights + LISTS + large * (1 + NAMED_READINGS);
  const of = (id: 'run' | 'runsync') => ROUNDS * bodies.filter(({ operation }) => operation === id).length;
  return {
    id: 'payload.refused-job',
    title: 'Jobs created by oversized bodies',
    checkIds,
    parameters,
    requests,
    bytes: requests * BYTES_PER_REQUEST + ROUNDS * bodies.reduce((sum, { bytes }) => sum + bytes, 0),
    estimateMs: ESTIMATE_MS + large * settleMs,
    floorMs: 0,
    exclusive: ['bandwidth', `queue:${instId}`, `workers:${instId}`],
    shared: ['budget:run', 'budget:runsync', 'budget:status', 'budget:requests'],
    spends: { run: of('run') + 1, runsync: of('runsync'), status: large * NAMED_READINGS, requests: LISTS },
    startsIdle: false,
    sender: 'held',
  };
}

export const refusedJob: Kind<RefusedJobParameters> = {
  questions: (table) => [
    { of: 'jobs', bursts: false, checkIds: refusedJobCheckIds(table), plan: refusedJobCandidates },
  ],
  least: () => 1,
  send: (parameters, { sending, env }) => sendRefusedJobs(parameters, sending, env),
  analyse: analyseRefusedJobs,
};
