/** The probe for refused bodies that become jobs: it needs an endpoint for itself, or every job there could be another's. */
import { isAdded, type LimitTable, type PayloadLimit, submittingOf } from '../../../schemas/limits.ts';
import { BYTES_PER_REQUEST, checkIdsOf, type PlanContext } from '../../plan/context.ts';
import { closedByWorkload, needsDedicated } from '../../plan/reasons.ts';
import type { Candidate, PlannedProbe } from '../../plan/types.ts';
import type { RefusedJobParameters } from '../../probe.ts';
import { REFUSED_JOB } from '../payload/plan.ts';
import { LISTS, MOST_SIGHTS, NAMED_LOOKS } from '../payload/send/refused-jobs.ts';

/** Somebody else's job may make one count rise by chance, but hardly each. */
const ROUNDS = 2;
const SETTLE_MS = 300;
const SETTLE_JOBS = 3;
const ESTIMATE_MS = 1000;

/** An operation of the configuration makes no jobs that anybody knows of. */
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
  const sights = 3 + MOST_SIGHTS + large;
  const requests = 1 + sights + LISTS + large * (1 + NAMED_LOOKS);
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
    spends: { run: of('run') + 1, runsync: of('runsync'), status: large * NAMED_LOOKS, requests: LISTS },
    startsIdle: false,
    sender: 'held',
  };
}
