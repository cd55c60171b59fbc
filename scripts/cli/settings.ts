/**
 * Flags over environment over YAML -> what a command works with. Here is decided what is judged: the interfaces whose
 * address was given, or the reference, which is the default only at a terminal.
 */
import { isIP } from 'node:net';
import type { Goal } from '../../schemas/goals.ts';
import {
  type Credentials,
  type EndpointConfig,
  type Profile,
  profiles,
  type TargetConfig,
  UsageError,
} from '../../schemas/target.ts';
import { type ConfigFile, noConfig, openConfig, targetConfig } from './config-file.ts';
import {
  type CommandName,
  type Environment,
  environmentName,
  type OptionName,
  options,
  optionsOf,
  type SecretName,
  secrets,
} from './options.ts';
import { suggestion } from './suggest.ts';
import { type OptionValue, type OptionValues, parseValue, type RawOptions, type Sourced } from './values.ts';

export interface Settings {
  /** null: the reference is meant. */
  readonly target: TargetConfig | null;
  readonly credentials: Credentials;
  readonly profile: Profile;
  readonly only: readonly string[];
  /** How quick the configuration wants the target to be; mostly none. */
  readonly goals?: readonly Goal[];
  readonly values: OptionValues;
}

/**
 * Throws UsageError on the first error; nothing has been sent by then.
 * @param attended whether a person sees what is verified
 */
export function readSettings(command: CommandName, flags: RawOptions, env: Environment, attended = false): Settings {
  const fromEnvironment = readEnvironment(command, env);
  const config = flags.get('config') ?? fromEnvironment.get('config');
  const file = targetConfig(config === undefined ? noConfig : openConfig(pathOf(config)), env);
  const given = new Map<OptionName, Sourced>([...file.options, ...fromEnvironment, ...flags]);
  const values = parseAll(command, given);
  const above = readValues(command, flags, env);
  const target = targetFrom(values, endpointsFrom(values, above, file), flags, file);
  if (target === null && file.workloads !== null) {
    throw new UsageError('workloads describe the handler of a target: add jobBaseUrl, or leave them off');
  }
  if (target === null && file.promised !== null) {
    throw new UsageError('operations and limits describe a target: add baseUrl or jobBaseUrl, or leave them off');
  }
  if (target === null && file.reference !== null) {
    throw new UsageError(
      `${file.reference} is what \`proofload serve\` serves, and ${command} starts the reference as it is; ` +
        'serve it, and give its address with --base-url and --job-base-url',
    );
  }
  const credentials = credentialsFrom(env, file);
  requireTarget(target, values.reference ?? false, attended);
  if (values.runners === 0) throw new UsageError('--runners takes a whole number from 1 up');
  const profile = profiles.find((one) => one === values.profile) ?? 'gate';
  return {
    target,
    credentials,
    profile,
    only: values.only ?? [],
    goals: file.goals,
    values,
  };
}

/** Flags over environment, for the commands that judge nothing (`serve`, `report`). Throws UsageError. */
export function readValues(command: CommandName, flags: RawOptions, env: Environment): OptionValues {
  return parseAll(command, new Map([...readEnvironment(command, env), ...flags]));
}

/** Throws UsageError where a key of a remote target is missing. */
export function requireKeys(target: TargetConfig, credentials: Credentials): void {
  if (target.baseUrl !== null && credentials.accessKey === null) {
    throw new UsageError('no key for interface A: set PROOFLOAD_ACCESS_KEY in the environment');
  }
  if (target.jobBaseUrl !== null && credentials.jobKey === null) {
    throw new UsageError(
      'no key for interface B: set PROOFLOAD_JOB_KEY in the environment (any value, if the service requires none)',
    );
  }
}

function requireTarget(target: TargetConfig | null, reference: boolean, attended: boolean): void {
  if (target !== null && reference) {
    throw new UsageError('--reference takes the place of a target: leave it off, or --base-url and --job-base-url');
  }
  if (target === null && !reference && !attended) {
    throw new UsageError(
      'no target: give --base-url or --job-base-url, or --reference for the reference that comes with proofload',
    );
  }
}

function pathOf({ raw, source }: Sourced): string {
  if (typeof raw === 'string' && raw !== '') return raw;
  throw new UsageError(`${source} needs the path of one YAML file`);
}

const OURS = environmentName('');
const known = [...new Set([...options.map(({ name }) => name), ...secrets, 'debug'].map(environmentName))];

/**
 * Throws UsageError on the first PROOFLOAD_ variable that is empty or unknown. In CI an unset variable is an empty one,
 * and a misspelt one is missing: either would silently drop its option, and something else would be verified.
 */
function requireMeant(env: Environment): void {
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(OURS) || value === undefined) continue;
    if (!known.includes(name)) throw new UsageError(`unknown variable ${name}${suggestion(name, known)} (see --help)`);
    if (value.trim() === '') throw new UsageError(`${name} is set but empty; give it a value, or unset it`);
  }
}

