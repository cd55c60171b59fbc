/**
 * Faults by enumeration: each field of each successful JSON response of the sound reference with each way in which a
 * value can be wrong, each event stream and its fields, each refusal, each operation. The faults were not chosen
 * together with the checks, so a fault that no check notices is a hole in the checks, or a field without a promise.
 */
import { type DocumentedOperationId, type InterfaceId, isSubmitting, operation } from '../../schemas/operations.ts';
import {
  type Alter,
  answers,
  bodyOf,
  eachChunk,
  events,
  instead,
  succeeded,
  withBody,
  withMemory,
} from '../mutants/answers.ts';
import { all, type Plant, rulesWithMemory } from '../mutants/mutant.ts';
import { json, type Reply, withHeader } from '../reply.ts';
import { changing, nameOf, operatorsFor, type PlaceSeen, PlacesSeen } from './places.ts';

export interface OperatorFault {
  /** `status /output` */
  readonly subject: string;
  /** `missing` */
  readonly name: string;
  readonly apply: Plant;
}

/** One for each way in which what stands at a place can be wrong; `plant` is given what changes a whole value so. */
const changes = (
  subject: string,
  { place, values }: PlaceSeen,
  plant: (change: (value: unknown) => unknown) => Plant,
): OperatorFault[] =>
  operatorsFor(place, values).map((operator) => ({
    subject: `${subject} ${nameOf(place)}`,
    name: operator.name,
    apply: (options) => plant(changing(place, operator))(options),
  }));

const fieldFaults = (operation: DocumentedOperationId, seen: PlaceSeen): OperatorFault[] =>
  changes(operation, seen, (change) =>
    answers((reply, { id }) => {
      const before = id === operation && succeeded(reply) ? bodyOf(reply) : null;
      return before ? withBody(reply, change(before)) : reply;
    }),
  );

/** A field of the chunks of a stream. */
const eventFaults = (operation: DocumentedOperationId, seen: PlaceSeen): OperatorFault[] =>
  changes(`${operation} event`, seen, (change) => eachChunk([operation], () => (chunk) => [change(chunk)]));

const STREAMING = ['chat', 'completions'] as const;

/** What is in these is no field: a job's own data belong to the handler, and tokens are the keys of some log probabilities. */
const OPAQUE: readonly string[] = ['output', 'input', 'top_logprobs'];

/** Collects what the sound service answers, and makes the faults that change it. */
export class ResponsesSeen {
  readonly #refusals = new Map<string, { readonly by: Refuser; readonly status: number }>();
  readonly #events = new Map<DocumentedOperationId, PlacesSeen>();
  readonly #operations = new Map<DocumentedOperationId, PlacesSeen>();

  /** Makes a service collect all that it answers. */
  readonly listening: Plant = all(
    answers((reply, { id }) => {
      this.add(id, reply);
      return reply;
    }),
    ...STREAMING.map((id) =>
      eachChunk([id], () => (chunk) => {
        const places = this.#events.get(id) ?? new PlacesSeen(OPAQUE);
        this.#events.set(id, places);
        places.add(chunk);
        return [chunk];
      }),
    ),
  );

  /** @param operation null where the path leads to none */
  add(operation: DocumentedOperationId | null, reply: Reply): void {
    const { status } = reply;
    for (const by of succeeded(reply) ? [] : refusersOf(operation))
      this.#refusals.set(`${by} ${status}`, { by, status });
    if (operation === null) return;
    const places = this.#operations.get(operation) ?? new PlacesSeen(OPAQUE);
    this.#operations.set(operation, places);
    if (succeeded(reply)) places.add(bodyOf(reply));
  }

