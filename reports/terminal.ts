/**
 * The few lines at the end of a run in the terminal. Plain strings; the caller decides on colour through `style`, and
 * on the width.
 */
import type { ResultCheck, Results } from '../schemas/results.ts';
import { duration, number, plural } from '../schemas/thousands.ts';
import { verdicts } from '../schemas/verdicts.ts';
import { excuseOf, outdatedEntries, remarks } from './baseline/words.ts';
import { newlyBroken } from './changes/words.ts';
import { countOf } from './counts.ts';
import { leftBehind } from './essentials.ts';
import { checksWith, failures, headline, openQuestions, sentence } from './findings.ts';
import { checksIn, groupFindings } from './grouped.ts';
import { brokenSince, sinceOrNot } from './history/words.ts';
import { latencyLines } from './latency/words.ts';
import { repeatOf } from './repeat.ts';
import { cut, oneLine } from './text.ts';
import { timelineOf } from './timeline.ts';
import { basisOf, checksWords, targetName, verdictWords } from './words.ts';
import type { ReportPaths } from './write.ts';

/** What a piece of text is, for its colour. */
export type Role = 'pass' | 'fail' | 'inconclusive' | 'error' | 'strong' | 'dim';
export type Style = (role: Role, text: string) => string;

const plain: Style = (_, text) => text;
const MOST_BROKEN = 8;
const MOST_OPEN = 6;
const MOST_KNOWN = 5;
const MOST_LEFT = 3;
const LINE = 200;
/** Names of checks, which a cut would make useless. */
const IDS = 400;

const short = (text: string): string => cut(oneLine(text), LINE);
const idsOf = (checks: readonly ResultCheck[]): string => checks.map(({ id }) => id).join(', ');

/** Whole, since it is to be pasted. */
function repeatWords(check: ResultCheck, results: Results): string {
  const { command, cost } = repeatOf(check, results);
  return oneLine(cost === undefined ? command : `${command}   # ${cost}`);
}

function broken(results: Results, style: Style): string[] {
  const groups = groupFindings(failures(results), results);
  const fresh = newlyBroken(results);
  const since = brokenSince(results);
  const lines = groups.slice(0, MOST_BROKEN).flatMap(({ first: check, others }) => {
    const timeline = timelineOf(check, results);
    const from = since.get(check.id);
    return [
      `  ${style('fail', `${verdictWords.fail.sign} ${check.id}`)} ${style('dim', `(${basisOf(check)}${fresh.has(check.id) ? '; newly broken' : ''})`)}`,
      `      expected  ${short(check.expected)}`,
      `      observed  ${short(check.observed)}`,
      ...(timeline ? [`      admitted  ${timeline.admitted}`, `      refused   ${timeline.refused}`] : []),
      ...(others.length > 0 ? [`      also      ${cut(idsOf(others), IDS)}`] : []),
      ...(from === undefined ? [] : [`      broken    ${from}`]),
      `      repeat    ${repeatWords(check, results)}`,
    ];
  });
  const more = checksIn(groups.slice(MOST_BROKEN));
  return more > 0 ? [...lines, `  … and ${number(more)} more in the report`] : lines;
}

/** An untested check is printed less prominently than one that was tested and stayed open. */
const roleOf = (verdict: ResultCheck['verdict']): Role =>
  verdict === 'error' ? 'error' : verdict === 'inconclusive' ? 'inconclusive' : 'dim';

function warned(results: Results, style: Style): string[] {
  const all = checksWith(results, 'warn');
  if (all.length === 0) return [];
  const groups = groupFindings(all, results);
  const { sign, word } = verdictWords.warn;
  const lines = groups.slice(0, MOST_OPEN).map(({ first, others }) => {
    const ids = cut(idsOf([first, ...others]), IDS);
    return `  ${style('inconclusive', `${sign} ${word}: ${ids}:`)} ${short(first.observed)}`;
  });
  const more = checksIn(groups.slice(MOST_OPEN));
  return more > 0 ? [...lines, `  … and ${plural(more, 'more warning')} in the report`] : lines;
}

function open(results: Results, style: Style): string[] {
  const groups = openQuestions(results);
  const lines = groups.slice(0, MOST_OPEN).flatMap(({ verdict, reason, checks }) => {
    const { sign, word } = verdictWords[verdict];
    const who = checks.length === 1 ? (checks[0]?.id ?? '') : plural(checks.length, 'check');
    const line = `  ${style(roleOf(verdict), `${sign} ${who} ${word}:`)} ${short(reason)}`;
    const [first] = checks;
    const again = verdict === 'inconclusive' && checks.length === 1 && first;
    return again ? [line, `      repeat    ${repeatWords(first, results)}`] : [line];
  });
  const more = groups.length - MOST_OPEN;
  return more > 0 ? [...lines, `  … and ${plural(more, 'more reason', 'more reasons')} in the report`] : lines;
}

