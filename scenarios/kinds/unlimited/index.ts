/** An operation without a stated limit: a load beyond any other limit, of which nothing may be refused. */
import type { UnlimitedFacts } from '../../../schemas/facts.ts';
import type { Ledger } from '../../../schemas/ledger.ts';
import { highestRate } from '../../../schemas/limits.ts';
import { HEALTH_UNLIMITED } from '../../../schemas/load-checks.ts';
import { column } from '../../analysis/column.ts';
import { generatorHealth } from '../../analysis/health.ts';
import { classifier } from '../../analysis/outcome.ts';
import { partOf } from '../../analysis/part.ts';
import { fullestWindow } from '../../analysis/windows.ts';
import { slots, TOGETHER_AT_MS } from '../../k6/lib/schedule.ts';
import { BYTES_PER_REQUEST, type PlanContext } from '../../plan/context.ts';
import { noEndpoint } from '../../plan/reasons.ts';
import type { Candidate } from '../../plan/types.ts';
import type { UnlimitedParameters } from '../../probe.ts';
import type { Kind } from '../kind.ts';
import { kept, PROCESS_MS } from '../rate/plan.ts';

/** Ledger of the load on an operation without a limit -> facts. */
export function analyseUnlimited(parameters: UnlimitedParameters, ledger: Ledger, planned: number): UnlimitedFacts {
  const entries = ledger.rows.filter(({ operation }) => operation === parameters.operation);
  return {
    kind: 'unlimited',
    instId: parameters.instId,
    operation: parameters.operation,
    part: partOf(entries, classifier(entries)),
    fullestWindow: fullestWindow(
      column(entries, ({ sentMs }) => sentMs),
      parameters.windowMs,
    ),
    health: generatorHealth(ledger, planned),
  };
}

// The probe of `health`, which has no stated limit: a steady load at twice the highest rate that any other may have.

const TIMES_HIGHEST = 2;
/** A whole window must fit in, so the load goes on a little longer. */
const DURATION_WINDOWS = 1.05;
const VUS_LEAST = 10;
const VUS_MOST = 200;
/** Connections for answers that take longer than usual. */
const VUS_SLACK = 4;

export function unlimitedCandidate({ endpoints, speed, table }: PlanContext): Candidate {
  const checkIds = [HEALTH_UNLIMITED];
  const endpoint = endpoints[0];
  const highest = highestRate(table);
  if (!endpoint || !highest) return { checkIds, missing: noEndpoint };
  const periodMs = highest.windowMs / highest.value / TIMES_HIGHEST;
  const vus = Math.ceil((speed.roundTripMs / periodMs) * VUS_SLACK);
  const parameters: UnlimitedParameters = {
    kind: 'unlimited',
    instId: endpoint.instId,
    operation: 'health',
    vus: Math.min(VUS_MOST, Math.max(VUS_LEAST, vus)),
    periodMs,
    durationMs: highest.windowMs * DURATION_WINDOWS,
    windowMs: highest.windowMs,
  };
  const requests = unlimitedSlots(parameters);
  return {
    checkIds,
    probe: {
      id: 'health.unlimited',
      title: `health at ${TIMES_HIGHEST} times the highest rate limit`,
      checkIds,
      parameters,
      requests,
      bytes: requests * BYTES_PER_REQUEST,
      estimateMs: parameters.durationMs + PROCESS_MS,
      floorMs: parameters.windowMs,
      exclusive: [],
      shared: [],
      spends: {},
      startsIdle: false,
      machine: 'loud',
      sender: 'k6',
    },
  };
}

const unlimitedSlots = ({ periodMs, durationMs }: UnlimitedParameters): number =>
  slots({ fromMs: 0, periodMs, untilMs: durationMs });

export const unlimited: Kind<UnlimitedParameters> = {
  questions: () => [
    {
      of: 'jobs',
      bursts: true,
      checkIds: [HEALTH_UNLIMITED],
      plan: (context) => [unlimitedCandidate(context)],
    },
  ],
  least: (parameters) => kept(unlimitedSlots(parameters)),
  send: (_parameters, { script }) => script(),
  byK6: () => true,
  togetherFromMs: () => TOGETHER_AT_MS,
  analyse: analyseUnlimited,
};
