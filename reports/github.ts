/**
 * The output of a run for GitHub Actions: an annotation for each break, shown with the job, and the summary on its
 * page. Lines that begin with `::` are commands for the runner of the job, so while lines are printed that may hold
 * text of a target, commands are switched off with a secret word.
 */
import type { ResultCheck, Results } from '../schemas/results.ts';
import { number } from '../schemas/thousands.ts';
import { outdatedEntries } from './baseline/words.ts';
import { newlyBroken } from './changes/words.ts';
import { checksWith } from './findings.ts';
import { cut, oneLine } from './text.ts';

/** GitHub shows ten of each kind for a step and drops the others silently. */
const MOST_OF_A_KIND = 10;
const MOST_CHARACTERS = 500;

type Kind = 'error' | 'warning';

const inData = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const inProperty = (text: string): string => inData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const annotation = (kind: Kind, title: string, text: string): string =>
  `::${kind} title=${inProperty(oneLine(title))}::${inData(cut(oneLine(text), MOST_CHARACTERS))}`;

/** The first of them, and in the last place how many more there are. */
function atMost(kind: Kind, lines: readonly string[]): string[] {
  if (lines.length <= MOST_OF_A_KIND) return [...lines];
  const more = lines.length - MOST_OF_A_KIND + 1;
  return [...lines.slice(0, MOST_OF_A_KIND - 1), annotation(kind, 'proofload', `${number(more)} more in the report`)];
}

const expectedObserved = ({ expected, observed }: ResultCheck): string => `expected ${expected}; observed ${observed}`;

/** A line each: errors for what fails the run, warnings for what needs attention. */
export function annotations(results: Results): string[] {
  const fresh = newlyBroken(results);
  const title = ({ id }: ResultCheck): string => `${id}${fresh.has(id) ? ' (new)' : ''}`;
  const errors = [
    ...checksWith(results, 'fail').map((check) =>
      annotation('error', title(check), `${check.title}: ${expectedObserved(check)}`),
    ),
    ...outdatedEntries(results.baseline).map(({ check, at, why, remedy }) =>
      annotation('error', check, `${at}: ${why}; ${remedy}`),
    ),
    ...checksWith(results, 'error').map((check) => annotation('error', title(check), check.reason ?? check.observed)),
    ...(results.run.interrupted ? [annotation('error', 'the run is incomplete', results.run.interrupted)] : []),
  ];
  const warnings = [
    ...checksWith(results, 'warn').map((check) => annotation('warning', title(check), expectedObserved(check))),
    ...checksWith(results, 'inconclusive')
      .filter(({ level }) => level === 'documented' || level === 'goal')
      .map((check) => annotation('warning', `${check.id} inconclusive`, check.reason ?? check.observed)),
  ];
  return [...atMost('error', errors), ...atMost('warning', warnings)];
}

/** Between these two lines nothing is a command. @param word a secret word */
export const withoutCommands = (word: string): { readonly begin: string; readonly end: string } => ({
  begin: `::stop-commands::${word}`,
  end: `::${word}::`,
});
