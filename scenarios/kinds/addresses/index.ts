/**
 * Whether a limit is each address's own, asked from several at once. Which of them the target tells apart is found and never
 * assumed: each runner sends what one address may, and those that all get it are counted apart.
 */
import { perAddressId } from '../../../schemas/load-checks.ts';
import { TOGETHER_AT_MS } from '../../k6/lib/schedule.ts';
import type { AddressesParameters } from '../../probe.ts';
import type { Kind } from '../kind.ts';
import { analyseAddresses } from './measure.ts';
import { addressesCandidate } from './plan.ts';

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
