/**
 * Whether two runs had the same checks and the same target. Only then does a difference between them say something
 * about the target, so a comparison across other parameters is always marked.
 */
import type { RunParameters } from '../../schemas/history.ts';
import { isDocumentedOperation } from '../../schemas/own.ts';
import type { Results } from '../../schemas/results.ts';
import type { TargetConfig } from '../../schemas/target.ts';
import { cut, oneLine } from '../text.ts';

/** The embedded reference has another port each time, which says nothing about it; what a target serves is no parameter. */
function comparable({ operations, takesMaxTokens: _, ...target }: TargetConfig): TargetConfig {
  const own = operations?.filter(({ id }) => !isDocumentedOperation(id)) ?? [];
  const address = target.kind === 'reference' ? { baseUrl: null, jobBaseUrl: null } : {};
  return { ...target, ...address, ...(own.length > 0 ? { operations: own } : {}) };
}

/** The parameters of a run, as the history keeps them. */
export function parametersOf({ run, target }: Pick<Results, 'run' | 'target'>): RunParameters {
  return { profile: run.profile, target: comparable(target), asked: run.asked ?? null };
}

/** One parameter in which two runs differ; the values as JSON, `not given` where absent. */
export interface DifferingParameter {
  /** As the configuration names it. */
  readonly name: string;
  readonly before: string;
  readonly now: string;
}

function flat({ profile, target, asked }: RunParameters): Record<string, unknown> {
  const { limits, ...others } = target;
  const named = limits === undefined ? others : { ...others, 'limits of its own': limits };
  return {
    profile,
    ...named,
    ...(asked ?? {}),
    goals: asked && Object.keys(asked.goals).length > 0 ? asked.goals : undefined,
  };
}

/** JSON with the properties of every object in order, so that equal values are equal texts. */
function canonical(value: unknown): string {
  if (value === undefined) return 'not given';
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/** What differs, empty where the two can be compared. What a run did not write down is taken to differ. */
export function differingParameters(before: RunParameters, now: RunParameters): DifferingParameter[] {
  const [old, recent] = [flat(before), flat(now)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(recent)])];
  return names.flatMap((name) => {
    const [first, second] = [canonical(old[name]), canonical(recent[name])];
    return first === second ? [] : [{ name, before: first, now: second }];
  });
}

const MOST_CHARACTERS = 200;
const short = (value: string): string => cut(oneLine(value), MOST_CHARACTERS);

/** `profile "gate", now "nightly"`; the name of a model comes from the target. */
export const parameterWords = ({ name, before, now }: DifferingParameter): string =>
  `${name} ${short(before)}, now ${short(now)}`;
