/**
 * Faults by enumeration: each field of each successful JSON response of the sound reference with each way in which a value
 * can be wrong, each event stream, each refusal, each operation. The faults were not chosen beside the checks, so a
 * fault that no check notices is a hole in the checks, or a field without a promise.
 */
import type { DocumentedOperationId } from '../../schemas/operations.ts';
import { type Alter, answers, bodyOf, events, succeeded, withBody, withMemory } from '../mutants/answers.ts';
import { isObject, type Plant, rulesWithMemory } from '../mutants/mutant.ts';
import { json, type Reply } from '../reply.ts';

/** Where a value stands: names of fields, and `*` for each item of a list. */
type Place = readonly string[];

export interface OperatorFault {
  /** `status /output` */
  readonly subject: string;
  /** `missing` */
  readonly name: string;
  readonly apply: Plant;
}

/** In place of a value; undefined: the field is missing. `earlier`: what stood there in the responses before. */
type Change = (value: unknown, earlier: readonly unknown[]) => unknown;

interface Operator {
  readonly name: string;
  readonly fits: (value: unknown) => boolean;
  readonly change: Change;
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isLong = (value: unknown): boolean => isList(value) && value.length > 1;

function ofAnotherType(value: unknown): unknown {
  if (typeof value === 'string') return 7;
  if (isNumber(value) || typeof value === 'boolean') return String(value);
  return isList(value) ? {} : [];
}

function emptied(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (isList(value)) return [];
  return isObject(value) ? {} : 0;
}

const items = (value: unknown): readonly unknown[] => (isList(value) ? value : []);

const operators: readonly Operator[] = [
  { name: 'missing', fits: () => true, change: () => undefined },
  { name: 'null', fits: (value) => value !== null, change: () => null },
  { name: 'of another type', fits: (value) => value !== null, change: ofAnotherType },
  { name: 'empty', fits: (value) => value !== null && typeof value !== 'boolean', change: emptied },
  { name: 'negated', fits: (value) => typeof value === 'boolean', change: (value) => !value },
  { name: 'always the first one', fits: () => true, change: (value, earlier) => earlier[0] ?? value },
  { name: 'that of the response before', fits: () => true, change: (value, earlier) => earlier.at(-1) ?? value },
  { name: 'one more', fits: isNumber, change: (value) => Number(value) + 1 },
  { name: 'a thousand times', fits: isNumber, change: (value) => Number(value) * 1000 },
  { name: 'a thousandth', fits: isNumber, change: (value) => Math.floor(Number(value) / 1000) },
  { name: 'without its first item', fits: isList, change: (value) => items(value).slice(1) },
  { name: 'without its last item', fits: isList, change: (value) => items(value).slice(0, -1) },
  { name: 'with an item twice', fits: isList, change: (value) => [...items(value).slice(0, 1), ...items(value)] },
  { name: 'reversed', fits: isLong, change: (value) => items(value).toReversed() },
  {
    name: 'with a foreign item',
    fits: isList,
    change: (value, earlier) => [
      ...items(value),
      ...items(earlier.findLast((one) => items(one).length > 0)).slice(0, 1),
    ],
  },
];

/** The same value with what stands at a place changed. */
function changedAt(value: unknown, [first, ...rest]: Place, change: (value: unknown) => unknown): unknown {
  if (first === undefined) return change(value);
  if (first === '*') return isList(value) ? value.map((one) => changedAt(one, rest, change)) : value;
  if (!isObject(value) || !(first in value)) return value;
  const changed = changedAt(value[first], rest, change);
  const entries = Object.entries(value).map(([key, one]) => [key, key === first ? changed : one] as const);
  return Object.fromEntries(entries.filter(([key]) => key !== first || changed !== undefined));
}

const nameOf = (place: Place): string => `/${place.join('/')}`;

/** Enough to repeat what came before. */
const MOST_KEPT = 50;

function fault(operation: DocumentedOperationId, place: Place, { name, change }: Operator): OperatorFault {
  const apply = withMemory(() => {
    const earlier: unknown[] = [];
    return (reply, about) => {
      const before = about.id === operation && succeeded(reply) ? bodyOf(reply) : null;
      if (!before) return reply;
      const seen: unknown[] = [];
      const after = changedAt(before, place, (value) => {
        seen.push(value);
        return change(value, earlier);
      });
      if (earlier.length < MOST_KEPT) earlier.push(...seen);
      else earlier.splice(1, earlier.length - 1, ...seen.slice(-1));
      return withBody(reply, after);
    };
  });
  return { subject: `${operation} ${nameOf(place)}`, name, apply };
}

/** What is in these is no field: a job's own data belong to the handler, and tokens are the keys of some log probabilities. */
const OPAQUE: readonly (string | undefined)[] = ['output', 'input', 'top_logprobs'];

interface Field {
  readonly operation: DocumentedOperationId;
  readonly place: Place;
  readonly values: unknown[];
}

/** Collects what the sound service answers, and makes the faults that change it. */
export class ResponsesSeen {
  readonly #fields = new Map<string, Field>();
  readonly #refusals = new Map<string, { readonly operation: DocumentedOperationId | null; readonly status: number }>();
  readonly #operations = new Set<DocumentedOperationId>();

  /** @param operation null where the path leads to none */
  add(operation: DocumentedOperationId | null, reply: Reply): void {
    if (!succeeded(reply)) this.#refusals.set(`${operation} ${reply.status}`, { operation, status: reply.status });
    if (operation === null) return;
    this.#operations.add(operation);
    const body = succeeded(reply) ? bodyOf(reply) : null;
    if (body) this.#walk(operation, [], body);
  }

