/**
 * What two services did differently for the same requests. A difference is reported only where no timing explains it: a
 * field or a header that all responses of one side have and none of the other's, a type or a word that both sides never
 * share. So two runs of one service have none, and the order of the two services makes no difference.
 */
import { type Answer, isUnfinished } from './answer.ts';
import { article, type Difference, listWords, name, statusWords } from './sentences.ts';
import {
  type FieldShape,
  isStateField,
  type ObjectShape,
  type Seen,
  type Shape,
  type Shared,
  shapeOf,
} from './shape.ts';

export interface Comparison {
  readonly shared: Shared;
  /** False where evidence was dropped because there was too much: a status may then be missing by chance. */
  readonly whole: boolean;
  /** Fields that the reference has in one answer and lacks in another, to this request and in this place. */
  readonly optional: (place: string, field: string) => boolean;
}

/** Where a job was stopped on its way, such fields depend on how far it had come: they are missing, or null. */
const HISTORY = {
  state: /<[^>]*(?:cancel|timed|timeout|expired|abort)[^>]*>/i,
  field: /time|start|worker|output|error|result/i,
};

const isHistory = (place: string, field: string): boolean => HISTORY.state.test(place) && HISTORY.field.test(field);

const distinct = <T>(list: Iterable<T>): T[] => [...new Set(list)];
const without = <T>(list: readonly T[], other: readonly T[]): T[] => list.filter((one) => !other.includes(one));
const apart = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length > 0 && b.length > 0 && without(a, b).length === a.length;

function statuses(ours: readonly Answer[], theirs: readonly Answer[], whole: boolean): Difference[] {
  const [a, b] = [distinct(ours.map((one) => one.status)).sort(), distinct(theirs.map((one) => one.status)).sort()];
  if (apart(a, b)) {
    return [{ aspect: a.map(String), text: `answers ${statusWords(a)} where the reference answers ${statusWords(b)}` }];
  }
  const [more, less] = [without(a, b), without(b, a)];
  if (!whole) return [];
  return [
    ...(more.length > 0
      ? [{ aspect: more.map(String), text: `also answers ${statusWords(more)}, which the reference doesn't` }]
      : []),
    ...(less.length > 0
      ? [{ aspect: a.map(String), text: `never answers ${statusWords(less)}, as the reference does` }]
      : []),
  ];
}

function contentTypes(ours: readonly Answer[], theirs: readonly Answer[]): Difference[] {
  const types = (list: readonly Answer[]) => distinct(list.map((one) => one.contentType)).sort();
  const [a, b] = [types(ours), types(theirs)];
  if (!apart(a, b)) return [];
  const words = (list: readonly string[]) => listWords(list.map((one) => (one === '' ? 'no content type' : name(one))));
  return [{ aspect: ['content-type'], text: `the body is sent as ${words(a)}, the reference's as ${words(b)}` }];
}

function headers(ours: readonly Answer[], theirs: readonly Answer[]): Difference[] {
  const all = distinct([...ours, ...theirs].flatMap((one) => [...one.headers])).sort();
  return all.flatMap((header) => {
    const has = (list: readonly Answer[]) => list.filter((one) => one.headers.has(header)).length;
    const [a, b] = [has(ours), has(theirs)];
    const aspect = [header];
    if (a === 0 && b === theirs.length) return [{ aspect, text: `sends no ${header}` }];
    if (b === 0 && a === ours.length) return [{ aspect, text: `sends ${header}, which the reference doesn't` }];
    return [];
  });
}

/** How a completion ends is the model's doing, and a model with a temperature does it differently each time. */
const ENDINGS = ['stop', 'length'];

/** Words that distinguish the two: not the states that a job passes through sooner or later. */
function decisiveWords(field: string, { values }: FieldShape, shared: Shared): string[] {
  const passing = (word: string): boolean => isStateField(field) && isUnfinished(word) && shared(word);
  const drawn = (word: string): boolean => field === 'finish_reason' && ENDINGS.includes(word);
  return [...values].filter((word) => !passing(word) && !drawn(word)).sort();
}

/** Without what is not there yet. */
const known = (field: FieldShape): FieldShape => ({
  ...field,
  types: new Set([...field.types].filter((type) => type !== 'null')),
});

