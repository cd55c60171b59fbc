/**
 * The `reference:` map of a configuration file: settings of the reference under their names, nested or dotted. The
 * other keys of the file describe what the other commands look at, so only their names are checked here.
 */
import { settingNamed, settings } from '../../reference/settings/index.ts';
import { UsageError } from '../../schemas/target.ts';
import { type ConfigDocument, openConfig, type Path, substitute, yamlValue } from './config-file.ts';
import { secret } from './config-schema.ts';
import type { Environment } from './environment.ts';
import { suggestion } from './suggest.ts';
import type { Sourced } from './values.ts';

const REFERENCE = new RegExp(secret.pattern);

const names = settings.map(({ name }) => name);

/** Throws UsageError on a name that is no setting, a setting given twice, and a key that is written out. */
export function readReferenceFile(path: string, env: Environment): Map<string, Sourced> {
  return referenceSettings(openConfig(path), env);
}

/** The same for a document that is open already. */
export function referenceSettings(config: ConfigDocument, env: Environment): Map<string, Sourced> {
  const found = new Map<string, Sourced>();
  const { reference } = config.values;
  if (reference === undefined || reference === null) return found;
  if (!isMap(reference)) {
    throw new UsageError(`${config.at(['reference'])}: reference takes settings, such as 'limiter: token'`);
  }
  collect(reference, ['reference'], '', { config, env, found });
  return found;
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Reading {
  readonly config: ConfigDocument;
  readonly env: Environment;
  readonly found: Map<string, Sourced>;
}

function collect(written: Readonly<Record<string, unknown>>, above: Path, prefix: string, reading: Reading): void {
  const { config, found } = reading;
  for (const [key, value] of Object.entries(written)) {
    const [path, name] = [[...above, key], `${prefix}${key}`];
    const source = `${config.at(path)}: ${name}`;
    const within = names.find((known) => known.startsWith(`${name}.`));
    if (settingNamed(name)) {
      if (found.has(name)) throw new UsageError(`${source} is set a second time`);
      found.set(name, { raw: settingFrom(value, path, name, reading), source });
    } else if (isMap(value) && within) {
      collect(value, path, `${name}.`, reading);
    } else {
      if (within) throw new UsageError(`${source} takes settings of its own, such as ${within}`);
      throw new UsageError(`${config.at(path)}: unknown setting '${name}'${suggestion(name, names)}`);
    }
  }
}

function settingFrom(written: unknown, path: Path, name: string, reading: Reading): unknown {
  const value = substitute(written, path, reading);
  const source = `${reading.config.at(path)}: ${name}`;
  if (!settingNamed(name)?.secret) {
    // What came from the environment is text; read again, it is the number or the switch that was meant.
    return typeof value === 'string' && value !== written ? yamlValue(value, source) : value;
  }
  // A key in a file ends up in a repository sooner or later.
  if ([written].flat().every((one) => typeof one === 'string' && REFERENCE.test(one))) return [value].flat();
  throw new UsageError(`${source}${secret.errorMessage}`);
}