  #walk(operation: DocumentedOperationId, place: Place, value: unknown): void {
    if (place.length > 0) {
      const key = `${operation} ${nameOf(place)}`;
      const known = this.#fields.get(key) ?? { operation, place, values: [] };
      if (known.values.length < MOST_KEPT) known.values.push(value);
      this.#fields.set(key, known);
    }
    if (OPAQUE.includes(place.at(-1))) return;
    if (isList(value)) for (const one of value) this.#walk(operation, [...place, '*'], one);
    else if (isObject(value))
      for (const [key, one] of Object.entries(value)) this.#walk(operation, [...place, key], one);
  }

  /** Each of them changes at least one response that was seen. */
  faults(): OperatorFault[] {
    return [
      ...[...this.#fields.values()].flatMap(fieldFaults),
      ...(['chat', 'completions'] as const).flatMap(streamFaults),
      ...[...this.#refusals.values()].flatMap(({ operation, status }) => refusalFaults(operation, status)),
      ...[...this.#operations].flatMap((one) => [...operationFaults(one), ...credentialFaults(one)]),
    ];
  }
}

const fieldFaults = ({ operation, place, values }: Field): OperatorFault[] =>
  operators
    // An item that is missing is the list without it.
    .filter(({ name, fits }) => values.some(fits) && !(place.at(-1) === '*' && name === 'missing'))
    .map((operator) => fault(operation, place, operator));

type Events = readonly string[];

/** What becomes of the events of a stream, the last of which is [DONE]; `before`: those of the stream before. */
const eventOperators: Readonly<Record<string, (own: Events, before: Events) => Events>> = {
  'without its second event': (own) => own.toSpliced(1, 1),
  'with its second event twice': (own) => own.toSpliced(1, 0, ...own.slice(1, 2)),
  'with two events exchanged': (own) => [...own.slice(0, 1), ...own.slice(1, 3).toReversed(), ...own.slice(3)],
  'with a foreign event': (own, before) => own.toSpliced(2, 0, ...before.slice(1, 2)),
  'cut off in the middle': (own) => own.slice(0, own.length / 2),
  'without its end': (own) => own.slice(0, -1),
  'in one piece at its end': (own) => [own.join('')],
};

function streamFaults(operation: DocumentedOperationId): OperatorFault[] {
  return Object.entries(eventOperators).map(([name, change]) => ({
    subject: `${operation} stream`,
    name,
    apply: (options) => {
      let before: Events = [];
      return events([operation], async function* (pieces) {
        const own: string[] = [];
        for await (const piece of pieces) own.push(...piece.split(/(?<=\n\n)/));
        yield* change(own, before);
        before = own;
      })(options);
    },
  }));
}

function refusalFaults(operation: DocumentedOperationId | null, status: number): OperatorFault[] {
  const isOne = (reply: Reply, id: DocumentedOperationId | null) => id === operation && reply.status === status;
  const changed = (name: string, change: (reply: Reply) => Reply): OperatorFault => ({
    subject: `${operation ?? 'another-path'} ${status}`,
    name,
    apply: answers((reply, { id }) => (isOne(reply, id) ? change(reply) : reply)),
  });
  return [
    changed('as a 200', (reply) => ({ ...reply, status: 200 })),
    changed('as a 500', (reply) => ({ ...reply, status: 500 })),
    changed('as a 418', (reply) => ({ ...reply, status: 418 })),
    changed('with an empty object', (reply) => json(reply.status, {})),
  ];
}

/** Longer than any client waits. */
const HANG_MS = 3_600_000;
const SLOW_MS = 20_000;

async function* brokenOff(): AsyncGenerator<string> {
  yield '{';
  throw new Error('connection reset');
}

/** What an operation may do instead of what it should. */
const troubles: Readonly<Record<string, Alter>> = {
  'answers 500': () => json(500, { error: { message: 'broken' } }),
  'resets the connection': (reply) => ({ ...reply, body: brokenOff() }),
  hangs: async (reply, { clock }) => {
    await clock.sleep(HANG_MS);
    return reply;
  },
  'is slow': async (reply, { clock }) => {
    await clock.sleep(SLOW_MS);
    return reply;
  },
};

const moments: Readonly<Record<string, (count: number) => boolean>> = {
  always: () => true,
  'the first time': (count) => count === 1,
  'each seventh time': (count) => count % 7 === 0,
};

function operationFaults(operation: DocumentedOperationId): OperatorFault[] {
  return Object.entries(troubles).flatMap(([what, trouble]) =>
    Object.entries(moments).map(([name, isNow]) => ({
      subject: `${operation} ${what}`,
      name,
      apply: withMemory(() => {
        let count = 0;
        return (reply, about) => {
          if (about.id !== operation || !succeeded(reply)) return reply;
          count += 1;
          return isNow(count) ? trouble(reply, about) : reply;
        };
      }),
    })),
  );
}

/** Who is let in to an operation who should not be: given the header, the key that is taken for it. */
const credentials: Readonly<Record<string, (right: string, header: string | null) => boolean>> = {
  'no key': (_, header) => header === null,
  'any key': (_, header) => header !== null,
  'the key in another case': (right, header) => header?.toLowerCase() === `Bearer ${right}`.toLowerCase(),
  'the key without a scheme': (right, header) => header === right,
  'the key under another scheme': (right, header) => header?.endsWith(` ${right}`) === true,
};

function credentialFaults(operation: DocumentedOperationId): OperatorFault[] {
  return Object.entries(credentials).map(([name, isTaken]) => ({
    subject: `${operation} lets in`,
    name,
    apply: rulesWithMemory(({ accessKeys: [right = ''], rules }) => ({
      credential: (id, header) =>
        id === operation && isTaken(right, header) ? `Bearer ${right}` : rules.credential(id, header),
    })),
  }));
}
