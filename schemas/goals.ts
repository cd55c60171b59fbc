/**
 * Goals: how quick a service shall be, as whoever configures a run wants it. The documentation promises no time, so
 * nothing is judged by its latency unless a goal says so; one that is missed fails the run, since its user set it.
 */
import { type PercentileName, percentileNames } from './latency.ts';
import { type OperationId, operations } from './operations.ts';
import type { CheckDeclaration } from './verdicts.ts';

/**
 * `latency`: of every request of the paced load but those refused with 429, from the moment it was due to its last byte ·
 * `first-token`, `between-tokens`: of streams.
 */
export type GoalMeasure = 'latency' | 'first-token' | 'between-tokens';

export interface Goal {
  readonly operation: OperationId;
  readonly measure: GoalMeasure;
  readonly percentile: PercentileName;
  /** At most so many milliseconds. */
  readonly ms: number;
}

export interface GoalDeclaration extends CheckDeclaration {
  readonly goal: Goal;
}

const STREAMING: readonly OperationId[] = ['chat', 'stream'];

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** How a goal is written in a configuration: `p99`, `firstTokenP95`. */
export const goalKeys: Readonly<Record<string, Pick<Goal, 'measure' | 'percentile'>>> = Object.fromEntries(
  percentileNames.flatMap((percentile) => [
    [percentile, { measure: 'latency', percentile } as const],
    [`firstToken${capital(percentile)}`, { measure: 'first-token', percentile } as const],
    [`betweenTokens${capital(percentile)}`, { measure: 'between-tokens', percentile } as const],
  ]),
);

/** The keys that are possible for every operation with a paced load. */
export const pacedGoalKeys: readonly string[] = Object.entries(goalKeys).flatMap(([key, { measure }]) =>
  measure === 'latency' ? [key] : [],
);

/** The keys that mean something for an operation of the spec: interface A gets no paced load, and few operations stream. */
export function goalKeysOf(operation: OperationId): readonly string[] {
  const paced = operations.some(({ id, interface: of }) => id === operation && of === 'jobs');
  return Object.entries(goalKeys).flatMap(([key, { measure }]) =>
    (measure === 'latency' ? paced : STREAMING.includes(operation)) ? [key] : [],
  );
}

const measureWords: Readonly<Record<GoalMeasure, (operation: string) => string>> = {
  latency: (operation) => `the latency of ${operation}`,
  'first-token': (operation) => `the time to the first token of ${operation}`,
  'between-tokens': (operation) => `the time between two tokens of ${operation}`,
};

/** `the latency of run` */
export const goalSubject = ({ measure, operation }: Goal): string => measureWords[measure](operation);

function declare(goal: Goal): GoalDeclaration {
  const { operation, measure, percentile, ms } = goal;
  const id = `goal.${operation}.${measure === 'latency' ? '' : `${measure}-`}${percentile}`;
  const which = percentile === 'max' ? 'The maximum' : `The ${percentile.slice(1)}th percentile`;
  return { id, title: `${which} of ${goalSubject(goal)} is at most ${ms} ms`, clauses: [], level: 'goal', goal };
}

/** The check that each goal is. */
export const declareGoals = (goals: readonly Goal[]): GoalDeclaration[] => goals.map(declare);
