/**
 * The `reference:` map of a configuration file: settings of the reference under their names, nested or dotted. The
 * other keys of the file describe what the other commands look at, so only their names are checked here.
 */
import type { Pair } from 'yaml';
import { settingNamed, settings } from '../../reference/settings/index.ts';
import { UsageError } from '../../schemas/target.ts';
import { type ConfigDocument, openConfig, requireKnownKey, secretFrom, substitute } from './config-file.ts';
import type { Environment } from './environment.ts';
import { suggestion } from './suggest.ts';
import type { Sourced } from './values.ts';
import { yaml } from './yaml.ts';

const names = settings.map(({ name }) => name);

/** Throws UsageError on a name that is no setting, a setting given twice, and a key that is written out. */
export function readReferenceFile(path: string, env: Environment): Map<string, Sourced> {
  return referenceSettings(openConfig(path), env);
}

/** The same for a document that is open already. */
export function referenceSettings(config: ConfigDocument, env: Environment): Map<string, Sourced> {
  const found = new Map<string, Sourced>();
  for (const pair of config.pairs) {
    if (requireKnownKey(config, pair) !== 'reference') continue;
    if (yaml().isScalar(pair.value) && pair.value.value === null) continue;
    if (!yaml().isMap(pair.value)) {
      throw new UsageError(`${config.at(pair)}: reference takes settings, such as 'limiter: token'`);
    }
    collect(pair.value.items, '', { config, env, found });
  }
  return found;
}

interface Reading {
  readonly config: ConfigDocument;
  readonly env: Environment;
  readonly found: Map<string, Sourced>;
}

function collect(items: readonly Pair[], prefix: string, reading: Reading): void {
  const { config, env, found } = reading;
  for (const pair of items) {
    const name = `${prefix}${yaml().isScalar(pair.key) ? String(pair.key.value) : ''}`;
    const source = `${config.at(pair)}: ${name}`;
    const setting = settingNamed(name);
    if (setting) {
      const before = found.get(name);
      if (before) throw new UsageError(`${source} is set a second time`);
      const written = config.read(pair);
      const raw = setting.secret ? keysFrom(written, source, env) : readAgain(written, { source, env });
      found.set(name, { raw, source });
    } else if (yaml().isMap(pair.value) && names.some((known) => known.startsWith(`${name}.`))) {
      collect(pair.value.items, `${name}.`, reading);
    } else {
      const whole = names.some((known) => known.startsWith(`${name}.`)) ? ` takes settings of its own` : '';
      if (whole !== '') throw new UsageError(`${source}${whole}, such as ${names.find((one) => one.startsWith(name))}`);
      throw new UsageError(`${config.at(pair)}: unknown setting '${name}'${suggestion(name, names)}`);
    }
  }
}

function keysFrom(written: unknown, source: string, env: Environment): readonly string[] {
  const list: readonly unknown[] = Array.isArray(written) ? written : [written];
  return list.map((one) => secretFrom(one, String(substitute(one, { source, env })), source));
}

/** What came from the environment is text; read again, it is the number or the switch that was meant. */
function readAgain(written: unknown, place: { source: string; env: Environment }): unknown {
  const value = substitute(written, place);
  return typeof value === 'string' && value !== written ? yamlValue(value, place.source) : value;
}

/** A text as YAML reads it: `5`, `true`, `null`, `[{a: 1}]` or a word. Throws UsageError, which never repeats it. */
export function yamlValue(text: string, source: string): unknown {
  const document = yaml().parseDocument(text, { prettyErrors: false });
  if (document.errors.length === 0) return document.toJS();
  throw new UsageError(`${source}: the value can't be read; a list is written [{a: 1, b: c}]`);
}
