/** The exchanges of one check as questions with their answers: polls of the same job are one question. */
import type { CheckFacts, Exchange } from '../../schemas/facts.ts';
import type { TargetConfig } from '../../schemas/target.ts';
import { type Answer, answerIn } from './answer.ts';
import { type Asked, askedBy, type Side, textsOf } from './request.ts';

export interface Group {
  readonly asked: Asked;
  readonly answers: Answer[];
}

export const requestWords = ({ method, place }: Asked): string => `${method} ${place}`;

/** By the request's key, in the order in which they were asked first. */
export function groupsOf(exchanges: readonly Exchange[], side: Side): ReadonlyMap<string, Group> {
  const given = new Set<string>();
  const groups = new Map<string, Group>();
  for (const exchange of exchanges) {
    const asked = askedBy(exchange, side, given);
    const group = groups.get(asked.key) ?? { asked, answers: [] };
    group.answers.push(answerIn(exchange, asked.operation));
    groups.set(asked.key, group);
    for (const text of textsOf(exchange.responseBody)) given.add(text);
  }
  return groups;
}

/** What a run tells of itself: whether any request of interface B carried a key. */
export function sideOf(facts: readonly CheckFacts[], target: TargetConfig, runId: string): Side {
  const jobs = facts.flatMap((one) => one.exchanges).filter((one) => one.url.includes('/api/v1/sl/'));
  const named = (one: Exchange) => Object.keys(one.requestHeaders).some((key) => key.toLowerCase() === 'authorization');
  return { target, runId, keyless: jobs.length > 0 && !jobs.some(named) };
}
