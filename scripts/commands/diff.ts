/** `proofload diff OLD NEW`: what is new, fixed and still broken from one run to another; sends nothing. */
import { changesBetween, sideOf } from '../../reports/changes/changes.ts';
import { printedChanges } from '../../reports/changes/print.ts';
import { differingParameters, parametersOf, parameterWords } from '../../reports/history/parameters.ts';
import { readResults } from '../../reports/index.ts';
import { UsageError } from '../../schemas/target.ts';
import type { OptionValues } from '../cli/values.ts';
import type { Host } from '../host.ts';
import { styleFor } from '../style.ts';

const MOST_NAMED = 6;
const [NOTHING_BROKE, NEWLY_BROKEN, NOTHING_SAID] = [0, 1, 2];

/**
 * Resolves with 1 where a documented promise, or a goal, is newly broken that the baseline of the later run doesn't
 * excuse; with 2 where none is and the later run was stopped before its end. Throws UsageError for directories without
 * a run, and where the two runs had different parameters.
 */
export async function printDiff(directories: readonly string[], values: OptionValues, host: Host): Promise<number> {
  const [first, second, ...more] = directories;
  if (first === undefined || second === undefined || more.length > 0) {
    throw new UsageError('diff needs the directories of two runs, the older one first: proofload diff OLD NEW');
  }
  const [old, recent] = [await readResults(first), await readResults(second)];
  const other = differingParameters(parametersOf(old), parametersOf(recent));
  if (other.length > 0) {
    const named = other.slice(0, MOST_NAMED).map(parameterWords).join('; ');
    const rest = other.length > MOST_NAMED ? `; and ${other.length - MOST_NAMED} more` : '';
    throw new UsageError(`the two runs can't be compared, their parameters differ: ${named}${rest}`);
  }
  const changes = changesBetween(sideOf(old), sideOf(recent));
  if (values.json) {
    const named = ({ run: { id, startedAt, suiteVersion } }: typeof old) => ({ id, startedAt, suiteVersion });
    host.stdout.write(`${JSON.stringify({ before: named(old), now: named(recent), ...changes }, null, 2)}\n`);
  } else {
    host.stdout.write(`${printedChanges(old, recent, changes, styleFor(host.stdout)).join('\n')}\n`);
  }
  const broke = changes.checks.some(({ kind, now, known }) => kind === 'broken' && now === 'fail' && !known);
  if (broke) return NEWLY_BROKEN;
  return recent.complete ? NOTHING_BROKE : NOTHING_SAID;
}