function readEnvironment(command: CommandName, env: Environment): Map<OptionName, Sourced> {
  requireMeant(env);
  const found = new Map<OptionName, Sourced>();
  for (const spec of optionsOf(command)) {
    const source = environmentName(spec.name);
    const raw = env[source];
    if (raw !== undefined) found.set(spec.name, { raw, source });
  }
  return found;
}

function parseAll(command: CommandName, given: RawOptions): OptionValues {
  const values: Partial<Record<OptionName, OptionValue>> = {};
  for (const spec of optionsOf(command)) {
    const sourced = given.get(spec.name);
    if (sourced) values[spec.name] = parseValue(spec, sourced);
  }
  return values as OptionValues;
}

/** `--inst-id` replaces the file's endpoints; `--workers-max` and `--dedicated` hold for all of them. */
function endpointsFrom(values: OptionValues, above: OptionValues, file: ConfigFile): readonly EndpointConfig[] {
  const fallback = { workersMax: values['workers-max'] ?? null, dedicated: values.dedicated ?? false };
  if (file.endpoints === null || above['inst-id'] !== undefined) {
    return distinct((values['inst-id'] ?? []).map((instId) => ({ instId, ...fallback })));
  }
  if (file.options.has('inst-id')) {
    throw new UsageError(`${file.options.get('inst-id')?.source}: give either instId or endpoints, not both`);
  }
  return distinct(
    file.endpoints.map((one) => ({
      instId: one.instId ?? '',
      workersMax: above['workers-max'] ?? one.workersMax ?? fallback.workersMax,
      dedicated: above.dedicated ?? one.dedicated ?? fallback.dedicated,
    })),
  );
}

function distinct(endpoints: readonly EndpointConfig[]): readonly EndpointConfig[] {
  const twice = endpoints.find((one, index) => endpoints.findIndex((other) => other.instId === one.instId) !== index);
  if (twice) throw new UsageError(`the endpoint instance '${twice.instId}' is given twice (--inst-id)`);
  return endpoints;
}

function targetFrom(
  values: OptionValues,
  endpoints: readonly EndpointConfig[],
  flags: RawOptions,
  { workloads, promised }: Pick<ConfigFile, 'workloads' | 'promised'>,
): TargetConfig | null {
  const baseUrl = values['base-url'] ?? null;
  const jobBaseUrl = values['job-base-url'] ?? null;
  if (jobBaseUrl !== null && endpoints.length === 0) {
    throw new UsageError('interface B needs an endpoint instance: add --inst-id (or endpoints in the YAML file)');
  }
  if (jobBaseUrl === null && endpoints.length > 0) {
    throw new UsageError('an endpoint instance needs its address: add --job-base-url, or leave --inst-id off');
  }
  if (baseUrl === null && jobBaseUrl === null) {
    const lonely = (['model', 'workers-max', 'dedicated', 'other-address'] as const).find((name) => flags.has(name));
    if (lonely)
      throw new UsageError(`--${lonely} describes a target: add --base-url or --job-base-url, or leave it off`);
    return null;
  }
  return {
    kind: 'remote',
    baseUrl,
    jobBaseUrl,
    endpoints,
    model: values.model ?? null,
    ...otherAddressFrom(values),
    ...(workloads === null ? {} : { workloads }),
    ...promised,
  };
}

/** Whether anything can be sent from it shows only when it is tried. */
function otherAddressFrom({ 'other-address': otherAddress }: OptionValues): Pick<TargetConfig, 'otherAddress'> {
  if (otherAddress === undefined) return {};
  if (isIP(otherAddress) === 0) {
    throw new UsageError(`--other-address takes an IP address of this machine, not '${otherAddress}'`);
  }
  return { otherAddress };
}

function credentialsFrom(env: Environment, file: ConfigFile): Credentials {
  const read = (name: SecretName): string | null => {
    const value = env[environmentName(name)] || file.secrets[name];
    if (value === undefined || value === '') return null;
    if (!/^[\x21-\x7e]+$/.test(value)) {
      throw new UsageError(`${environmentName(name)} holds a space, a line break or another character no header takes`);
    }
    return value;
  };
  const [access = null, job = null, broke = null, other = null] = secrets.map(read);
  const own = { accessKey: access ?? job, jobKey: job ?? access };
  requireAnotherAccount('broke-key', broke, [own.accessKey, own.jobKey]);
  requireAnotherAccount('other-key', other, [own.accessKey, own.jobKey, broke]);
  return { ...own, brokeKey: broke, otherKey: other };
}

/** The same key under two names would make a target look wrong that is right. */
function requireAnotherAccount(name: SecretName, key: string | null, others: readonly (string | null)[]): void {
  if (key === null || !others.includes(key)) return;
  throw new UsageError(
    `${environmentName(name)} is the same key as one of the others; it takes one of another account`,
  );
}
