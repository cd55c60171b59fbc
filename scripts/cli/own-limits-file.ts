/**
 * The `limits:` list of a configuration file: limits on operations of the target's own, and other values for limits of
 * the spec, where an account was promised more. Each becomes a row of the table that planning and judging read.
 */
import type { Pair } from 'yaml';
import { limits as documented, type Limit, type LimitKind, OWN_SECTION } from '../../schemas/limits.ts';
import { asksAboutJob, isOwnName, type OwnOperation } from '../../schemas/own.ts';
import { UsageError } from '../../schemas/target.ts';
import type { ConfigDocument } from './config-file.ts';
import { milliseconds } from './milliseconds.ts';
import { suggestion } from './suggest.ts';
import { yaml } from './yaml.ts';

const KEYS = ['id', 'kind', 'operations', 'value', 'window'] as const;
type Key = (typeof KEYS)[number];

/** How the ids of each kind end, as those of the spec do. */
const ENDINGS = { requests: 'rate', 'concurrent-requests': 'concurrency', 'content-bytes': 'payload' } as const;
type OwnKind = keyof typeof ENDINGS;
const OWN_KINDS: readonly OwnKind[] = ['requests', 'concurrent-requests', 'content-bytes'];
/** Of the documented service's own jobs: of another operation nobody knows which queue and which jobs they are. */
const OF_JOBS: Readonly<Partial<Record<LimitKind, string>>> = {
  queue: 'a queue, which is seen by the jobs of run and runsync',
  retention: 'a time for which results are kept, which is seen by status',
};
/** Of the spec's rows: the queue rule and the times of retention are sentences, and not one number. */
const CHANGEABLE: readonly LimitKind[] = ['requests', 'concurrent-requests', 'content-bytes'];
const LEAST_WINDOW_MS = 100;
/** A run waits for several windows to pass. */
const LONGEST_WINDOW_MS = 3_600_000;
const LARGEST = 1_000_000_000;
const EXAMPLE =
  'limits takes a list, such as - { id: export.rate, kind: requests, operations: [export], value: 50, window: 1s }';

interface Written {
  readonly at: string;
  readonly id: string;
  readonly values: ReadonlyMap<Key, unknown>;
}

/** @throws UsageError naming file and line. */
export function ownLimitsFrom(config: ConfigDocument, pair: Pair, own: readonly OwnOperation[]): readonly Limit[] {
  const { isMap, isSeq } = yaml();
  if (!isSeq(pair.value) || pair.value.items.length === 0) throw new UsageError(`${config.at(pair)}: ${EXAMPLE}`);
  const rows: Limit[] = [];
  for (const item of pair.value.items) {
    if (!isMap(item) || item.items[0] === undefined) throw new UsageError(`${config.at(pair)}: ${EXAMPLE}`);
    const written = writtenBy(config, item.items);
    if (rows.some(({ id }) => id === written.id)) throw new UsageError(`${written.at}: ${written.id} is given twice`);
    const before = documented.find(({ id }) => id === written.id);
    const row = before ? changed(before, written) : added(written, own);
    requireOneBudget(written.at, row, rows);
    rows.push(row);
  }
  return rows;
}

function writtenBy(config: ConfigDocument, items: readonly Pair[]): Written {
  const { isNode, isScalar } = yaml();
  const [first] = items;
  const at = first ? config.at(first) : '';
  const values = items.map((one): [Key, unknown] => {
    const written = isScalar(one.key) ? String(one.key.value) : '';
    const key = KEYS.find((known) => known === written);
    if (key !== undefined) return [key, isNode(one.value) ? config.read(one) : null];
    throw new UsageError(`${config.at(one)}: unknown key '${written}' of a limit${suggestion(written, KEYS)}`);
  });
  const found = new Map(values);
  const id = found.get('id');
  if (typeof id !== 'string') throw new UsageError(`${at}: a limit needs an id, such as export.rate`);
  return { at, id, values: found };
}

/** Another value in place of the spec's. */
function changed(row: Limit, written: Written): Limit {
  const { at, id, values } = written;
  if (!CHANGEABLE.includes(row.kind)) {
    throw new UsageError(`${at}: ${id} can't be given another value: only rates, requests at once and sizes can`);
  }
  for (const key of ['kind', 'operations'] as const) {
    const given = values.get(key);
    if (given === undefined || JSON.stringify(given) === JSON.stringify(row[key])) continue;
    throw new UsageError(`${at}: ${key} of ${id} is what the spec says, ${[row[key]].flat().join(', ')}; leave it off`);
  }
  const value = numberOf(written);
  switch (row.kind) {
    case 'requests':
      return { ...row, value, windowMs: windowOf(written, row.windowMs), section: OWN_SECTION };
    case 'content-bytes':
      refuseWindow(written);
      return { ...row, value, upperReading: value, section: OWN_SECTION };
    default:
      refuseWindow(written);
      return { ...row, value, section: OWN_SECTION };
  }
}