/** What is owed to the baseline: entries that are not true any more, and what is excused even where all is green. */
function expected(results: Results, style: Style): string[] {
  const outdated = outdatedEntries(results.baseline);
  const known = checksWith(results, 'known');
  const cutOff = (count: number, most: number): string[] =>
    count > most ? [`  … and ${number(count - most)} more in the report`] : [];
  return [
    ...outdated
      .slice(0, MOST_BROKEN)
      .flatMap(({ kind, check, at, why, remedy }) => [
        `  ${style('fail', `${verdictWords.fail.sign} ${check}`)} ${style('dim', `(${kind} baseline entry, ${oneLine(at)})`)}`,
        `      ${short(`${why}: ${remedy}`)}`,
      ]),
    ...cutOff(outdated.length, MOST_BROKEN),
    ...known
      .slice(0, MOST_KNOWN)
      .map(
        (check) => `  ${verdictWords.known.sign} ${check.id}, ${style('dim', short(excuseOf(check) ?? 'expected'))}`,
      ),
    ...cutOff(known.length, MOST_KNOWN),
    ...remarks(results.baseline).map(({ urgent, text }) =>
      urgent
        ? `  ${style('inconclusive', `${verdictWords.warn.sign} ${short(text)}`)}`
        : `  ${style('dim', short(text))}`,
    ),
  ];
}

/** One line where the generator fell short, since that is why some verdicts are not what they could be. */
function generator({ run }: Results, style: Style): string[] {
  const [first, ...more] = run.generator?.shortfalls ?? [];
  if (first === undefined) return [];
  const rest = more.length > 0 ? `; ${number(more.length)} more in the report` : '';
  return [`  ${style('inconclusive', `${verdictWords.warn.sign} load generator shortfall:`)} ${short(first)}${rest}`];
}

function since(results: Results, style: Style): string[] {
  const words = sinceOrNot(results);
  const problem = results.history?.problem;
  return [
    ...(words === undefined ? [] : [style('dim', cut(oneLine(words), IDS))]),
    ...(problem === undefined ? [] : [`  ${style('inconclusive', `${verdictWords.warn.sign} ${short(problem)}`)}`]),
  ];
}

/** Jobs that may have to be cancelled by hand. */
function remains(results: Results, style: Style): string[] {
  const all = leftBehind(results);
  const lines = all
    .slice(0, MOST_LEFT)
    .map(
      ({ id, text }) =>
        `  ${style('inconclusive', `${verdictWords.warn.sign} left on the target by ${id}:`)} ${short(text)}`,
    );
  const more = all.length - MOST_LEFT;
  return more > 0 ? [...lines, `  … and ${number(more)} more in the report`] : lines;
}

/** The duration and the minimum that the rate windows require. Merged runs have no common schedule. */
function taken({ run: { durationMs, floorMs, merged } }: Results): string {
  const least = floorMs > 0 && !merged ? `; minimum duration (rate windows): ${duration(floorMs)}` : '';
  return `took ${duration(durationMs)}${least}`;
}

/**
 * The verdict and whose it is, what broke, what the baseline excuses, what stayed open, the counts and where the report
 * is; one string a line. Text that came from the target is on one line, cut, and without terminal escapes.
 */
export function finalBlock(results: Results, paths: Pick<ReportPaths, 'html'>, style: Style = plain): string[] {
  const { counts } = results;
  const tally = verdicts
    .filter((verdict) => countOf(counts, verdict) > 0)
    .map((verdict) => `${number(countOf(counts, verdict))} ${verdictWords[verdict].word}`);
  const { sign } = verdictWords[results.verdict];
  return [
    `${style(results.verdict, `${sign} ${headline(results)}:`)} ${oneLine(`${targetName(results.target)}. ${sentence(results)}`)}`,
    ...broken(results, style),
    ...expected(results, style),
    ...open(results, style),
    ...warned(results, style),
    ...generator(results, style),
    ...remains(results, style),
    ...since(results, style),
    ...(results.run.merged?.notes ?? []).map(
      (note) => `  ${style('inconclusive', `${verdictWords.warn.sign} ${short(note)}`)}`,
    ),
    ...latencyLines(results).map((line) => style('dim', short(line))),
    `${checksWords(counts)}: ${tally.join(', ') || 'none'}; ${taken(results)}`,
    `${style('strong', 'Report')} ${paths.html}`,
  ];
}
