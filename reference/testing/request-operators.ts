/**
 * Faults by enumeration in how a service reads requests: each field that the contract checks send, misunderstood in
 * each way in which a value can be, refused though it is allowed, required though it is optional, accepted when it is
 * wrong, or the end of the service.
 */
import { isObject } from '../../schemas/json.ts';
import type { DocumentedOperationId } from '../../schemas/operations.ts';
import { inferenceError, jobError, Refusal } from '../errors.ts';
import { asChatRequest, asCompletionRequest } from '../inference/request.ts';
import { type Plant, rulesWithMemory } from '../mutants/mutant.ts';
import type { OperatorFault } from './operators.ts';
import {
  changedAt,
  changing,
  isLong,
  nameOf,
  operatorsFor,
  type Place,
  type PlaceSeen,
  PlacesSeen,
  valuesAt,
} from './places.ts';

/** What is in these is no field: the handler's own data, and what a client describes to the model. */
const OPAQUE: readonly string[] = ['input', 'parameters', 'schema'];

function isTaken(id: DocumentedOperationId, body: unknown): boolean {
  if (id !== 'chat' && id !== 'completions') return isObject(body) && 'input' in body;
  try {
    return Boolean(id === 'chat' ? asChatRequest(body) : asCompletionRequest(body));
  } catch {
    return false;
  }
}

/** A plant for bodies of one operation. */
const understood = (operation: DocumentedOperationId, make: () => (body: unknown) => unknown): Plant =>
  rulesWithMemory(({ rules }) => {
    const change = make();
    return {
      understood: (id, body) => {
        const before = rules.understood(id, body);
        return id === operation ? change(before) : before;
      },
    };
  });

/** @param how a 400, or a 500 in the place of whatever should be answered */
const refusing = (operation: DocumentedOperationId, how: 400 | 500, applies: (body: unknown) => boolean): Plant =>
  understood(operation, () => (body) => {
    if (!applies(body)) return body;
    throw operation === 'chat' || operation === 'completions'
      ? new Refusal(inferenceError(how, { message: 'It is not taken.', type: 'invalid_request_error' }))
      : new Refusal(jobError(how, 'it is not taken'));
  });

const TYPES: Readonly<Record<string, string>> = { string: 'a text', number: 'a number', boolean: 'true or false' };

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return isLong(value) ? 'a long list' : 'a list';
  return TYPES[typeof value] ?? 'an object';
}

/** Of which no more than these are sent: words of the interface, and no texts. */
const MOST_WORDS = 8;
const isWord = (text: string): boolean => /^\S{1,40}$/.test(text);

interface Kind {
  readonly name: string;
  readonly is: (value: unknown) => boolean;
}

/** Each kind of value that stands at a place, and each word. */
function kindsOf(values: readonly unknown[]): readonly Kind[] {
  const words = new Set(values.filter((one) => typeof one === 'string' && isWord(one)));
  const few = words.size > 1 && words.size <= MOST_WORDS ? [...words] : [];
  return [
    ...[...new Set(values.map(kindOf))].map((name): Kind => ({ name, is: (one) => kindOf(one) === name })),
    ...few.map((word): Kind => ({ name: `"${word}"`, is: (one) => one === word })),
  ];
}

/** The body with this value at a place, also where nothing stood there. */
function filledAt(body: unknown, place: Place, value: unknown): unknown {
  const key = place.at(-1);
  if (key === undefined || key === '*') return changedAt(body, place, () => value);
  return changedAt(body, place.slice(0, -1), (outer) => (isObject(outer) ? { ...outer, [key]: value } : outer));
}

const lacks = (body: unknown, place: Place): boolean =>
  valuesAt(body, place.slice(0, -1)).some((outer) => isObject(outer) && !((place.at(-1) ?? '') in outer));

/** Faults in how bodies of one operation are understood that have something at a place, by name. */
function placeFaults(
  operation: DocumentedOperationId,
  { place, values }: PlaceSeen,
  taken: readonly unknown[],
  refused: readonly unknown[],
): Readonly<Record<string, Plant>> {
  const own = taken.flatMap((body) => valuesAt(body, place));
  const each = (what: string, how: 400 | 500, kinds: readonly Kind[]): [string, Plant][] =>
    kinds.map(({ name, is }) => [
      `${what} if ${name}`,
      refusing(operation, how, (body) => valuesAt(body, place).some(is)),
    ]);
  const breaking = Object.fromEntries(each('breaks down', 500, kindsOf(values)));
  if (own.length === 0 || place.length === 0) return breaking;
  const mended = (body: unknown): unknown => (isTaken(operation, body) ? body : filledAt(body, place, own[0]));
  const isNeeded = (body: unknown): boolean => lacks(body, place);
  return {
    ...breaking,
    ...Object.fromEntries(
      operatorsFor(place, own).map((one) => [one.name, understood(operation, () => changing(place, one))]),
    ),
    ...Object.fromEntries(each('refused', 400, kindsOf(own))),
    ...(taken.some(isNeeded) ? { needed: refusing(operation, 400, isNeeded) } : {}),
    ...(refused.some((body) => isTaken(operation, mended(body)))
      ? { 'not checked': understood(operation, () => mended) }
      : {}),
  };
}

/** Collects what a service is asked, and makes the faults in how it is understood. */
export class RequestsSeen {
  readonly #bodies = new Map<DocumentedOperationId, unknown[]>();

  /** Makes a service collect all bodies that it is sent. */
  readonly listening: Plant = rulesWithMemory(({ rules }) => ({
    understood: (id, body) => {
      const bodies = this.#bodies.get(id) ?? [];
      this.#bodies.set(id, bodies);
      bodies.push(body);
      return rules.understood(id, body);
    },
  }));

  /** Each of them changes how at least one request that was seen is understood. */
  faults(): OperatorFault[] {
    return [...this.#bodies].flatMap(([operation, bodies]) => {
      const places = new PlacesSeen(OPAQUE);
      for (const body of bodies) places.add(body);
      const taken = bodies.filter((body) => isTaken(operation, body));
      const refused = bodies.filter((body) => !isTaken(operation, body));
      return [{ place: [], values: bodies }, ...places.all()].flatMap((seen) =>
        Object.entries(placeFaults(operation, seen, taken, refused)).map(([name, apply]) => ({
          subject: `${operation} request ${nameOf(seen.place)}`,
          name,
          apply,
        })),
      );
    });
  }
}
