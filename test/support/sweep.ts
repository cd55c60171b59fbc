/**
 * Mutants that only load can notice, in groups that are planted together so that all of them can be tried in half an
 * hour: faults that change numbers only, each of another limit. A fault in the rules is tried alone, with the checks of
 * its own family, since it may reach further than its limit.
 */
import picomatch from 'picomatch';
import { type Mutant, mutants } from '../../reference/mutants.ts';
import { defaultOptions } from '../../reference/options.ts';
import { limitsOf } from '../../schemas/limits.ts';
import { loadChecks } from '../../schemas/load-checks.ts';

export interface Group {
  readonly mutants: readonly string[];
  /** For `--only`; with none, all load checks run. */
  readonly only: readonly string[];
  readonly fail: readonly string[];
  /** May fail as well. */
  readonly perhaps: readonly string[];
  readonly warn: readonly string[];
}

const loadIds: ReadonlySet<string> = new Set(loadChecks.map((check) => check.id));
const ofLoad = (ids: readonly string[] = []): string[] => ids.filter((id) => loadIds.has(id)).sort();
const named = ({ killedBy, mayBeKilledBy, warns }: Mutant): string[] =>
  [killedBy, mayBeKilledBy, warns].flatMap((ids) => ofLoad(ids));

/** `run.rate.enforced` -> `run.rate.*`. Whether requests at once are counted while they are held shows on siblings. */
function family(id: string): string {
  const [operation, kind] = id.split('.');
  return `${kind === 'concurrency' ? '*' : operation}.${kind}.*`;
}

function changesNumbersOnly({ apply }: Mutant): boolean {
  const before = defaultOptions({});
  const after = apply(before);
  // The kind of limiter is that of all limits.
  return after.rules === before.rules && after.limiter === before.limiter;
}

/**
 * Whether it lifts the limit on requests at once. Where all of them are lifted nothing shows that the target counts a
 * request whose body it still waits for, and the verdict is rightly inconclusive.
 */
function liftsConcurrency({ apply }: Mutant): boolean {
  const { limits } = apply(defaultOptions({}));
  return limitsOf('concurrent-requests').some(({ id }) => limits[id] === 'off');
}

function groupOf(members: readonly Mutant[], only: readonly string[]): Group {
  return {
    mutants: members.map(({ name }) => name),
    only,
    fail: members.flatMap(({ killedBy }) => ofLoad(killedBy)).sort(),
    perhaps: members.flatMap(({ mayBeKilledBy }) => ofLoad(mayBeKilledBy)),
    warn: members.flatMap(({ warns }) => ofLoad(warns)).sort(),
  };
}

/** Those whose name matches the glob. */
export function sweep(pattern: string): Group[] {
  const wanted = picomatch(pattern);
  const reported = mutants.filter((one) => one.survives === undefined && named(one).length > 0 && wanted(one.name));
  const together: Mutant[][] = [];
  for (const mutant of reported.filter(changesNumbersOnly)) {
    const lifts = liftsConcurrency(mutant);
    const apart = (group: readonly Mutant[]): boolean =>
      !(lifts && group.some(liftsConcurrency)) &&
      group.every((other) => !other.clauses.some((clause) => mutant.clauses.includes(clause)));
    const group = together.find(apart);
    if (group) group.push(mutant);
    else together.push([mutant]);
  }
  const alone = reported.filter((one) => !changesNumbersOnly(one)).map((one) => [one]);
  return [...together, ...alone].map((group) => {
    const families = group.flatMap((one) => [...(one.after ?? []), ...named(one).map(family)]);
    return groupOf(group, group.length > 1 ? [] : [...new Set(families)]);
  });
}
