/**
 * The YAML file of `--config`: the options under their YAML names, `endpoints:` with one entry an instance, keys as
 * `${NAME}` from the environment, `workloads:` (workloads-file.ts), `goals:` (goals-file.ts), `operations:` and
 * `limits:` (promised-file.ts), and `reference:` for `serve` (reference-file.ts). Every complaint names file and line.
 */
import { readFileSync } from 'node:fs';
import type { Pair, ParsedNode } from 'yaml';
import { errorCode } from '../../schemas/error-code.ts';
import type { Goal } from '../../schemas/goals.ts';
import type { Promised } from '../../schemas/limits.ts';
import { type EndpointConfig, UsageError } from '../../schemas/target.ts';
import type { Workloads } from '../../schemas/workloads.ts';
import type { Environment } from './environment.ts';
import { goalsFrom } from './goals-file.ts';
import { type OptionName, type OptionSpec, optionsOf, type SecretName, secrets, yamlKey } from './options.ts';
import { promisedFrom } from './promised-file.ts';
import { suggestion } from './suggest.ts';
import type { RawOptions, Sourced } from './values.ts';
import { workloadsFrom } from './workloads-file.ts';
import { yaml } from './yaml.ts';

export interface ConfigFile {
  readonly options: RawOptions;
  /** null when the file has no `endpoints:`. */
  readonly endpoints: readonly Partial<EndpointConfig>[] | null;
  readonly secrets: Readonly<Partial<Record<SecretName, string>>>;
  /** Where `reference:` stands, which `serve` alone reads; null when there is none. */
  readonly reference: string | null;
  /** null when the file has no `workloads:`. */
  readonly workloads: Workloads | null;
  /** What `operations:` and `limits:` promise beyond the spec; null when the file has neither. */
  readonly promised: Promised | null;
  /** Empty when the file has no `goals:`. */
  readonly goals: readonly Goal[];
}

/** A file that is YAML with a map of keys in it, and where things are. */
export interface ConfigDocument {
  readonly pairs: readonly Pair<ParsedNode, ParsedNode | null>[];
  /** `FILE:LINE` of a key. */
  at(pair: Pair): string;
  /** The value as plain data. */
  read(pair: Pair): unknown;
}

