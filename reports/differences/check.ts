/** The differences between two runs of the checks: the same requests of a check paired, their answers compared. */
import type { CheckFacts, Exchange } from '../../schemas/facts.ts';
import type { TargetConfig } from '../../schemas/target.ts';
import { type Answer, answerIn } from './answer.ts';
import { type Comparison, compareAnswers, seenIn } from './compare.ts';
import { type SentRequest, type Side, sentBy, textsOf } from './request.ts';
import type { PlacedDifference } from './sentences.ts';
import { isStateField, type Shared, shapeOf } from './shape.ts';

/** The exchanges of one check as a question with its answers: polls of the same job are one question. */
interface Group {
  readonly sent: SentRequest;
  readonly answers: Answer[];
}

const requestWords = ({ method, place }: SentRequest): string => `${method} ${place}`;

/** By the request's key, in the order in which they were first sent. */
function groupsOf(exchanges: readonly Exchange[], side: Side): ReadonlyMap<string, Group> {
  const given = new Set<string>();
  const groups = new Map<string, Group>();
  for (const exchange of exchanges) {
    const sent = sentBy(exchange, side, given);
    const group = groups.get(sent.key) ?? { sent, answers: [] };
    group.answers.push(answerIn(exchange, sent.operation));
    groups.set(sent.key, group);
    for (const text of textsOf(exchange.responseBody)) given.add(text);
  }
  return groups;
}

/** Whether any request of interface B carried a key in this run. */
function sideOf(facts: readonly CheckFacts[], target: TargetConfig, runId: string): Side {
  const jobs = facts.flatMap((one) => one.exchanges).filter((one) => one.url.includes('/api/v1/sl/'));
  const named = (one: Exchange) => Object.keys(one.requestHeaders).some((key) => key.toLowerCase() === 'authorization');
  return { target, runId, keyless: jobs.length > 0 && !jobs.some(named) };
}

/** One run of the checks: what was seen, and of whom. */
export interface Observed {
  readonly facts: readonly CheckFacts[];
  readonly target: TargetConfig;
  readonly runId: string;
}

/** The answers of a run, by check and request. */
type Grouped = ReadonlyMap<string, { readonly groups: ReadonlyMap<string, Group>; readonly exchanges: number }>;

/** Evidence keeps so many exchanges of a check at most; from then on some were dropped. */
const MUCH_EVIDENCE = 24;
const STATES = ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];

/** A check of all responses that holds shows any of them as an example, one of another check, and another one each time. */
export const isExample = ({ id, outcome }: CheckFacts): boolean =>
  id.includes('.answers.') && outcome.kind === 'ran' && outcome.expectations.every(({ holds }) => holds);

function grouped({ facts, target, runId }: Observed): Grouped {
  const side = sideOf(facts, target, runId);
  return new Map(
    facts.map(({ id, exchanges }) => [id, { groups: groupsOf(exchanges, side), exchanges: exchanges.length }]),
  );
}

const allGroups = (run: Grouped): Group[] => [...run.values()].flatMap(({ groups }) => [...groups.values()]);

/** Words that a side uses for states; one that uses a usual word may use all of them. */
function statesOf(run: Grouped): ReadonlySet<string> {
  const words = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, one] of Object.entries(value)) {
      if (isStateField(name) && typeof one === 'string') words.add(one);
      collect(one);
    }
  };
  for (const { answers } of allGroups(run)) for (const { values } of answers) values.forEach(collect);
  return STATES.some((one) => words.has(one)) ? new Set([...words, ...STATES]) : words;
}

/** Fields that come and go on one service: in some answers to a request, and not in others. */
function comeAndGo(answers: readonly Answer[], shared: Shared): ReadonlySet<string> {
  const shapes = (['json', 'events'] as const).flatMap((kind) => [...shapeOf(seenIn(answers, kind), shared)]);
  const fields = shapes.flatMap(([place, { count, fields }]) =>
    [...fields].filter(([, field]) => field.count < count).map(([name]) => `${place} ${name}`),
  );
  return new Set(fields);
}

/** The same for all requests of a run. */
function optionalOf(run: Grouped, shared: Shared): (request: string) => Comparison['optional'] {
  const answers = new Map<string, Answer[]>();
  for (const { sent, answers: own } of allGroups(run)) {
    const request = requestWords(sent);
    const all = answers.get(request) ?? [];
    all.push(...own.filter(({ status }) => status < 300));
    answers.set(request, all);
  }
  const known = new Map<string, ReadonlySet<string>>();
  return (request) => {
    const found = known.get(request) ?? comeAndGo(answers.get(request) ?? [], shared);
    known.set(request, found);
    return (place, field) => found.has(`${place} ${field}`);
  };
}

/** Compares what two services did, check by check; by check id, those without a difference left out. */
export function differencesByCheck(ours: Observed, reference: Observed): ReadonlyMap<string, PlacedDifference[]> {
  const [mine, theirs] = [grouped(ours), grouped(reference)];
  const [a, b] = [statesOf(mine), statesOf(theirs)];
  const shared: Shared = (word) => a.has(word) && b.has(word);
  const optional = optionalOf(theirs, shared);
  const examples = new Set(ours.facts.filter(isExample).map(({ id }) => id));
  const found = [...mine].map(([id, { groups, exchanges }]): [string, PlacedDifference[]] => {
    const other = theirs.get(id);
    if (!other || examples.has(id)) return [id, []];
    const whole = exchanges < MUCH_EVIDENCE && other.exchanges < MUCH_EVIDENCE;
    const all = [...groups].flatMap(([key, { sent, answers }]) => {
      const group = other.groups.get(key);
      if (!group) return [];
      const { operation } = sent;
      const request = requestWords(sent);
      const how = { shared, whole, optional: optional(request) };
      return compareAnswers(answers, group.answers, how).map((one) => ({ ...one, operation, request }));
    });
    return [id, [...new Map(all.map((one) => [`${one.request} ${one.text}`, one])).values()]];
  });
  return new Map(found.filter(([, list]) => list.length > 0));
}
