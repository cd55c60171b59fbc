/**
 * The YAML file of `--config`, read by its schema (config-schema.ts): the options under their YAML names, `endpoints:`
 * with one entry an instance, keys as `${NAME}` from the environment, `workloads:`, `goals:`, and the operations and
 * limits that are promised beyond the spec (promised.ts). Every complaint names file and line.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js';
import { errorCode } from '../../schemas/error-code.ts';
import { UsageError } from '../../schemas/target.ts';
import { placesIn, type Workloads, workloadPlaces } from '../../schemas/workloads.ts';
import { configSchema, type Written } from './config-schema.ts';
import type { Environment } from './options.ts';
import { type OptionName, optionsOf, type SecretName, secrets, yamlKey } from './options.ts';
import { goalsFrom, promisedFrom } from './promised.ts';
import { suggestion } from './suggest.ts';
import type { Sourced } from './values.ts';

/** Keys and indexes from the top of the file to a value in it. */
export type Path = readonly (string | number)[];

/** A file that is YAML with a map of known keys in it. */
export interface ConfigDocument {
  readonly values: Readonly<Record<string, unknown>>;
  /** `FILE:LINE` of the key at the end of a path. */
  at(path: Path): string;
}

const load = createRequire(import.meta.url);
/** Loaded when there is a file or a value to read: most commands have none, and these are large libraries. */
const yaml = (): typeof import('yaml') => load('yaml');
const validators = (): typeof import('ajv/dist/2020.js') => load('ajv/dist/2020.js');

