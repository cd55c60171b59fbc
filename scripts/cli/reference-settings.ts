/**
 * Flags over environment over the `reference:` map of the YAML file -> the options of the reference that `serve`
 * starts. Every complaint names where the value came from, what the setting takes, and what was probably meant.
 */
import { applyMutants, mutants } from '../../reference/mutants.ts';
import { defaultOptions, type ReferenceOptions } from '../../reference/options.ts';
import { applySettings, SettingError } from '../../reference/settings/apply.ts';
import { settingNamed, settings } from '../../reference/settings/index.ts';
import { isObject } from '../../schemas/json.ts';
import { limits } from '../../schemas/limits.ts';
import { UsageError } from '../../schemas/target.ts';
import { type ConfigDocument, openConfig, type Path, substitute, yamlValue } from './config-file.ts';
import { secret } from './config-schema.ts';
import type { Environment } from './options.ts';
import { environmentName, type OptionName } from './options.ts';
import { readValues } from './settings.ts';
import { suggestion } from './suggest.ts';
import type { OptionValues, RawOptions, Sourced } from './values.ts';

type Given = Map<string, Sourced>;

const names = settings.map(({ name }) => name);

/** Throws UsageError on the first thing that can't be right. */
export function readReferenceOptions(flags: RawOptions, env: Environment): ReferenceOptions {
  const fromFlags = readValues('serve', flags, {});
  const fromEnvironment = readValues('serve', new Map(), env);
  const config = fromFlags.config ?? fromEnvironment.config;
  const above = layer(fromFlags, (name) => `--${name}`);
  const given: Given = new Map([
    ...(config === undefined ? [] : referenceSettings(openConfig(config), env)),
    ...layer(fromEnvironment, environmentName),
    ...above,
  ]);
  const options = apply(defaultOptions({ ...env }), given);
  const workersMax = fromFlags['workers-max'] ?? (above.has('instances') ? undefined : fromEnvironment['workers-max']);
  const mutantNames = fromFlags.mutant ?? fromEnvironment.mutant ?? [];
  requireKnown(mutantNames);
  return applyMutants(workersMax === undefined ? options : withWorkersMax(options, workersMax), mutantNames);
}

/** The shorthands and the `--set` of one source; a setting named by two of them is a mistake, not an order. */
function layer(values: OptionValues, sourceOf: (name: OptionName) => string): Given {
  const given: Given = new Map();
  for (const { id, kind } of values.limits === false ? limits : []) {
    if (kind !== 'retention') given.set(`limits.${id}`, { raw: 'off', source: sourceOf('limits') });
  }
  const once: Given = new Map();
  const put = (name: string, raw: unknown, source: string): void => {
    const before = once.get(name)?.source;
    if (before !== undefined) throw new UsageError(`${name} is set twice: ${before} and ${source}`);
    once.set(name, { raw, source });
  };
  if (values.limiter !== undefined) put('limiter', values.limiter, sourceOf('limiter'));
  if (values.latency !== undefined) put('latencyMs', values.latency, sourceOf('latency'));
  if (values.control !== undefined) put('control', values.control, sourceOf('control'));
  for (const words of values.set ?? []) {
    const [name, raw] = assignment(words, sourceOf('set'));
    put(name, raw, `${sourceOf('set')} ${name}`);
  }
  return new Map([...given, ...once]);
}

/** `NAME=VALUE`, the value read as YAML would. What isn't known to be a setting's value may be a key: not repeated. */
function assignment(words: string, source: string): readonly [name: string, value: unknown] {
  const at = words.indexOf('=');
  const name = (at === -1 ? words : words.slice(0, at)).trim();
  const setting = settingNamed(name);
  if (at === -1) {
    const example = setting ? `${name}=VALUE; it takes ${setting.takes.words}` : 'NAME=VALUE, such as limiter=token';
    throw new UsageError(`${source} takes ${example}`);
  }
  if (!setting) {
    throw new UsageError(`${source}: there is no setting '${name}'${suggestion(name, names)} (serve --settings)`);
  }
  if (setting.secret) {
    throw new UsageError(
      `${source} ${name}: a key on the command line shows in process lists; write \${NAME} in the file of --config`,
    );
  }
  return [name, yamlValue(words.slice(at + 1), `${source} ${name}`)];
}

function apply(base: ReferenceOptions, given: Given): ReferenceOptions {
  try {
    return applySettings(base, new Map([...given].map(([name, { raw }]) => [name, raw])));
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const { raw, source } = given.get(error.setting) ?? { raw: '', source: error.setting };
    throw new UsageError(`${source} ${error.message}${typeof raw === 'string' ? suggestion(raw, error.choices) : ''}`);
  }
}

function withWorkersMax(options: ReferenceOptions, workersMax: number): ReferenceOptions {
  const instances = options.instances.map((one, index) => (index === 0 ? { ...one, workersMax } : one));
  return { ...options, instances };
}

const ALIKE_MOST = 5;

function requireKnown(given: readonly string[]): void {
  const known = mutants.map((mutant) => mutant.name);
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const like = known.filter((name) => name.includes(unknown)).slice(0, ALIKE_MOST);
  const alike = like.length > 0 ? `; such as ${like.join(', ')}` : '';
  const hint = suggestion(unknown, known) || alike;
  throw new UsageError(`--mutant '${unknown}' is not known${hint} (docs/mutants.md lists all ${known.length})`);
}

const REFERENCE = new RegExp(secret.pattern);

/**
 * The `reference:` map of a configuration file: settings under their names, nested or dotted. The other keys of the
 * file are for other commands, so only their names are checked. Throws UsageError on a name that is no setting, a
 * setting given twice, and a key that is written out.
 */
export function referenceSettings(config: ConfigDocument, env: Environment): Given {
  const found = new Map<string, Sourced>();
  const { reference } = config.values;
  if (reference === undefined || reference === null) return found;
  if (!isObject(reference)) {
    throw new UsageError(`${config.at(['reference'])}: reference takes settings, such as 'limiter: token'`);
  }
  collect(reference, ['reference'], '', { config, env, found });
  return found;
}

interface Reading {
  readonly config: ConfigDocument;
  readonly env: Environment;
  readonly found: Given;
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
    } else if (isObject(value) && within) {
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
