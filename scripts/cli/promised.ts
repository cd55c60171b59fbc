/**
 * What a configuration file promises beyond the spec: operations of the target's own, limits on them, other values for
 * limits of the spec, and latency goals of operations. Its schema checks each value; this checks their combination. A
 * combination without a meaning is refused with file and line: a promise that is never tested would look like one that
 * is kept.
 */
import { type Goal, goalKeys, goalKeysOf, pacedGoalKeys } from '../../schemas/goals.ts';
import { limits as documented, type Limit, OWN_SECTION, type Promised } from '../../schemas/limits.ts';
import { operations as allDocumented } from '../../schemas/operations.ts';
import { isAboutJob, isDocumentedOperation, isOwnName, type OwnOperation } from '../../schemas/own.ts';
import { UsageError } from '../../schemas/target.ts';
import type { ConfigDocument, Path } from './config-file.ts';
import { OWN_KINDS, UNITS, type Written, type WrittenLimit, type WrittenOperation } from './config-schema.ts';
import { suggestion } from './suggest.ts';

type Section<S extends keyof Written> = NonNullable<Written[S]>;

/** How the ids of each kind end, as those of the spec do. */
const ENDINGS = { requests: 'rate', 'concurrent-requests': 'concurrency', 'content-bytes': 'payload' } as const;
const PLACES: readonly string[] = ['inst_id', 'job_id'];
const LEAST_WINDOW_MS = 100;
/** A run waits for several windows to pass. */
const LONGEST_WINDOW_MS = 3_600_000;

/** null for anything but a positive number with its unit. */
function milliseconds(text: string): number | null {
  const [, amount = '', unit = ''] = /^([\d.]+)\s*([a-z]+)$/.exec(text.trim()) ?? [];
  const ms = Number(amount) * (UNITS[unit] ?? 0);
  return ms > 0 && Number.isFinite(ms) ? ms : null;
}

/** null when the file has neither. @throws UsageError naming file and line. */
export function promisedFrom(
  config: ConfigDocument,
  written: Section<'operations'>,
  writtenLimits: Section<'limits'>,
): Promised | null {
  const named = Object.entries(written).map(([name, one]) => operationFrom(config, name, one));
  const limits: Limit[] = [];
  for (const [index, one] of writtenLimits.entries()) {
    const require: Require = requirer(config, ['limits', index]);
    require(limits.every(({ id }) => id !== one.id), `${one.id} is given twice`);
    const row = documented.find(({ id }) => id === one.id);
    const limit = row ? changed(row, one, require) : added(one, named, require);
    // Two limits of a kind on one operation can't be distinguished when it refuses.
    const other = limits.find(
      ({ budget, operations }) => budget !== limit.budget && operations.some((id) => limit.operations.includes(id)),
    );
    const shared = other && limit.operations.find((id) => other.operations.includes(id));
    require(!other, `${shared} is in ${other?.id} already, so ${limit.id} must be called ${other?.budget}.…`);
    limits.push(limit);
  }
  const operations = named.map((one) => {
    const row = limits.find((limit) => limit.operations.includes(one.id));
    const unused = `${one.id} is in no limit, so nothing would be sent to it; add one to limits:`;
    const require: Require = requirer(config, ['operations', one.id]);
    require(row, unused);
    return { ...one, budget: isOwnName(row.budget) ? row.budget : null };
  });
  return limits.length === 0 ? null : { limits, ...(operations.length > 0 ? { operations } : {}) };
}

type Require = (holds: unknown, otherwise: string) => asserts holds;

const requirer =
  (config: ConfigDocument, path: Path): Require =>
  (holds, otherwise) => {
    if (!holds) throw new UsageError(`${config.at(path)}: ${otherwise}`);
  };

function operationFrom(config: ConfigDocument, name: string, written: WrittenOperation): OwnOperation {
  const require: Require = requirer(config, ['operations', name]);
  const { path } = written;
  const methods = [...new Set([written.method].flat())];
  // What stands below `/v1` belongs to interface A unless the file says something else.
  const side = written.interface ?? (path.startsWith('/v1/') ? 'inference' : 'jobs');
  const places = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, place = '']) => place);
  const unknown = places.find((place) => !PLACES.includes(place)) ?? '';
  const isNew = !isDocumentedOperation(name);
  require(isNew, `${name} is an operation of the spec; its limits get other values under limits`);
  require(isOwnName(name), `'${name}' can't be the name of an operation; take another one of a-z, 0-9 and '-'`);
  const isKnown = unknown === '';
  require(isKnown, `the path of ${name} has {${unknown}}; it may have {inst_id} and {job_id}${suggestion(unknown, PLACES)}`);
  const hasPlaces = side === 'inference' && places.length > 0;
  require(!hasPlaces, `${name} is on interface A, which has no endpoint instances and no jobs`);
  const sends = written.body === undefined || methods.some((one) => one !== 'GET');
  require(sends, `${name} has a body, which GET does not send; give another method, or leave it off`);
  return {
    id: name,
    interface: side,
    methods,
    path,
    budget: null,
    ...('body' in written ? { body: written.body } : {}),
  };
}