function added(written: Written, own: readonly OwnOperation[]): Limit {
  const { at, id, values } = written;
  const given = values.get('kind');
  const kind = OWN_KINDS.find((one) => one === given);
  const ofJobs = Object.entries(OF_JOBS).find(([one]) => one === given || id.endsWith(`.${one}`));
  if (kind === undefined && ofJobs) {
    throw new UsageError(
      `${at}: ${id} would be a limit of ${ofJobs[1]}; on an operation of your own nobody could tell it. ` +
        `The kinds there are ${OWN_KINDS.join(', ')}`,
    );
  }
  if (kind === undefined) {
    const near = suggestion(
      id,
      documented.map((one) => one.id),
    );
    throw new UsageError(
      `${at}: the spec has no limit ${id}${near}; one of your own has the kind ${OWN_KINDS.join(', ')}`,
    );
  }
  const [name = '', ending] = id.split('.');
  if (ending !== ENDINGS[kind] || id !== `${name}.${ending}` || !isOwnName(name)) {
    throw new UsageError(`${at}: the id of a limit of ${kind} is a name of your own and .${ENDINGS[kind]}, not ${id}`);
  }
  const named = operationsOf(written, own);
  const operations = named.map((one) => one.id);
  const base = { id, budget: name, operations, value: numberOf(written), section: OWN_SECTION };
  if (kind === 'requests') return { ...base, kind, windowMs: windowOf(written) };
  refuseWindow(written);
  if (kind === 'concurrent-requests') return { ...base, kind, per: 'endpoint' };
  requireBody(written, named, base.value);
  return { ...base, kind, upperReading: base.value };
}

function operationsOf({ at, id, values }: Written, own: readonly OwnOperation[]): readonly OwnOperation[] {
  const given = values.get('operations');
  const names: readonly unknown[] = Array.isArray(given) ? given : [];
  if (names.length === 0) throw new UsageError(`${at}: ${id} needs operations, a list of names from operations:`);
  const known = own.map((one) => one.id);
  const found = names.map((name) => {
    const operation = own.find((one) => one.id === name);
    if (operation) return operation;
    throw new UsageError(
      `${at}: ${id} names '${name}', which is not under operations:${suggestion(String(name), known)}`,
    );
  });
  if (new Set(found).size < found.length) throw new UsageError(`${at}: ${id} names an operation twice`);
  if (new Set(found.map((one) => one.interface)).size > 1) {
    throw new UsageError(
      `${at}: the operations of ${id} are on different interfaces; give each interface its own limit`,
    );
  }
  return found;
}

/** Two limits of a kind on one operation can't be told apart when it is refused. */
function requireOneBudget(at: string, row: Limit, rows: readonly Limit[]): void {
  const other = rows.find(
    (one) => one.budget !== row.budget && one.operations.some((id) => row.operations.includes(id)),
  );
  if (!other) return;
  const shared = row.operations.find((id) => other.operations.includes(id));
  throw new UsageError(`${at}: ${shared} is in ${other.id} already, so ${row.id} must be called ${other.budget}.…`);
}

/** A body is made longer by spaces inside its braces, and is sent to one operation, without a job to ask about. */
function requireBody({ at, id }: Written, operations: readonly OwnOperation[], value: number): void {
  const [operation, ...more] = operations;
  if (!operation || more.length > 0) throw new UsageError(`${at}: ${id} is of one operation; give each its own`);
  const { id: name, body, methods } = operation;
  if (typeof body !== 'object' || body === null || methods.every((one) => one === 'GET')) {
    throw new UsageError(
      `${at}: ${id} needs a body of ${name} that can be made longer: a map or a list, and no method GET alone`,
    );
  }
  if (asksAboutJob(operation)) {
    throw new UsageError(`${at}: ${id} is of ${name}, whose path names a job; sizes are for others`);
  }
  const bytes = Buffer.byteLength(JSON.stringify(body));
  if (bytes > value) throw new UsageError(`${at}: the body of ${name} has ${bytes} bytes, more than ${id} allows`);
}

function numberOf({ at, id, values }: Written): number {
  const value = values.get('value');
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= LARGEST) return value;
  throw new UsageError(`${at}: the value of ${id} is a whole number from 1 up`);
}

function windowOf({ at, id, values }: Written, usual?: number): number {
  const given = values.get('window');
  if (given === undefined && usual !== undefined) return usual;
  const windowMs = typeof given === 'string' ? milliseconds(given) : null;
  if (windowMs !== null && windowMs >= LEAST_WINDOW_MS && windowMs <= LONGEST_WINDOW_MS) return Math.round(windowMs);
  throw new UsageError(`${at}: ${id} needs a window of 100ms to 3600s, such as window: 1s`);
}

function refuseWindow({ at, id, values }: Written): void {
  if (values.has('window')) throw new UsageError(`${at}: ${id} has no window: only a rate has one`);
}