/** Opens a configuration file. Throws UsageError when it is missing, no YAML, or no map. */
export function openConfig(path: string): ConfigDocument {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = errorCode(error) ?? 'unreadable';
    const why = code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`;
    throw new UsageError(`--config ${path}: ${why}`);
  }
  return documentOf(text, path);
}

/** The same for a text; `path` is only what messages call it. */
export function documentOf(text: string, path: string): ConfigDocument {
  const { isMap, isNode, LineCounter, parseDocument } = yaml();
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problem = document.errors[0];
  if (problem) {
    throw new UsageError(`${path}:${lines.linePos(problem.pos[0]).line}: ${problem.message.split('\n')[0]}`);
  }
  const root = document.contents;
  if (root !== null && !isMap(root)) throw new UsageError(`${path}:1: expected options such as 'baseUrl: https://…'`);
  return {
    pairs: root === null ? [] : root.items,
    at: ({ key }) => `${path}:${lines.linePos((isNode(key) && key.range?.[0]) || 0).line}`,
    read: ({ value }) => (isNode(value) ? value.toJS(document) : (value ?? null)),
  };
}

const optionKeys = new Map<string, OptionSpec>();
for (const spec of optionsOf('verify')) if (spec.yaml !== false) optionKeys.set(yamlKey(spec.name), spec);
const secretKeys = new Map<string, SecretName>(secrets.map((name) => [yamlKey(name), name]));
const known = [
  ...optionKeys.keys(),
  ...secretKeys.keys(),
  'endpoints',
  'workloads',
  'goals',
  'operations',
  'limits',
  'reference',
];

/** The key of a pair at the top of the file. Throws UsageError on one that no command knows. */
export function requireKnownKey(config: ConfigDocument, pair: Pair): string {
  const key = yaml().isScalar(pair.key) ? String(pair.key.value) : '';
  if (known.includes(key)) return key;
  throw new UsageError(`${config.at(pair)}: unknown key '${key}'${suggestion(key, known)}`);
}

/** Reads and checks what the file says about a target. Throws UsageError when it says something unknown. */
export function readConfigFile(path: string, env: Environment): ConfigFile {
  return targetConfig(openConfig(path), env);
}

/** The same for a document that is open already. */
export function targetConfig(config: ConfigDocument, env: Environment): ConfigFile {
  const options = new Map<OptionName, Sourced>();
  const found: Partial<Record<SecretName, string>> = {};
  let endpoints: ConfigFile['endpoints'] = null;
  let reference: ConfigFile['reference'] = null;
  let workloads: ConfigFile['workloads'] = null;
  const promised = promisedFrom(config, env);
  let goals: ConfigFile['goals'] = [];
  for (const pair of config.pairs) {
    const key = requireKnownKey(config, pair);
    const source = `${config.at(pair)}: ${key}`;
    if (key === 'reference') {
      reference = source;
      continue;
    }
    if (key === 'operations' || key === 'limits') continue;
    if (key === 'goals') {
      goals = goalsFrom(config, pair, promised);
      continue;
    }
    if (key === 'workloads') {
      workloads = workloadsFrom(config, pair, env);
      continue;
    }
    const written = config.read(pair);
    const value = substitute(written, { source, env });
    const spec = optionKeys.get(key);
    const secret = secretKeys.get(key);
    if (spec) options.set(spec.name as OptionName, { raw: value, source });
    else if (secret) found[secret] = secretFrom(written, String(value), source);
    else endpoints = endpointsFrom(value, source);
  }
  return { options, endpoints, secrets: found, reference, workloads, promised, goals };
}

interface Place {
  readonly source: string;
  readonly env: Environment;
}

/**
 * `${NAME}` in all texts within becomes what the environment has; `{{…}}` stays. Throws UsageError where it has none.
 */
export function substitute(value: unknown, place: Place): unknown {
  if (Array.isArray(value)) return value.map((one) => substitute(one, place));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, substitute(one, place)]));
  }
  if (typeof value !== 'string') return value;
  return value.replace(/\$\{([^{}]*)\}/g, (_, name: string) => {
    const replacement = place.env[name];
    if (replacement === undefined || replacement === '') {
      throw new UsageError(`${place.source}: the environment variable ${name} is not set`);
    }
    return replacement;
  });
}

/** A key in a file ends up in a repository sooner or later, so only a reference to the environment is taken. */
export function secretFrom(written: unknown, value: string, source: string): string {
  if (typeof written === 'string' && /^\$\{[^}]+\}$/.test(written)) return value;
  throw new UsageError(`${source}: a key doesn't belong in a file; write \${NAME} and set NAME in the environment`);
}

function endpointsFrom(value: unknown, source: string): readonly Partial<EndpointConfig>[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new UsageError(`${source}: expected a list of {instId, workersMax, dedicated}`);
  }
  return value.map((one: unknown) => endpointFrom(one, source));
}

function endpointFrom(value: unknown, source: string): Partial<EndpointConfig> {
  const entry: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : {};
  const unknown = Object.keys(entry).find((key) => !['instId', 'workersMax', 'dedicated'].includes(key));
  if (unknown !== undefined) {
    const hint = suggestion(unknown, ['instId', 'workersMax', 'dedicated']);
    throw new UsageError(`${source}: unknown key '${unknown}'${hint}`);
  }
  const { instId, workersMax, dedicated } = entry;
  if ((typeof instId !== 'string' && typeof instId !== 'number') || instId === '') {
    throw new UsageError(`${source}: every entry needs an instId`);
  }
  if (workersMax !== undefined && !(Number.isInteger(workersMax) && Number(workersMax) >= 0)) {
    throw new UsageError(`${source}: workersMax of ${instId} takes a whole number from 0 up`);
  }
  if (dedicated !== undefined && typeof dedicated !== 'boolean') {
    throw new UsageError(`${source}: dedicated of ${instId} takes true or false`);
  }
  return {
    instId: String(instId),
    ...(workersMax === undefined ? {} : { workersMax: Number(workersMax) }),
    ...(dedicated === undefined ? {} : { dedicated }),
  };
}