function fieldDifferences(
  path: string,
  field: string,
  [ours, theirs]: readonly [FieldShape, FieldShape],
  shared: Shared,
): Difference[] {
  const [a, b] = [[...ours.types].sort(), [...theirs.types].sort()];
  if (apart(a, b)) {
    return [
      {
        aspect: [field],
        text: `${path} is ${listWords(a.map(article))}, the reference's is ${listWords(b.map(article))}`,
      },
    ];
  }
  const [said, theySay] = [decisiveWords(field, ours, shared), decisiveWords(field, theirs, shared)];
  if (!apart(said, theySay)) return [];
  const text = `${path} is ${listWords(said.map(name))}, the reference's is ${listWords(theySay.map(name))}`;
  return [{ aspect: [field, ...said], text }];
}

function objectDifferences(place: string, ours: ObjectShape, theirs: ObjectShape, how: Comparison): Difference[] {
  const plain = place.replace(/<[^>]*>/g, '');
  const fields = distinct([...ours.fields.keys(), ...theirs.fields.keys()]).sort();
  return fields.flatMap((field) => {
    const full = plain === '' ? field : `${plain}.${field}`;
    const short = full.replace(/^(?:body|event)\.?/, '');
    const path = short === '' ? `the ${full}` : name(short);
    const [a, b] = [ours.fields.get(field), theirs.fields.get(field)];
    const aspect = [field];
    const history = isHistory(place, field);
    if (a && b) return fieldDifferences(path, field, history ? [known(a), known(b)] : [a, b], how.shared);
    if (history) return [];
    if (how.optional(place, field)) return [];
    if (b && ours.count > 0 && b.count >= theirs.count) return [{ aspect, text: `has no ${path}` }];
    if (a && theirs.count > 0 && a.count >= ours.count) {
      return [{ aspect, text: `has ${path}, which the reference doesn't` }];
    }
    return [];
  });
}

function shapes(ours: Shape, theirs: Shape, how: Comparison): Difference[] {
  return [...ours].flatMap(([place, object]) => {
    const other = theirs.get(place);
    return other ? objectDifferences(place, object, other, how) : [];
  });
}

/** What the bodies of one kind hold. */
export function seenIn(list: readonly Answer[], kind: 'json' | 'events'): Seen {
  const own = list.filter((one) => one.kind === kind);
  const torn = new Set(own.flatMap((one) => [...one.torn]));
  return { place: kind === 'json' ? 'body' : 'event', values: own.flatMap((one) => one.values), torn };
}

function bodies(ours: readonly Answer[], theirs: readonly Answer[], how: Comparison): Difference[] {
  const kinds = (list: readonly Answer[]) => distinct(list.map((one) => one.kind)).filter((one) => one !== 'cut');
  const [a, b] = [kinds(ours), kinds(theirs)];
  if (apart(a, b)) {
    const words = { json: 'JSON', events: 'a stream of events', text: 'text that is no JSON', nothing: 'empty' };
    const say = (list: readonly string[]) =>
      listWords(list.flatMap((kind) => Object.entries(words).find(([one]) => one === kind)?.[1] ?? []));
    return [{ aspect: ['body'], text: `the body is ${say(a)}, the reference's is ${say(b)}` }];
  }
  return (['json', 'events'] as const).flatMap((kind) => {
    return shapes(shapeOf(seenIn(ours, kind), how.shared), shapeOf(seenIn(theirs, kind), how.shared), how);
  });
}

function waits(ours: readonly Answer[], theirs: readonly Answer[]): Difference[] {
  const all = (list: readonly Answer[], word: Answer['wait']) => list.every((one) => one.wait === word);
  const aspect = ['wait'];
  if (all(ours, 'at once') && all(theirs, 'waits'))
    return [{ aspect, text: 'answers at once where the reference waits' }];
  if (all(ours, 'waits') && all(theirs, 'at once'))
    return [{ aspect, text: 'waits where the reference answers at once' }];
  return [];
}

const succeeded = ({ status }: Answer): boolean => status >= 200 && status < 300;
const refused = ({ status }: Answer): boolean => status >= 400;

/** All answers of both sides to one request, compared; what succeeded only with what succeeded, errors with errors. */
export function compareAnswers(ours: readonly Answer[], theirs: readonly Answer[], how: Comparison): Difference[] {
  const found = [succeeded, refused].flatMap((part) => {
    const [a, b] = [ours.filter(part), theirs.filter(part)];
    if (a.length === 0 || b.length === 0) return [];
    return [...contentTypes(a, b), ...headers(a, b), ...bodies(a, b, how), ...waits(a, b)];
  });
  const all = [...statuses(ours, theirs, how.whole), ...found];
  return [...new Map(all.map((one) => [one.text, one])).values()];
}
