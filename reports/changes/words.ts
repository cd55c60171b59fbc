/** The changes between two runs as sentences, the same in every rendering. */
import type { ChangeKind, Changes, CheckChange, HistoryLimit, LimitChange, Standing } from '../../schemas/history.ts';
import type { Results } from '../../schemas/results.ts';
import { number, plural } from '../../schemas/thousands.ts';
import { measuredWords } from '../limit-words.ts';
import { capital, instant, verdictWords } from '../words.ts';

export const changeWords: Readonly<Record<ChangeKind, string>> = {
  broken: 'newly broken',
  still: 'still broken',
  fixed: 'fixed',
  lost: 'failed before, undecided now',
  doubtful: 'no longer decided',
  settled: 'decided now, passes',
};

/** As a heading. */
export function changeTitle(kind: ChangeKind): string {
  return capital(changeWords[kind]);
}

export const standingWords = (standing: Standing): string =>
  standing === 'fine' ? 'no finding' : standing === 'absent' ? 'not tested' : verdictWords[standing].word;

/** Whether it is about a convention, which breaks no promise. */
const isConvention = ({ kind, before, now }: CheckChange): boolean =>
  (kind === 'broken' || kind === 'still' ? now : before) === 'warn';

/** `1 newly broken, 2 fixed, 3 still broken`; conventions are counted apart. */
export function changesInWords({ checks, limits, looked }: Changes): string {
  const kinds = ['broken', 'fixed', 'lost', 'still', 'doubtful', 'settled'] as const;
  const parts = kinds.flatMap((kind) => {
    const own = checks.filter((change) => change.kind === kind);
    const fails = own.filter((change) => !isConvention(change)).length;
    return [
      ...(fails > 0 ? [`${number(fails)} ${changeWords[kind]}`] : []),
      ...(own.length > fails ? [`${plural(own.length - fails, 'convention')} ${changeWords[kind]}`] : []),
    ];
  });
  const moved = limits.length > 0 ? [`${plural(limits.length, 'limit')} with another measured value`] : [];
  const fewer = looked ? looked.before - looked.now : 0;
  const unseen = fewer > 0 ? [`${plural(fewer, 'check')} fewer tested`] : [];
  const all = [...parts, ...moved, ...unseen];
  return all.length === 0 ? 'nothing changed' : all.join(', ');
}

const sizeWords = (limit: HistoryLimit): string =>
  `${measuredWords(limit)}${limit.algorithm ? ` (${limit.algorithm})` : ''}`;

/** `run.rate: 1,000 requests per 10 s (sliding-log) before, now 800 requests per 10 s (sliding-log)` */
export function limitChangeWords({ id, before, now }: LimitChange): string {
  const promised =
    before.documented.value === now.documented.value && before.documented.windowMs === now.documented.windowMs;
  const note = promised
    ? ''
    : `; documented as ${number(before.documented.value)} before, now as ${number(now.documented.value)}`;
  return `${id}: ${sizeWords(before)} before, now ${sizeWords(now)}${note}`;
}

/** Ids of the checks that are newly broken since the last comparable run; empty where there is none. */
export function newlyBroken({ history }: Pick<Results, 'history'>): ReadonlySet<string> {
  const broken = history?.since?.checks.filter(({ kind }) => kind === 'broken') ?? [];
  return new Set(broken.map(({ id }) => id));
}

const MOST_NAMED = 3;

/** Those of one kind, promises before conventions, otherwise as they came. */
export function ofKind(changes: readonly CheckChange[], kind: ChangeKind): readonly CheckChange[] {
  const own = changes.filter((change) => change.kind === kind);
  return [...own.filter((change) => !isConvention(change)), ...own.filter(isConvention)];
}

function named(changes: readonly CheckChange[], kind: ChangeKind): string[] {
  const ids = ofKind(changes, kind).map(({ id }) => id);
  if (ids.length === 0) return [];
  const more = ids.length - MOST_NAMED;
  return [`${changeWords[kind]}: ${ids.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${number(more)} more` : ''}`];
}

/** One line on what changed since the last comparable run; undefined where there is none. */
export function sinceWords({ history, run }: Pick<Results, 'history' | 'run'>): string | undefined {
  const since = history?.since;
  if (!since) return undefined;
  const ids = (['broken', 'fixed', 'lost'] as const).flatMap((kind) => named(since.checks, kind));
  const moved = since.limits.map(limitChangeWords);
  const details = [...ids, ...moved.slice(0, MOST_NAMED)];
  const reported = details.length > 0 ? ` (${details.join('; ')})` : '';
  const { startedAt, suiteVersion } = since.run;
  const by = suiteVersion === run.suiteVersion ? '' : `, by proofload ${suiteVersion}`;
  return `Since ${instant(startedAt)}${by}: ${changesInWords(since)}${reported}`;
}
