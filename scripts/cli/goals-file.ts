/**
 * The `goals:` map of a configuration file: for an operation, how quick it shall be. A percentile that can't be had is
 * refused here: a goal that nothing is ever held against would look like one that is kept.
 */
import type { Pair } from 'yaml';
import { type Goal, goalKeys, goalKeysOf, pacedGoalKeys } from '../../schemas/goals.ts';
import type { Promised } from '../../schemas/limits.ts';
import { type OperationId, operations } from '../../schemas/operations.ts';
import { UsageError } from '../../schemas/target.ts';
import type { ConfigDocument } from './config-file.ts';
import { milliseconds } from './milliseconds.ts';
import { suggestion } from './suggest.ts';
import { yaml } from './yaml.ts';

/**
 * @param promised what the same file has of operations and limits of its own
 * @throws UsageError naming file and line: no map, an unknown operation or percentile, or no length of time.
 */
export function goalsFrom(config: ConfigDocument, pair: Pair, promised: Promised | null = null): readonly Goal[] {
  return itemsOf(config, pair, 'goals takes operations, each with its goals, e.g. run: { p99: 500ms }').flatMap(
    (one) => {
      const measured = measuredOf(config, one, promised ?? {});
      const goals = itemsOf(config, one, `goals of ${measured.id} look like { p99: 500ms }`);
      return goals.map((goal) => goalFrom(config, measured, goal));
    },
  );
}

/** An operation, and what can be held against it. */
interface MeasuredOperation {
  readonly id: OperationId;
  readonly keys: readonly string[];
}

function itemsOf(config: ConfigDocument, pair: Pair, expected: string): readonly Pair[] {
  const { isMap } = yaml();
  if (isMap(pair.value) && pair.value.items.length > 0) return pair.value.items;
  throw new UsageError(`${config.at(pair)}: ${expected}`);
}

const textOf = (node: unknown): string => (yaml().isScalar(node) ? String(node.value) : '');

function measuredOf(config: ConfigDocument, pair: Pair, promised: Promised): MeasuredOperation {
  const name = textOf(pair.key);
  const own = promised.operations?.find(({ id }) => id === name);
  if (own && !promised.limits?.some((row) => row.kind === 'requests' && row.operations.includes(own.id))) {
    const why = 'latency is measured of a paced load, which only a rate limit brings';
    throw new UsageError(`${config.at(pair)}: nothing is measured of ${name}: ${why}; give it one of kind requests`);
  }
  if (own) return { id: own.id, keys: pacedGoalKeys };
  const found = operations.find(({ id }) => id === name);
  if (found && goalKeysOf(found.id).length > 0) return { id: found.id, keys: goalKeysOf(found.id) };
  const documented = operations.map(({ id }) => id).filter((id) => goalKeysOf(id).length > 0);
  const known = [...documented, ...(promised.operations ?? []).map(({ id }) => id)];
  if (found)
    throw new UsageError(`${config.at(pair)}: nothing is measured of ${name}; goals are for ${known.join(', ')}`);
  throw new UsageError(`${config.at(pair)}: unknown operation '${name}'${suggestion(name, known)}`);
}

function goalFrom(config: ConfigDocument, { id, keys: known }: MeasuredOperation, pair: Pair): Goal {
  const key = textOf(pair.key);
  const meaning = known.includes(key) ? goalKeys[key] : undefined;
  if (!meaning) {
    const hint = suggestion(key, known) || `; one of ${known.join(', ')}`;
    throw new UsageError(`${config.at(pair)}: unknown goal '${key}' for ${id}${hint}`);
  }
  const ms = milliseconds(textOf(pair.value));
  if (ms === null) throw new UsageError(`${config.at(pair)}: ${key} takes a time with its unit, such as 500ms or 2s`);
  return { operation: id, ...meaning, ms };
}
