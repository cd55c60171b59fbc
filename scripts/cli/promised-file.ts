/** What a configuration file promises beyond the spec: `operations:` and `limits:` together, each needing the other. */
import type { Promised } from '../../schemas/limits.ts';
import { isOwnName } from '../../schemas/own.ts';
import { UsageError } from '../../schemas/target.ts';
import type { ConfigDocument } from './config-file.ts';
import type { Environment } from './environment.ts';
import { ownLimitsFrom } from './own-limits-file.ts';
import { ownOperationsFrom } from './own-operations-file.ts';
import { yaml } from './yaml.ts';

/** null when the file has neither. @throws UsageError naming file and line. */
export function promisedFrom(config: ConfigDocument, env: Environment): Promised | null {
  const pairOf = (key: string) => config.pairs.find((one) => yaml().isScalar(one.key) && one.key.value === key);
  const [operationsPair, limitsPair] = [pairOf('operations'), pairOf('limits')];
  const written = operationsPair ? ownOperationsFrom(config, operationsPair, env) : [];
  const limits = limitsPair ? ownLimitsFrom(config, limitsPair, written) : [];
  const operations = written.map((one) => {
    const row = limits.find((limit) => limit.operations.includes(one.id));
    if (row) return { ...one, budget: isOwnName(row.budget) ? row.budget : null };
    const at = operationsPair ? config.at(operationsPair) : '';
    throw new UsageError(
      `${at}: operation ${one.id} is in no limit, so nothing would be sent to it; add one to limits:`,
    );
  });
  if (limits.length === 0) return null;
  return { limits, ...(operations.length > 0 ? { operations } : {}) };
}
