/** The probe that asks from several addresses at once for what one may have. */
import type { ConcurrencyLimit } from '../../../schemas/limits.ts';
import { perAddressId } from '../../../schemas/load-checks.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { TOGETHER_AT_MS } from '../../k6/lib/schedule.ts';
import { BYTES_PER_REQUEST, type PlanContext } from '../../plan/context.ts';
import { needsOtherAddress } from '../../plan/reasons.ts';
import type { Candidate } from '../../plan/types.ts';
import type { AddressesParameters } from '../../probe.ts';
import { LONG_ANSWER, LONG_ANSWER_MS } from '../concurrency/long-poll.ts';
import { extraOf } from '../concurrency/plan.ts';
import { PROCESS_MS } from '../rate/plan.ts';

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
