/**
 * The same few statements in every rendering: what the run says in one sentence, what broke, and what was left open.
 * Terminal, Markdown, JUnit and HTML only differ in how they print them.
 */
import type { ResultCheck, ResultLimit, Results } from '../schemas/results.ts';
import { number, plural } from '../schemas/thousands.ts';
import type { Verdict } from '../schemas/verdicts.ts';
import { isAboutHandler } from '../schemas/workloads.ts';
import { debt, excuseOf, outdatedWords } from './baseline/words.ts';
import { newlyBroken } from './changes/words.ts';
import { EXIT, wasNotTested } from './run-verdict.ts';
import { worstFirst } from './severity.ts';

export const checksWith = (results: Results, verdict: Verdict): readonly ResultCheck[] =>
  results.checks.filter((check) => check.verdict === verdict);

/** What fails the run, and of that first what is new since the last comparable one. */
export function failures(results: Results): readonly ResultCheck[] {
  const [failed, fresh] = [checksWith(results, 'fail'), newlyBroken(results)];
  return [...failed.filter(({ id }) => fresh.has(id)), ...failed.filter(({ id }) => !fresh.has(id))];
}

/** What stands under "what broke" where nothing did that fails a run. */
export function unbroken(results: Results): string {
  const known = results.checks.some((check) => check.known?.verdict === 'fail') ? ', apart from known failures' : '';
  const part = results.complete ? '' : ' in the part that ran';
  return `No documented check failed${part}${known}.`;
}

/** The run's verdict as a headline of a few words. */
export function headline(results: Results): string {
  const { verdict, exitCode } = results;
  if (exitCode === EXIT.interrupted && verdict !== 'fail') return 'Interrupted';
  if (verdict === 'fail' && results.counts.fail === 0) return 'The baseline is outdated';
  if (verdict === 'fail') {
    const onlyGoals = checksWith(results, 'fail').every((check) => check.level === 'goal');
    return onlyGoals ? 'Misses its goals' : 'Does not conform';
  }
  if (verdict === 'inconclusive') return 'Not conclusive';
  if (verdict === 'error') return 'No verdict';
  return results.counts.known > 0 ? 'Conforms, given the baseline' : 'Conforms';
}

/** By checks, as a check may be about several clauses, and not each of them need be broken. */
function brokenPromises(failed: number, documented: number): string | null {
  if (failed === 0) return null;
  return `${number(failed)} of ${plural(documented, 'documented check')} ${failed === 1 ? 'fails' : 'fail'}.`;
}

function missedGoals(failed: readonly ResultCheck[]): string | null {
  const goals = failed.filter((check) => check.level === 'goal').length;
  return goals === 0
    ? null
    : `${plural(goals, 'goal of the configuration is', 'goals of the configuration are')} missed.`;
}

function mainClause(results: Results): string {
  const { verdict, counts, run, exitCode } = results;
  const documented = results.checks.filter((check) => check.level === 'documented');
  const of = (word: Verdict): number => documented.filter((check) => check.verdict === word).length;
  if (verdict === 'fail') {
    const failed = checksWith(results, 'fail');
    if (failed.length === 0) return 'No documented check failed that is not in the baseline.';
    return [brokenPromises(of('fail'), documented.length), missedGoals(failed)]
      .filter((words) => words !== null)
      .join(' ');
  }
  if (exitCode === EXIT.interrupted) return 'No documented check had failed until then.';
  if (verdict === 'error') {
    if (counts.error > 0) return `${plural(counts.error, 'check')} could not be run because of a fault of proofload.`;
    if (run.interrupted !== undefined) return run.interrupted.replace(/[.;]?$/, '.');
    if (counts.declared === 0) return 'No check was selected.';
    return 'Every check was skipped or not observable.';
  }
  if (verdict === 'inconclusive') {
    const open = of('inconclusive');
    if (open > 0) {
      return (
        `No documented check failed, but ${number(open)} of ${plural(documented.length, 'documented check')} ` +
        `${open === 1 ? 'is' : 'are'} inconclusive.`
      );
    }
    const goals = results.checks.filter((check) => check.level === 'goal' && check.verdict === 'inconclusive').length;
    if (goals > 0) {
      const words = plural(goals, 'goal of the configuration is', 'goals of the configuration are');
      return `No documented check failed, but ${words} inconclusive.`;
    }
    const unseen = documented.filter(wasNotTested).length;
    if (counts.pass + counts.known > 0 && unseen > 0) {
      const words = `${number(unseen)} of ${plural(documented.length, 'documented check')}`;
      return `No documented check failed, but ${words} could not be tested.`;
    }
    return 'No documented check could be judged.';
  }
  const held = of('pass');
  const known = of('known') > 0 ? ', apart from known failures' : '';
  if (held === 0 && known === '') return 'All selected checks pass; none of them is documented.';
  if (held === 0) return 'Of the documented checks, only known failures could be judged.';
  return held === 1
    ? `The one documented check passes${known}.`
    : `All ${number(held)} documented checks that could be judged pass${known}.`;
}

const MOST_NAMED = 4;

