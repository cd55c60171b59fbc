/** What a load on an operation without a stated limit got. */
import type { UnlimitedFacts } from '../../../schemas/facts.ts';
import type { Ledger } from '../../../schemas/ledger.ts';
import { column } from '../../analysis/column.ts';
import { generatorHealth } from '../../analysis/health.ts';
import { classifier } from '../../analysis/outcome.ts';
import { partOf } from '../../analysis/part.ts';
import { fullestWindow } from '../../analysis/windows.ts';
import type { UnlimitedParameters } from '../../probe.ts';

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