/** Another value in place of the spec's: the queue rule and the times of retention are sentences, and not one number. */
function changed(row: Limit, written: WrittenLimit, require: Require): Limit {
  const { id, value } = written;
  const isNumber = row.kind !== 'queue' && row.kind !== 'retention';
  require(isNumber, `${id} can't be given another value: only rates, requests at once and sizes can`);
  for (const key of ['kind', 'operations'] as const) {
    const isSame = written[key] === undefined || JSON.stringify(written[key]) === JSON.stringify(row[key]);
    require(isSame, `${key} of ${id} is what the spec says, ${[row[key]].flat().join(', ')}; leave it off`);
  }
  if (row.kind === 'requests')
    return { ...row, value, windowMs: windowOf(written, require, row.windowMs), section: OWN_SECTION };
  require(written.window === undefined, `${id} has no window: only a rate has one`);
  return row.kind === 'content-bytes'
    ? { ...row, value, upperReading: value, section: OWN_SECTION }
    : { ...row, value, section: OWN_SECTION };
}

function added(written: WrittenLimit, own: readonly OwnOperation[], require: Require): Limit {
  const { id, kind, value } = written;
  const near = suggestion(
    id,
    documented.map((one) => one.id),
  );
  require(kind, `the spec has no limit ${id}${near}; one of your own has the kind ${OWN_KINDS.join(', ')}`);
  const [name = ''] = id.split('.');
  const isNamed = isOwnName(name) && id === `${name}.${ENDINGS[kind]}`;
  require(isNamed, `the id of a limit of ${kind} is a name of your own and .${ENDINGS[kind]}, not ${id}`);
  const named = (written.operations ?? []).map((one) => own.find((operation) => operation.id === one) ?? one);
  const strange = named.find((one) => typeof one === 'string');
  const known = own.map((one) => one.id);
  require(named.length > 0, `${id} needs operations, a list of names from operations:`);
  const areKnown = strange === undefined;
  require(areKnown, `${id} names '${strange}', which is not under operations:${suggestion(String(strange), known)}`);
  const operations = named.filter((one) => typeof one !== 'string');
  require(new Set(operations).size === operations.length, `${id} names an operation twice`);
  const isOnOneSide = new Set(operations.map((one) => one.interface)).size === 1;
  require(isOnOneSide, `the operations of ${id} are on different interfaces; give each interface its own limit`);
  const base = { id, budget: name, operations: operations.map((one) => one.id), value, section: OWN_SECTION };
  if (kind === 'requests') return { ...base, kind, windowMs: windowOf(written, require) };
  require(written.window === undefined, `${id} has no window: only a rate has one`);
  if (kind === 'concurrent-requests') return { ...base, kind, per: 'endpoint' };
  requireBody(id, value, operations, require);
  return { ...base, kind, upperReading: value };
}

/** A body is made longer by spaces inside its braces, and is sent to one operation, without a job to follow up. */
function requireBody(id: string, value: number, [operation, ...more]: readonly OwnOperation[], require: Require): void {
  require(operation && more.length === 0, `${id} is of one operation; give each its own`);
  const { id: name, body, methods } = operation;
  const isLonger = typeof body === 'object' && body !== null && methods.some((one) => one !== 'GET');
  require(isLonger, `${id} needs a body of ${name} that can be made longer: a map or a list, and no method GET alone`);
  require(!isAboutJob(operation), `${id} is of ${name}, whose path names a job; sizes are for others`);
  const bytes = Buffer.byteLength(JSON.stringify(body));
  require(bytes <= value, `the body of ${name} has ${bytes} bytes, more than ${id} allows`);
}

function windowOf({ id, window }: WrittenLimit, require: Require, usual = 0): number {
  const windowMs = window === undefined ? usual : (milliseconds(window) ?? 0);
  const isSensible = windowMs >= LEAST_WINDOW_MS && windowMs <= LONGEST_WINDOW_MS;
  require(isSensible, `${id} needs a window of 100ms to 1h, such as window: 1s`);
  return Math.round(windowMs);
}

/**
 * Latency goals of operations.
 * @throws UsageError naming file and line: an operation or percentile that is not measured
 */
export function goalsFrom(config: ConfigDocument, written: Section<'goals'>, promised: Promised): readonly Goal[] {
  const own = promised.operations ?? [];
  const paced = promised.limits?.flatMap((row) => (row.kind === 'requests' ? row.operations : [])) ?? [];
  const measured = allDocumented.map(({ id }) => id).filter((id) => goalKeysOf(id).length > 0);
  const known = [...measured, ...own.map(({ id }) => id)];
  return Object.entries(written).flatMap(([name, goals]) => {
    const require: Require = requirer(config, ['goals', name]);
    const id = known.find((one) => one === name);
    require(id ?? isDocumentedOperation(name), `unknown operation '${name}'${suggestion(name, known)}`);
    require(id, `nothing is measured of ${name}; goals are for ${known.join(', ')}`);
    const isOwn = own.some((one) => one.id === id);
    const why = 'latency is measured of a paced load, which only a rate limit brings';
    require(!isOwn || paced.includes(id), `nothing is measured of ${name}: ${why}; give it one of kind requests`);
    const keys = isOwn ? pacedGoalKeys : goalKeysOf(id);
    return Object.entries(goals).map(([key, time]): Goal => {
      const [meaning, ms] = [keys.includes(key) ? goalKeys[key] : undefined, milliseconds(time)];
      if (meaning && ms !== null) return { operation: id, ...meaning, ms };
      throw new UsageError(
        `${config.at(['goals', name, key])}: unknown goal '${key}' for ${name}; one of ${keys.join(', ')}`,
      );
    });
  });
}