/** Opens a configuration file. Throws UsageError when it is missing, no YAML, or no map of known keys. */
export function openConfig(path: string): ConfigDocument {
  try {
    return documentOf(readFileSync(path, 'utf8'), path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = errorCode(error) ?? 'unreadable';
    const why = code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`;
    throw new UsageError(`--config ${path}: ${why}`);
  }
}

/** The same for a text; `path` is only what messages call it. */
export function documentOf(text: string, path: string): ConfigDocument {
  const { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit } = yaml();
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineOf = (offset: number | undefined): string => `${path}:${lines.linePos(offset ?? 0).line}`;
  const [problem] = document.errors;
  if (problem) throw new UsageError(`${lineOf(problem.pos[0])}: ${problem.message.split('\n')[0]}`);
  const root = document.contents;
  if (root !== null && !isMap(root)) throw new UsageError(`${path}:1: expected options such as 'baseUrl: https://…'`);
  visit(document, {
    Pair: (_, { key, value }, parents) => {
      const at = lineOf(isNode(key) ? key.range?.[0] : 0);
      // YAML reads `{{echo}}` as a map in a map.
      if (!isScalar(key)) throw new UsageError(`${at}: a place such as '{{echo}}' needs quotes`);
      const isBlank = value === null || (isScalar(value) && value.source === '');
      if (!isBlank || (key.value === 'reference' && parents.length === 2)) return;
      throw new UsageError(`${at}: ${key.value} has no value; write null where that is meant`);
    },
  });
  const values: Readonly<Record<string, unknown>> = root === null ? {} : root.toJS(document);
  const at = (steps: Path): string => {
    let [node, offset]: [unknown, number | undefined] = [root, 0];
    for (const step of steps) {
      const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && String(key.value) === step) : undefined;
      const next: unknown = pair ? pair.key : isSeq(node) ? node.items[Number(step)] : undefined;
      if (isNode(next)) offset = next.range?.[0];
      node = pair ? pair.value : next;
    }
    return lineOf(offset);
  };
  const known = Object.keys(configSchema().properties as object);
  for (const key of Object.keys(values)) {
    if (!known.includes(key)) throw new UsageError(`${at([key])}: unknown key '${key}'${suggestion(key, known)}`);
  }
  return { values, at };
}

/** A file that says nothing. */
export const noConfig: ConfigDocument = { values: {}, at: () => '' };

export type ConfigFile = ReturnType<typeof targetConfig>;

/** Checks what a file says about a target; null is what it doesn't speak of. @throws UsageError: it says something unknown */
export function targetConfig(config: ConfigDocument, env: Environment) {
  if (config !== noConfig) requireValid(config);
  const { reference, ...others } = config.values;
  const values = Object.fromEntries(
    Object.entries(others).map(([key, value]) => [key, substitute(value, [key], { config, env })]),
  );
  const { endpoints = null, workloads = null, goals = {}, operations = {}, limits = [] } = values as Written;
  const sourceOf = (key: string): string => `${config.at([key])}: ${key}`;
  const options = new Map<OptionName, Sourced>();
  for (const { name } of optionsOf('verify')) {
    const key = yamlKey(name);
    if (key in values) options.set(name, { raw: values[key], source: sourceOf(key) });
  }
  requirePlaces(config, workloads ?? {});
  const promised = promisedFrom(config, operations, limits);
  return {
    options,
    endpoints: endpoints?.map(({ instId, ...one }) => ({ instId: String(instId), ...one })) ?? null,
    secrets: secretsIn(values),
    /** Where `reference:` stands, which `serve` alone reads. */
    reference: reference === undefined ? null : sourceOf('reference'),
    workloads,
    promised,
    goals: goalsFrom(config, goals, promised ?? {}),
  };
}

const secretsIn = (values: ConfigDocument['values']): Partial<Record<SecretName, string>> =>
  Object.fromEntries(secrets.flatMap((name) => (yamlKey(name) in values ? [[name, values[yamlKey(name)]]] : [])));

/** A misspelt place would become a job that does something else. */
function requirePlaces(config: ConfigDocument, workloads: Workloads): void {
  for (const [name, template] of Object.entries(workloads)) {
    for (const { name: place, alone } of placesIn(template)) {
      if (workloadPlaces.includes(place)) continue;
      // Within a longer text it may be a placeholder of somebody else.
      const hint = suggestion(place, workloadPlaces) || (alone ? `; one of ${workloadPlaces.join(', ')}` : '');
      if (hint === '') continue;
      throw new UsageError(`${config.at(['workloads', name])}: ${name}: unknown place {{${place}}}${hint}`);
    }
  }
}

let isValid: ReturnType<Ajv2020['compile']> | undefined;

function requireValid({ values, at }: ConfigDocument): void {
  if (!isValid) {
    const ajv = new (validators().Ajv2020)({ verbose: true, allowUnionTypes: true, strictTuples: false });
    isValid = ajv.addVocabulary(['errorMessage']).compile(configSchema(false));
  }
  // Of alternatives the last one is about all of them.
  const error = isValid(values) ? undefined : isValid.errors?.at(-1);
  if (error) throw complaint(error, at);
}

/** Never repeats a value, which could be a key. */
function complaint({ instancePath, keyword, params, parentSchema }: ErrorObject, at: ConfigDocument['at']): UsageError {
  const path = instancePath.split('/').slice(1);
  const name = path.join('.');
  if (keyword === 'additionalProperties') {
    const key = String(params.additionalProperty);
    const known = Object.keys(parentSchema?.properties ?? {});
    return new UsageError(
      `${at([...path, key])}: unknown key '${key}' of ${name}${suggestion(key, known) || `; one of ${known.join(', ')}`}`,
    );
  }
  if (keyword === 'required') return new UsageError(`${at(path)}: ${name} needs ${params.missingProperty}`);
  return new UsageError(
    `${at(path)}: ${name} ${parentSchema?.errorMessage ?? 'needs another value'}`.replace(' :', ':'),
  );
}

/**
 * `${NAME}` in all texts within becomes what the environment has; `{{…}}` stays. Throws UsageError where it has none.
 */
export function substitute(value: unknown, path: Path, place: { config: ConfigDocument; env: Environment }): unknown {
  if (Array.isArray(value)) return value.map((one, index) => substitute(one, [...path, index], place));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, substitute(one, [...path, key], place)]));
  }
  if (typeof value !== 'string') return value;
  return value.replace(/\$\{([^{}]*)\}/g, (_, name: string) => {
    const replacement = place.env[name];
    if (replacement) return replacement;
    throw new UsageError(`${place.config.at(path)}: ${path.join('.')}: the environment variable ${name} is not set`);
  });
}

/** A text as YAML reads it: `5`, `true`, `null`, `[{a: 1}]` or a word. Throws UsageError, which never repeats it. */
export function yamlValue(text: string, source: string): unknown {
  const document = yaml().parseDocument(text, { prettyErrors: false });
  if (document.errors.length === 0) return document.toJS();
  throw new UsageError(`${source}: the value can't be read; a list is written [{a: 1, b: c}]`);
}
