/**
 * summary.md: the report for a CI job's summary page or a chat message. Short on purpose: the sentence, what broke,
 * what the baseline excuses, one line for each limit, the counts, and where the rest is.
 */
import type { ResultCheck, Results } from '../schemas/results.ts';
import { duration, number, plural } from '../schemas/thousands.ts';
import { verdicts } from '../schemas/verdicts.ts';
import { excuseOf, outdatedEntries, remarks } from './baseline/words.ts';
import { newlyBroken } from './changes/words.ts';
import { countOf, trafficWords } from './counts.ts';
import { differenceWords, essentials, leftBehind } from './essentials.ts';
import { checksWith, failures, headline, limitReason, openQuestions, sentence, unbroken } from './findings.ts';
import { type FindingGroup, groupFindings } from './grouped.ts';
import { brokenSince, sinceOrNot } from './history/words.ts';
import { cell, classWords, latencyLines } from './latency/words.ts';
import { documentedWords, limitName, measuredWords } from './limit-words.ts';
import { repeatOf } from './repeat.ts';
import { cut, oneLine } from './text.ts';
import { timelineOf } from './timeline.ts';
import { checksWords, targetName, verdictWords } from './words.ts';

// Escaping for Markdown. Our own words are escaped with backslashes; text from a target stands in a code span, in which
// neither HTML, links nor mentions work, with a fence longer than any run of backticks in it.

const MOST_CHARACTERS = 300;

/** Our own text, on one line. */
export function mdText(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]#+!|<>~$&@]/g, (char) => (char === '<' ? '&lt;' : `\\${char}`));
}

