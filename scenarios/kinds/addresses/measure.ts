/** What each of several runners got that sent what one address may have. */
import type { AddressesFacts } from '../../../schemas/facts.ts';
import type { Ledger } from '../../../schemas/ledger.ts';
import { generatorHealth } from '../../analysis/health.ts';
import { classifier } from '../../analysis/outcome.ts';
import { partOf } from '../../analysis/part.ts';
import { mostAtOnce } from '../../analysis/windows.ts';
import type { AddressesParameters } from '../../probe.ts';

/** Ledgers of all runners, one after the other -> what each of them got, and how much of it at the same time. */
export function analyseAddresses(parameters: AddressesParameters, ledger: Ledger, planned: number): AddressesFacts {
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
