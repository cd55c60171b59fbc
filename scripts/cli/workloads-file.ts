/**
 * The `workloads:` map of a configuration file: how the handler deployed on a real endpoint is made to be quick, slow,
 * streaming or failing. What a spelling mistake would turn into a job that does something else is refused here.
 */
import type { Pair } from 'yaml';
import { UsageError } from '../../schemas/target.ts';
import { placesIn, type WorkloadName, type Workloads, workloadNames, workloadPlaces } from '../../schemas/workloads.ts';
import { type ConfigDocument, substitute } from './config-file.ts';
import type { Environment } from './environment.ts';
import { suggestion } from './suggest.ts';
import { yaml } from './yaml.ts';

/** @throws UsageError naming file and line: not a map, an unknown workload, a misspelt place, a place without quotes. */
export function workloadsFrom(config: ConfigDocument, pair: Pair, env: Environment): Workloads {
  const { isMap } = yaml();
  if (!isMap(pair.value)) {
    throw new UsageError(`${config.at(pair)}: workloads takes ${workloadNames.join(', ')}, each with an input or null`);
  }
  return Object.fromEntries(pair.value.items.map((one) => [nameOf(config, one), templateOf(config, one, env)]));
}

function nameOf(config: ConfigDocument, pair: Pair): WorkloadName {
  const key = yaml().isScalar(pair.key) ? String(pair.key.value) : '';
  const name = workloadNames.find((one) => one === key);
  if (name !== undefined) return name;
  throw new UsageError(`${config.at(pair)}: unknown workload '${key}'${suggestion(key, workloadNames)}`);
}

function templateOf(config: ConfigDocument, pair: Pair, env: Environment): unknown {
  const name = nameOf(config, pair);
  const source = `${config.at(pair)}: ${name}`;
  requireQuotes(pair, source);
  const { isScalar } = yaml();
  if (pair.value === null || (isScalar(pair.value) && pair.value.source === '')) {
    throw new UsageError(`${source} has no input; write null where the target has no such workload`);
  }
  const template = substitute(config.read(pair), { source, env });
  for (const place of placesIn(template)) {
    const hint = suggestion(place, workloadPlaces);
    const known = workloadPlaces.some((one) => one === place);
    if (!known && hint !== '') throw new UsageError(`${source}: unknown place {{${place}}}${hint}`);
  }
  return template;
}

/** Without quotes, YAML reads `{{echo}}` as a map in a map. */
function requireQuotes(pair: Pair, source: string): void {
  const { isNode, isScalar, visit } = yaml();
  if (!isNode(pair.value)) return;
  visit(pair.value, {
    Pair: (_, { key }) => {
      if (!isScalar(key)) throw new UsageError(`${source}: a place such as '{{echo}}' needs quotes`);
    },
  });
}
