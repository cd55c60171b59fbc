/**
 * The `goals:` map of a configuration file: for an operation, how quick it shall be. A percentile that can't be had is
 * refused here: a goal that nothing is ever held against would look like one that is kept.
 */
import type { Pair } from 'yaml';
import { type Goal, goalKeys, goalKeysOf } from '../../schemas/goals.ts';
import { type Operation, operations } from '../../schemas/operations.ts';
import { UsageError } from '../../schemas/target.ts';
import type { ConfigDocument } from './config-file.ts';
import { milliseconds } from './milliseconds.ts';
import { suggestion } from './suggest.ts';
import { yaml } from './yaml.ts';

/** @throws UsageError naming file and line: no map, an unknown operation or percentile, or no length of time. */
export function goalsFrom(config: ConfigDocument, pair: Pair): readonly Goal[] {
  return itemsOf(config, pair, 'goals takes operations, each with its goals, e.g. run: { p99: 500ms }').flatMap(
    (one) => {
      const operation = operationOf(config, one);
      const goals = itemsOf(config, one, `goals of ${operation.id} look like { p99: 500ms }`);
      return goals.map((goal) => goalFrom(config, operation, goal));
    },
  );
}

function itemsOf(config: ConfigDocument, pair: Pair, expected: string): readonly Pair[] {
  const { isMap } = yaml();
  if (isMap(pair.value) && pair.value.items.length > 0) return pair.value.items;
  throw new UsageError(`${config.at(pair)}: ${expected}`);
}

const textOf = (node: unknown): string => (yaml().isScalar(node) ? String(node.value) : '');

function operationOf(config: ConfigDocument, pair: Pair): Operation {
  const name = textOf(pair.key);
  const found = operations.find(({ id }) => id === name);
  if (found && goalKeysOf(found.id).length > 0) return found;
  const known = operations.map(({ id }) => id).filter((id) => goalKeysOf(id).length > 0);
  if (found)
    throw new UsageError(`${config.at(pair)}: nothing is measured of ${name}; goals are for ${known.join(', ')}`);
  throw new UsageError(`${config.at(pair)}: unknown operation '${name}'${suggestion(name, known)}`);
}

function goalFrom(config: ConfigDocument, { id }: Operation, pair: Pair): Goal {
  const key = textOf(pair.key);
  const known = goalKeysOf(id);
  const meaning = known.includes(key) ? goalKeys[key] : undefined;
  if (!meaning) {
    const hint = suggestion(key, known) || `; one of ${known.join(', ')}`;
    throw new UsageError(`${config.at(pair)}: unknown goal '${key}' for ${id}${hint}`);
  }
  const ms = milliseconds(textOf(pair.value));
  if (ms === null) throw new UsageError(`${config.at(pair)}: ${key} takes a time with its unit, such as 500ms or 2s`);
  return { operation: id, ...meaning, ms };
}