  /** Each of them changes at least one response that was seen. */
  faults(): OperatorFault[] {
    return [
      ...[...this.#events].flatMap(([id, places]) => places.all().flatMap((seen) => eventFaults(id, seen))),
      ...[...this.#operations].flatMap(([id, places]) => places.all().flatMap((seen) => fieldFaults(id, seen))),
      ...STREAMING.flatMap(streamFaults),
      ...[...this.#refusals.values()].flatMap(({ by, status }) => refusalFaults(by, status)),
      ...[...this.#operations.keys()].flatMap((one) => [
        ...operationFaults(one),
        ...credentialFaults(one),
        ...labelFaults(one),
        ...(isSubmitting(one) || STREAMING.some((id) => id === one) ? [charsetFault(one)] : []),
        ...operation(one).methods.flatMap((method) => methodFaults(one, method)),
      ]),
    ];
  }
}

type Events = readonly string[];

/** What becomes of the events of a stream, the last of which is [DONE]; `before`: those of the stream before. */
const eventOperators: Readonly<Record<string, (own: Events, before: Events) => Events>> = {
  'without its second event': (own) => own.toSpliced(1, 1),
  'with its second event twice': (own) => own.toSpliced(1, 0, ...own.slice(1, 2)),
  'with two events exchanged': (own) => [...own.slice(0, 1), ...own.slice(1, 3).toReversed(), ...own.slice(3)],
  'with a foreign event': (own, before) => own.toSpliced(2, 0, ...before.slice(1, 2)),
  'cut off in the middle': (own) => own.slice(0, own.length / 2),
  'without its end': (own) => own.slice(0, -1),
  'without its letters of several bytes': (own) => own.map((one) => one.replace(/\P{ASCII}/gu, '\ufffd')),
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

/** Who refuses: an operation, a path of none, or all operations of an interface, where one piece of code refuses for all. */
type Refuser = DocumentedOperationId | 'another-path' | InterfaceId;

const refusersOf = (id: DocumentedOperationId | null): readonly Refuser[] =>
  id === null ? ['another-path'] : [id, operation(id).interface];

function refusalFaults(by: Refuser, status: number): OperatorFault[] {
  const changed = (name: string, change: (reply: Reply) => Reply): OperatorFault => ({
    subject: `${by} ${status}`,
    name,
    apply: answers((reply, { id }) => (reply.status === status && refusersOf(id).includes(by) ? change(reply) : reply)),
  });
  return [
    changed('as a 200', (reply) => ({ ...reply, status: 200 })),
    changed('as a 500', (reply) => ({ ...reply, status: 500 })),
    changed('as a 418', (reply) => ({ ...reply, status: 418 })),
    changed('resets the connection', (reply) => ({ ...reply, body: brokenOff() })),
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
  'answers 401': () => json(401, { error: { message: 'wrong key' } }),
  'answers 400': () => json(400, { error: { message: 'bad request' } }),
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

/** Another status or type than that of the response. */
const labels: Readonly<Record<string, (reply: Reply) => Reply>> = {
  'as a 201': (reply) => ({ ...reply, status: 201 }),
  'as a 202': (reply) => ({ ...reply, status: 202 }),
  'as a 204 without a body': (reply) => ({ ...reply, status: 204, body: '' }),
  'as text': (reply) => withHeader(reply, 'content-type', 'text/plain'),
  'after a byte order mark': (reply) =>
    typeof reply.body === 'string' ? { ...reply, body: `\ufeff${reply.body}` } : reply,
};

function labelFaults(operation: DocumentedOperationId): OperatorFault[] {
  return Object.entries(labels).map(([name, change]) => ({
    subject: `${operation} response`,
    name,
    apply: answers((reply, { id }) => (id === operation && succeeded(reply) ? change(reply) : reply)),
  }));
}

const charsetFault = (id: DocumentedOperationId): OperatorFault => ({
  subject: `${id} refuses`,
  name: 'a charset',
  apply: instead(id, 415, {}, ({ headers }) => /charset/i.test(headers.get('content-type') ?? '')),
});

/** A method that an operation is documented with and does not have. */
function methodFaults(operation: DocumentedOperationId, method: string): OperatorFault[] {
  return [404, 405].map((status) => ({
    subject: `${operation} by ${method}`,
    name: `answers ${status}`,
    apply: instead(operation, status, { error: 'not found' }, (about) => about.method === method),
  }));
}

/** Who is let in to an operation who should not be: given the header, the key that is taken for it. */
const credentials: Readonly<Record<string, (right: string, header: string | null) => boolean>> = {
  'no key': (_, header) => header === null,
  'any key': (_, header) => header !== null,
  'the key in another case': (right, header) => header?.toLowerCase() === `Bearer ${right}`.toLowerCase(),
  'the key with more behind it': (right, header) => header?.startsWith(`Bearer ${right}`) === true,
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