/** Documented limits of which nothing was seen, with the options that would change it. */
function notJudged({ limits, checks }: Results): string[] {
  const unseen = limits.filter(
    ({ verdict, promisedBy }) => !promisedBy && (verdict === 'skipped' || verdict === 'not-observable'),
  );
  if (unseen.length === 0) return [];
  const byRemedy = new Map<string, string[]>();
  for (const limit of unseen) {
    const own = checks.filter(({ id, verdict }) => limit.checks.includes(id) && verdict === limit.verdict);
    const options = [...new Set(own.flatMap(({ missing = [] }) => missing))];
    const [skipped = 'not selected'] = own[0]?.reason?.split(':') ?? [];
    const otherwise = limit.verdict === 'skipped' ? skipped : 'not observable here';
    const remedy = options.length > 0 ? `give ${options.join(' and ')}` : otherwise;
    byRemedy.set(remedy, [...(byRemedy.get(remedy) ?? []), limit.id]);
  }
  const groups = [...byRemedy].map(([remedy, ids]) => {
    const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : '';
    return `${ids.slice(0, MOST_NAMED).join(', ')}${more} (${remedy})`;
  });
  const were = plural(unseen.length, 'documented limit was', 'documented limits were');
  return [`${were} not judged: ${groups.join('; ')}.`];
}

/** One cause, and one remedy, of what may be many different reasons. */
function byHandler(results: Results): string[] {
  const count = checksWith(results, 'inconclusive').filter(({ reason }) => isAboutHandler(reason)).length;
  if (count === 0) return [];
  const need = plural(count, 'check needs', 'checks need');
  return [`${need} a handler that does what its input says: describe the deployed one under workloads (--config).`];
}

function alsoTrue(results: Results): string[] {
  const { counts, run, exitCode, verdict, baseline } = results;
  const outdated = outdatedWords(baseline);
  const owed = debt(results);
  return [
    ...(outdated ? [`The baseline has ${outdated}.`] : []),
    ...(owed ? [`${owed}.`] : []),
    ...(exitCode === EXIT.interrupted
      ? [
          `Stopped early (${run.interrupted ?? 'no reason given'}): ${number(counts.emitted)} of ${plural(counts.declared, 'check')} reported.`,
        ]
      : []),
    ...(verdict === 'fail' && counts.error > 0
      ? [`${plural(counts.error, 'check')} could not be run because of a fault of proofload.`]
      : []),
    ...((verdict === 'fail' || (verdict === 'error' && counts.error > 0)) &&
    exitCode !== EXIT.interrupted &&
    run.interrupted
      ? [`The run is incomplete: ${run.interrupted}.`]
      : []),
    ...(verdict !== 'inconclusive' && counts.inconclusive > 0
      ? [`${plural(counts.inconclusive, 'check is', 'checks are')} inconclusive.`]
      : []),
    ...byHandler(results),
    ...(counts.warn > 0 ? [`${plural(counts.warn, 'client convention is', 'client conventions are')} not kept.`] : []),
    ...notJudged(results),
    ...(counts.notObservable > 0
      ? [`${plural(counts.notObservable, 'check was', 'checks were')} not observable here.`]
      : []),
    ...(counts.skipped > 0 ? [`${plural(counts.skipped, 'check was', 'checks were')} skipped.`] : []),
  ];
}

/** The verdict in one or two plain sentences, without the headline. */
export function sentence(results: Results): string {
  return [mainClause(results), ...alsoTrue(results)].join(' ');
}

/** Why a limit's row has its verdict: the reason of the check that decided it. */
export function limitReason(results: Results, limit: ResultLimit): string | undefined {
  const own = results.checks.filter((check) => limit.checks.includes(check.id) && check.verdict === limit.verdict);
  const deciding = own.find((check) => check.reason) ?? own[0];
  if (!deciding) return undefined;
  if (limit.verdict === 'fail' || limit.verdict === 'warn') return deciding.observed;
  if (limit.verdict === 'known') return `${deciding.observed}; ${excuseOf(deciding) ?? 'expected'}`;
  return deciding.reason;
}

/**
 * Checks that were not decided, grouped by what would change that: of each verdict, the reason first that leaves most of
 * what is documented open.
 */
export function openQuestions(results: Results): { verdict: Verdict; reason: string; checks: ResultCheck[] }[] {
  const groups = new Map<string, { verdict: Verdict; reason: string; checks: ResultCheck[] }>();
  for (const check of results.checks) {
    if (!['inconclusive', 'not-observable', 'skipped', 'error'].includes(check.verdict)) continue;
    const reason = check.reason ?? 'no reason recorded';
    const key = `${check.verdict} ${reason}`;
    const group = groups.get(key) ?? { verdict: check.verdict, reason, checks: [] };
    group.checks.push(check);
    groups.set(key, group);
  }
  const weightOf = ({ checks }: { checks: readonly ResultCheck[] }): [number, number] => [
    checks.filter(({ level }) => level === 'documented').length,
    checks.length,
  ];
  const ordered = [...groups.values()].sort((a, b) => {
    const [[documentedA, allA], [documentedB, allB]] = [weightOf(a), weightOf(b)];
    return documentedB - documentedA || allB - allA;
  });
  return worstFirst(ordered);
}
