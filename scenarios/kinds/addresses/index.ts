/**
 * Whether a limit is per address, by load from several addresses at once. Which of them the target distinguishes is
 * measured and never assumed: each runner sends what one address may, and admissions are counted per runner.
 */
import type { AddressesFacts } from '../../../schemas/facts.ts';
import type { Ledger } from '../../../schemas/ledger.ts';
import type { ConcurrencyLimit } from '../../../schemas/limits.ts';
import { perAddressId } from '../../../schemas/load-checks.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { generatorHealth } from '../../analysis/health.ts';
import { classifier } from '../../analysis/outcome.ts';
import { partOf } from '../../analysis/part.ts';
import { mostAtOnce } from '../../analysis/windows.ts';
import { TOGETHER_AT_MS } from '../../k6/lib/schedule.ts';
import { BYTES_PER_REQUEST, type PlanContext } from '../../plan/context.ts';
import { needsOtherAddress } from '../../plan/reasons.ts';
import type { Candidate } from '../../plan/types.ts';
import type { AddressesParameters } from '../../probe.ts';
import { LONG_ANSWER, LONG_ANSWER_MS } from '../concurrency/long-poll.ts';
import { extraOf } from '../concurrency/plan.ts';
import type { Kind } from '../kind.ts';
import { PROCESS_MS } from '../rate/plan.ts';

/** Ledgers of all runners, one after the other -> what each of them got, and how much of it at the same time. */
function analyseAddresses(parameters: AddressesParameters, ledger: Ledger, planned: number): AddressesFacts {
  const { limitId, limit } = parameters;
  const { rows, runners = [] } = ledger;
  const served = rows.filter(({ status }) => status >= 200 && status < 300);
  const classify = classifier(served, rows);
  const errorMs = Math.max(0, ...runners.map((one) => one.errorMs));
  let end = 0;
  const parts = runners.map(({ index, rows: count }) => {
    const from = end;
    end += count;
    const { admitted, refused, statuses } = partOf(
      rows.filter((_, place) => place >= from && place < end),
      classify,
    );
    return { runner: index + 1, admitted, refused, statuses };
  });
  return {
    kind: 'addresses',
    limitId,
    limit,
    parts: parts.sort((a, b) => a.runner - b.runner),
    together: mostAtOnce(
      served,
      ({ sentMs }) => sentMs + errorMs,
      ({ firstByteMs }) => firstByteMs - errorMs,
    ),
    health: generatorHealth(ledger, planned),
  };
}

/** Where neither several runners nor a second address are there, it says what would do. */
export function addressesCandidate(limit: ConcurrencyLimit, { target, addresses = 1 }: PlanContext): Candidate[] {
  const checkIds = [perAddressId(limit)];
  if (addresses < 2) return target.otherAddress === undefined ? [{ checkIds, missing: needsOtherAddress }] : [];
  if (!limit.operations.includes(LONG_ANSWER)) return [];
  const parameters: AddressesParameters = {
    kind: 'addresses',
    limitId: limit.id,
    instId: '',
    operations: [LONG_ANSWER],
    limit: limit.value,
    extra: extraOf(limit),
    runners: addresses,
  };
  const requests = addresses * (limit.value + parameters.extra);
  const probe = {
    id: `${limit.id}.addresses`,
    title: grouped`Concurrency of ${LONG_ANSWER}: ${limit.value} at once from each of ${addresses} addresses`,
    checkIds,
    parameters,
    requests,
    bytes: requests * BYTES_PER_REQUEST,
    estimateMs: TOGETHER_AT_MS + 2 * LONG_ANSWER_MS + PROCESS_MS,
    floorMs: 0,
    exclusive: [`budget:${limit.budget}`] as const,
    shared: [],
    machine: 'loud',
    spends: { [limit.budget]: requests },
    startsIdle: false,
    sender: 'k6',
  } as const;
  return [{ checkIds, probe }];
}

export const addresses: Kind<AddressesParameters> = {
  questions: (table) =>
    table
      .of('concurrent-requests')
      .filter(({ per }) => per === 'address')
      .map((limit) => ({
        of: 'inference',
        bursts: true,
        checkIds: [perAddressId(limit)],
        plan: (context) => addressesCandidate(limit, context),
      })),
  least: ({ limit, extra, runners }) => (limit + extra) * runners,
  send: (_parameters, { script }) => script(),
  byK6: () => true,
  togetherFromMs: () => TOGETHER_AT_MS,
  analyse: analyseAddresses,
};
