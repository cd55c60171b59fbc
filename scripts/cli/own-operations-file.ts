/**
 * The `operations:` map of a configuration file: operations that the target has and the spec doesn't, so that limits on
 * them can be looked at (own-limits-file.ts). What can't be meant is refused with file and line.
 */
import type { Pair } from 'yaml';
import type { HttpMethod, InterfaceId } from '../../schemas/operations.ts';
import { isDocumentedOperation, isOwnName, type OwnOperation } from '../../schemas/own.ts';
import { UsageError } from '../../schemas/target.ts';
import { type ConfigDocument, substitute } from './config-file.ts';
import type { Environment } from './environment.ts';
import { suggestion } from './suggest.ts';
import { yaml } from './yaml.ts';

const KEYS = ['method', 'path', 'interface', 'body'] as const;
type Key = (typeof KEYS)[number];

const METHODS: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const INTERFACES: readonly InterfaceId[] = ['jobs', 'inference'];
const PLACES: readonly string[] = ['inst_id', 'job_id'];
const EXAMPLE = 'operations takes names, such as export: { method: POST, path: "/api/v1/sl/{inst_id}/export" }';

/** What stands under one name; `at` is where. */
interface Written {
  readonly at: string;
  readonly name: string;
  readonly values: ReadonlyMap<Key, unknown>;
}

/** Without a budget: that is given by the limits. @throws UsageError naming file and line. */
export function ownOperationsFrom(config: ConfigDocument, pair: Pair, env: Environment): readonly OwnOperation[] {
  const { isMap } = yaml();
  if (!isMap(pair.value) || pair.value.items.length === 0) throw new UsageError(`${config.at(pair)}: ${EXAMPLE}`);
  return pair.value.items.map((one) => operationFrom(writtenBy(config, one, env)));
}

const textOf = (node: unknown): string => (yaml().isScalar(node) ? String(node.value) : '');

function writtenBy(config: ConfigDocument, pair: Pair, env: Environment): Written {
  const { isMap } = yaml();
  const [at, name] = [config.at(pair), textOf(pair.key)];
  if (!isMap(pair.value)) throw new UsageError(`${at}: operation ${name} takes ${KEYS.join(', ')}`);
  const values = pair.value.items.map((one): [Key, unknown] => {
    const written = textOf(one.key);
    const key = KEYS.find((known) => known === written);
    if (key === undefined) {
      throw new UsageError(
        `${config.at(one)}: unknown key '${written}' of operation ${name}${suggestion(written, KEYS)}`,
      );
    }
    return [key, substitute(config.read(one), { source: `${config.at(one)}: ${key}`, env })];
  });
  return { at, name, values: new Map(values) };
}

function operationFrom(written: Written): OwnOperation {
  const { at, name, values } = written;
  if (isDocumentedOperation(name)) {
    throw new UsageError(`${at}: ${name} is an operation of the spec; its limits are given other values under limits`);
  }
  if (!isOwnName(name)) {
    throw new UsageError(`${at}: '${name}' can't be the name of an operation; take another one of a-z, 0-9 and '-'`);
  }
  const methods = methodsOf(written);
  const path = pathOf(written);
  const side = sideOf(written, path);
  const body = values.get('body');
  if (body !== undefined && methods.every((one) => one === 'GET')) {
    throw new UsageError(`${at}: ${name} has a body, which GET does not send; give another method, or leave it off`);
  }
  return { id: name, interface: side, methods, path, budget: null, ...(values.has('body') ? { body } : {}) };
}

function methodsOf({ at, name, values }: Written): readonly HttpMethod[] {
  const given: unknown = values.get('method');
  const words: readonly unknown[] = Array.isArray(given) ? given : [given];
  const methods = words.flatMap((word) => METHODS.find((one) => one === word) ?? []);
  if (methods.length === words.length && methods.length > 0) return [...new Set(methods)];
  throw new UsageError(`${at}: the method of ${name} is one or several of ${METHODS.join(', ')}`);
}

function pathOf({ at, name, values }: Written): string {
  const path = values.get('path');
  if (typeof path !== 'string' || !/^\/[^\s#]*$/.test(path)) {
    throw new UsageError(`${at}: the path of ${name} begins with '/', such as /api/v1/sl/{inst_id}/${name}`);
  }
  const places = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, place = '']) => place);
  const unknown = places.find((place) => !PLACES.includes(place));
  if (unknown === undefined) return path;
  throw new UsageError(
    `${at}: the path of ${name} has {${unknown}}; it may have {inst_id} and {job_id}${suggestion(unknown, PLACES)}`,
  );
}

/** What stands below `/v1` belongs to interface A unless the file says something else. */
function sideOf({ at, name, values }: Written, path: string): InterfaceId {
  const given = values.get('interface') ?? (path.startsWith('/v1/') ? 'inference' : 'jobs');
  const side = INTERFACES.find((one) => one === given);
  if (side === undefined) throw new UsageError(`${at}: the interface of ${name} is ${INTERFACES.join(' or ')}`);
  if (side === 'inference' && /\{(inst|job)_id\}/.test(path)) {
    throw new UsageError(`${at}: ${name} is on interface A, which has no endpoint instances and no jobs`);
  }
  return side;
}