/** Text from outside as a code span on one line, cut where it is long. */
export function mdCode(text: string, max = MOST_CHARACTERS): string {
  const line = cut(oneLine(text), max);
  if (line === '') return '(nothing)';
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^`|`$|^ .* $/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A cell of a table: pipes would end it, also within code. */
const mdCell = (markdown: string): string => markdown.replace(/(?<!\\)\|/g, '\\|');

/** A table; cells hold Markdown already. */
export function mdTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(mdCell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function latencySummary(results: Results): string[] {
  const { latency = [] } = results;
  const rows = latency.map((one) => [
    mdText(one.operation),
    classWords[one.statusClass],
    number(one.requests),
    ...(['p50', 'p95', 'p99', 'max'] as const).map((name) => cell(one.latency, name)),
  ]);
  const streams = latencyLines({ streams: results.streams ?? [] }).map(mdText);
  if (rows.length === 0 && streams.length === 0) return [];
  const head = ['Operation', 'Answers', 'Requests', 'p50, ms', 'p95', 'p99', 'max'];
  return ['### Latency', ...(rows.length > 0 ? [mdTable(head, rows)] : []), ...streams];
}

const MOST_LISTED = 10;
const REASON_CHARACTERS = 160;
/** More checks of one reason are counted. */
const MOST_NAMED = 3;

/** The first few as list items, and how many more there are. */
function listed<T>(items: readonly T[], item: (one: T, index: number) => string): string[] {
  const more = items.length - MOST_LISTED;
  return [...items.slice(0, MOST_LISTED).map(item), ...(more > 0 ? [`- … and ${number(more)} more`] : [])];
}

const namedIds = (checks: readonly ResultCheck[]): string => checks.map(({ id }) => `**${mdText(id)}**`).join(', ');

/** The first breaks with what is needed to investigate them; the others are in the page. */
const MOST_WITH_REQUEST = 3;

function finding({ first: check, others }: FindingGroup, index: number, note: string, results: Results): string {
  const { command, cost } = repeatOf(check, results);
  const timeline = timelineOf(check, results);
  return [
    `- **${mdText(check.id)}**${note}: ${mdText(check.title)}`,
    `  - clause ${check.clauses.map((id) => mdCode(id)).join(', ') || 'none'} (${check.level})`,
    `  - expected ${mdCode(check.expected)}`,
    `  - observed ${mdCode(check.observed)}`,
    ...(index < MOST_WITH_REQUEST ? essentials(check) : []).map(({ label, text }) => `  - ${label} ${mdCode(text)}`),
    ...(timeline ? [`  - admitted ${mdCode(timeline.admitted)}`, `  - refused ${mdCode(timeline.refused)}`] : []),
    ...(others.length > 0 ? [`  - also ${namedIds(others)}`] : []),
    `  - repeat ${mdCode(command)}${cost === undefined ? '' : ` (${mdText(cost)})`}`,
  ].join('\n');
}

function broke(results: Results): string[] {
  const failed = groupFindings(failures(results), results);
  const warned = groupFindings(checksWith(results, 'warn'), results);
  const fresh = newlyBroken(results);
  const since = brokenSince(results);
  const isNew = (id: string): string => {
    const from = since.get(id);
    return fresh.has(id) ? ' (new)' : from === undefined ? '' : ` (broken ${mdText(from)})`;
  };
  return [
    '### Failures',
    failed.length === 0
      ? unbroken(results)
      : listed(failed, (group, index) => finding(group, index, isNew(group.first.id), results)).join('\n'),
    ...(warned.length > 0
      ? [
          '### Warnings: conventions not kept',
          listed(
            warned,
            ({ first, others }) =>
              `- ${namedIds([first, ...others])}${isNew(first.id)}: expected ${mdCode(first.expected, REASON_CHARACTERS)}, observed ${mdCode(first.observed)}`,
          ).join('\n'),
        ]
      : []),
  ];
}

/** Ids stand as text, which is ours; what was measured holds no text of the target. */
function changed(results: Results): string[] {
  const words = sinceOrNot(results);
  const problem = results.history?.problem;
  return [
    ...(words === undefined ? [] : [mdText(words)]),
    ...(problem === undefined ? [] : [`**${mdText(problem)}**`]),
  ];
}

function expected(results: Results): string[] {
  const outdated = outdatedEntries(results.baseline);
  const known = checksWith(results, 'known');
  const more = remarks(results.baseline).map(({ text, urgent }) => (urgent ? `**${mdText(text)}**` : mdText(text)));
  return [
    ...(outdated.length > 0
      ? [
          '### The baseline is outdated',
          listed(
            outdated,
            ({ kind, check, at, why, remedy }) =>
              `- **${mdText(check)}** (${kind}, ${mdCode(at)}): ${mdText(why)}; ${mdText(remedy)}`,
          ).join('\n'),
        ]
      : []),
    ...(known.length > 0
      ? [
          '### Expected by the baseline',
          listed(
            known,
            (one) =>
              `- **${mdText(one.id)}**, ${mdText(excuseOf(one) ?? 'expected')}; observed ${mdCode(one.observed, REASON_CHARACTERS)}`,
          ).join('\n'),
        ]
      : []),
    ...more,
  ];
}

function limitTable(results: Results): string[] {
  if (results.limits.length === 0) return [];
  const rows = results.limits.map((limit) => {
    const { operations, kind } = limitName(limit);
    const { sign, word } = verdictWords[limit.verdict];
    const reason = limit.verdict === 'pass' ? undefined : limitReason(results, limit);
    const measured = measuredWords(limit) + (limit.algorithm ? ` (${limit.algorithm})` : '');
    return [
      `${mdText(operations)} ${kind}`,
      mdText(documentedWords(limit)),
      mdText(measured),
      `${sign} ${word}${reason ? `: ${mdCode(reason, REASON_CHARACTERS)}` : ''}`,
    ];
  });
  return ['### Limits', mdTable(['Limit', 'Documented', 'Measured', 'Verdict'], rows)];
}

function left(results: Results): string[] {
  const open = openQuestions(results);
  if (open.length === 0) return [];
  const item = ({ verdict, reason, checks }: (typeof open)[number]): string => {
    const few = checks.length <= MOST_NAMED;
    const who = few ? checks.map(({ id }) => `**${mdText(id)}**`).join(', ') : plural(checks.length, 'check');
    return `- ${who} ${verdictWords[verdict].word}: ${mdCode(reason)}`;
  };
  return ['### Undecided', listed(open, item).join('\n')];
}

function compared({ reference }: Results): string[] {
  const words = differenceWords(reference);
  return words === null ? [] : [mdText(words)];
}

function remains(results: Results): string[] {
  const all = leftBehind(results);
  if (all.length === 0) return [];
  return ['### Left on the target', listed(all, ({ id, text }) => `- **${mdText(id)}**: ${mdCode(text)}`).join('\n')];
}

function footer(results: Results): string {
  const { counts, run, coverage } = results;
  const tally = verdicts
    .filter((verdict) => countOf(counts, verdict) > 0)
    .map((verdict) => `${number(countOf(counts, verdict))} ${verdictWords[verdict].word}`);
  const sent = trafficWords(run.traffic);
  return [
    `${checksWords(counts)}: ${tally.join(', ') || 'none'}. `,
    `${number(coverage.checked)} of ${number(coverage.observable)} observable clauses checked. `,
    sent === null ? '' : `${sent} `,
    `Profile ${run.profile}, `,
    `${duration(run.durationMs)}, run ${mdCode(run.id)}. Full report: \`report.html\`.`,
  ].join('');
}

/** The summary as GitHub-flavoured Markdown. */
export function renderSummary(results: Results): string {
  const { sign } = verdictWords[results.verdict];
  return [
    `## ${sign} ${headline(results)}: ${mdText(targetName(results.target))}`,
    mdText(sentence(results)),
    ...broke(results),
    ...changed(results),
    ...expected(results),
    ...limitTable(results),
    ...latencySummary(results),
    ...left(results),
    ...compared(results),
    ...remains(results),
    footer(results),
  ]
    .join('\n\n')
    .concat('\n');
}
