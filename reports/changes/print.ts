/** What changed between two runs, for a terminal: what is newly broken first, each with what was expected and observed. */
import type { ChangeKind, Changes, CheckChange } from '../../schemas/history.ts';
import type { ResultCheck, Results } from '../../schemas/results.ts';
import { number } from '../../schemas/thousands.ts';
import { answeredLatency, withMs } from '../latency/words.ts';
import type { Style } from '../terminal.ts';
import { cut, oneLine } from '../text.ts';
import { capital, instant, verdictWords } from '../words.ts';
import { changesInWords, changeTitle, limitChangeWords, ofKind, standingWords } from './words.ts';

const LINE = 200;
const MOST_OF_A_KIND = 20;
/** A latency that moved by less says nothing about two single runs. */
const LEAST_RATIO = 1.25;
const LEAST_MS = 1;

const short = (text: string): string => cut(oneLine(text), LINE);

const order: readonly ChangeKind[] = ['broken', 'lost', 'still', 'fixed', 'doubtful', 'settled'];
const signs: Readonly<Record<ChangeKind, string>> = {
  broken: verdictWords.fail.sign,
  still: verdictWords.fail.sign,
  lost: verdictWords.inconclusive.sign,
  doubtful: verdictWords.inconclusive.sign,
  fixed: verdictWords.pass.sign,
  settled: verdictWords.pass.sign,
};
const roles: Readonly<Record<ChangeKind, 'fail' | 'inconclusive' | 'pass'>> = {
  broken: 'fail',
  still: 'fail',
  lost: 'inconclusive',
  doubtful: 'inconclusive',
  fixed: 'pass',
  settled: 'pass',
};

function entry({ id, kind, before, now, known }: CheckChange, check: ResultCheck | undefined, style: Style): string[] {
  const excuse = known ? ', known to the baseline' : '';
  const note = style('dim', `(${standingWords(before)} before, now ${standingWords(now)}${excuse})`);
  const warns = (kind === 'broken' || kind === 'still') && now === 'warn';
  const [role, sign] = warns ? (['inconclusive', verdictWords.warn.sign] as const) : [roles[kind], signs[kind]];
  const head = `  ${style(role, `${sign} ${id}`)} ${note}`;
  if (!check || kind === 'fixed' || kind === 'settled') return [head];
  if (kind === 'lost' || kind === 'doubtful') return [head, `      because   ${short(check.reason ?? check.observed)}`];
  return [head, `      expected  ${short(check.expected)}`, `      observed  ${short(check.observed)}`];
}

function listed({ checks }: Changes, results: Results, style: Style): string[] {
  return order.flatMap((kind) => {
    const own = ofKind(checks, kind);
    if (own.length === 0) return [];
    const more = own.length - MOST_OF_A_KIND;
    return [
      style('strong', `${changeTitle(kind)}: ${number(own.length)}`),
      ...own.slice(0, MOST_OF_A_KIND).flatMap((change) =>
        entry(
          change,
          results.checks.find(({ id }) => id === change.id),
          style,
        ),
      ),
      ...(more > 0 ? [`  … and ${number(more)} more`] : []),
    ];
  });
}

/** The highest percentile that both have. */
const percentiles = ['p95', 'p90', 'p50', 'max'] as const;

function latency(old: Results, recent: Results): string[] {
  const [before, now] = [answeredLatency(old), answeredLatency(recent)];
  return now.flatMap(({ operation, latency: later }) => {
    const earlier = before.find((one) => one.operation === operation)?.latency;
    const name = percentiles.find((one) => earlier?.[one] !== undefined && later[one] !== undefined);
    const [first, second] = name === undefined ? [0, 0] : [earlier?.[name] ?? 0, later[name] ?? 0];
    const moved = Math.max(first, second) >= LEAST_RATIO * Math.min(first, second);
    return moved && Math.abs(second - first) >= LEAST_MS
      ? [`  ${operation} ${name} ${withMs(first)} before, now ${withMs(second)}`]
      : [];
  });
}

const runWords = ({ run }: Results): string => `${run.id}, ${instant(run.startedAt)}, proofload ${run.suiteVersion}`;

/** One string a line. Text that came from the target is on one line, cut, and without terminal escapes. */
export function printedChanges(old: Results, recent: Results, changes: Changes, style: Style): string[] {
  const parts = [old, recent].flatMap(({ complete, run }) =>
    complete
      ? []
      : [
          style(
            'inconclusive',
            `  ${verdictWords.warn.sign} ${run.id} is not whole: ${short(run.interrupted ?? 'no reason given')}`,
          ),
        ],
  );
  const moved = latency(old, recent);
  const swapped =
    old.run.startedAt > recent.run.startedAt
      ? [style('inconclusive', `  ${verdictWords.warn.sign} the run that is given as the earlier one began later`)]
      : [];
  return [
    `${style('dim', 'before')}  ${runWords(old)}`,
    `${style('dim', 'now   ')}  ${runWords(recent)}`,
    ...swapped,
    ...parts,
    style('strong', `${capital(changesInWords(changes))}.`),
    ...listed(changes, recent, style),
    ...(changes.limits.length > 0
      ? [
          style('strong', 'Limits with another measured value'),
          ...changes.limits.map((one) => `  ${limitChangeWords(one)}`),
        ]
      : []),
    ...(moved.length > 0 ? [style('strong', 'Latency that moved (two runs alone judge nothing)'), ...moved] : []),
  ];
}
