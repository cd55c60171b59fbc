/**
 * Flags over environment over the `reference:` map of the YAML file -> the options of the reference that `serve`
 * starts. Every complaint names where the value came from, what the setting takes, and what was probably meant.
 */
import { applyMutants, mutants } from '../../reference/mutants.ts';
import { defaultOptions, type ReferenceOptions } from '../../reference/options.ts';
import { applySettings, SettingError } from '../../reference/settings/apply.ts';
import { settingNamed, settings } from '../../reference/settings/index.ts';
import { limits } from '../../schemas/limits.ts';
import { UsageError } from '../../schemas/target.ts';
import { yamlValue } from './config-file.ts';
import type { Environment } from './environment.ts';
import { environmentName, type OptionName } from './options.ts';
import { readReferenceFile } from './reference-file.ts';
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
    ...(config === undefined ? [] : readReferenceFile(config, env)),
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
  const stranger = given.find((name) => !known.includes(name));
  if (stranger === undefined) return;
  const like = known.filter((name) => name.includes(stranger)).slice(0, ALIKE_MOST);
  const alike = like.length > 0 ? `; such as ${like.join(', ')}` : '';
  const hint = suggestion(stranger, known) || alike;
  throw new UsageError(`--mutant '${stranger}' is not known${hint} (docs/mutants.md lists all ${known.length})`);
}
