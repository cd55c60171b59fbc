/**
 * The YAML file of `--config`: the options under their YAML names, `endpoints:` with one entry an instance, and keys
 * as `${NAME}` from the environment. Every complaint names the file and the line.
 */
import { readFileSync } from 'node:fs';
import { isMap, isScalar, LineCounter, type ParsedNode, parseDocument } from 'yaml';
import { type EndpointConfig, UsageError } from '../../schemas/target.ts';
import { type OptionName, type OptionSpec, optionsOf, type SecretName, secrets, yamlKey } from './options.ts';
import { suggestion } from './suggest.ts';
import type { RawOptions, Sourced } from './values.ts';

export interface ConfigFile {
  readonly options: RawOptions;
  /** null when the file has no `endpoints:`. */
  readonly endpoints: readonly Partial<EndpointConfig>[] | null;
  readonly secrets: Readonly<Partial<Record<SecretName, string>>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads and checks a configuration file. Throws UsageError when it is missing, no YAML, or says something unknown. */
export function readConfigFile(path: string, env: Environment): ConfigFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    const why = code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`;
    throw new UsageError(`--config ${path}: ${why}`);
  }
  return parseConfig(text, path, env);
}

/** The same for a text; `path` is only what messages call it. */
export function parseConfig(text: string, path: string, env: Environment): ConfigFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problem = document.errors[0];
  if (problem) {
    throw new UsageError(`${path}:${lines.linePos(problem.pos[0]).line}: ${problem.message.split('\n')[0]}`);
  }
  const root = document.contents;
  if (root === null) return { options: new Map(), endpoints: null, secrets: {} };
  if (!isMap(root)) throw new UsageError(`${path}:1: expected options such as 'baseUrl: https://…'`);

  const byKey = new Map<string, OptionSpec>();
  for (const spec of optionsOf('verify')) if (spec.yaml !== false) byKey.set(yamlKey(spec.name), spec);
  const secretKeys = new Map<string, SecretName>(secrets.map((name) => [yamlKey(name), name]));
  const known = [...byKey.keys(), ...secretKeys.keys(), 'endpoints'];

  const options = new Map<OptionName, Sourced>();
  const found: Partial<Record<SecretName, string>> = {};
  let endpoints: ConfigFile['endpoints'] = null;
  for (const pair of root.items) {
    const key = isScalar(pair.key) ? String(pair.key.value) : '';
    const node: ParsedNode | null = pair.value;
    const line = lines.linePos(pair.key.range[0]).line;
    const place = { source: `${path}:${line}: ${key}`, env };
    const value = substitute(node?.toJS(document) ?? null, place);
    const spec = byKey.get(key);
    const secret = secretKeys.get(key);
    if (spec) options.set(spec.name as OptionName, { raw: value, source: place.source });
    else if (secret) found[secret] = secretFrom(node?.toJS(document), String(value), place.source);
    else if (key === 'endpoints') endpoints = endpointsFrom(value, place.source);
    else throw new UsageError(`${path}:${line}: unknown key '${key}'${suggestion(key, known)}`);
  }
  return { options, endpoints, secrets: found };
}

interface Place {
  readonly source: string;
  readonly env: Environment;
}

function substitute(value: unknown, place: Place): unknown {
  if (Array.isArray(value)) return value.map((one) => substitute(one, place));
  if (typeof value !== 'string') return value;
  return value.replace(/\$\{([^}]*)\}/g, (_, name: string) => {
    const replacement = place.env[name];
    if (replacement === undefined || replacement === '') {
      throw new UsageError(`${place.source}: the environment variable ${name} is not set`);
    }
    return replacement;
  });
}

/** A key in a file ends up in a repository sooner or later, so only a reference to the environment is taken. */
function secretFrom(written: unknown, value: string, source: string): string {
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
