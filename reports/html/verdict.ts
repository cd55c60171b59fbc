/** The first screen: the verdict in one sentence, what broke, the counts, and what was judged by what. */
import type { ResultCheck } from '../../schemas/results.ts';
import { duration, number, plural } from '../../schemas/thousands.ts';
import { verdicts } from '../../schemas/verdicts.ts';
import { excuseOf, outdatedEntries, remarks } from '../baseline/words.ts';
import { newlyBroken } from '../changes/words.ts';
import { countOf } from '../counts.ts';
import { checksWith, failures, headline, openQuestions, sentence, unbroken } from '../findings.ts';
import { checksIn, groupFindings } from '../grouped.ts';
import { brokenSince, sinceOrNot } from '../history/words.ts';
import { renderPicture } from '../kinds/index.ts';
import { measuredWords } from '../limit-words.ts';
import { cut } from '../text.ts';
import { checksWords, instant, verdictWords } from '../words.ts';
import { repeatView } from './finding.ts';
import { type Html, html } from './html.ts';
import { limitsAtAGlance } from './limits.ts';
import { badge, checkLink, clauseLine, expectedObserved, MOST_CHARACTERS, type PageInput } from './parts.ts';

const MOST_KNOWN = 12;

/** Entries that fail the run. */
function outdatedView(input: PageInput): Html | false {
  const outdated = outdatedEntries(input.results.baseline);
  if (outdated.length === 0) return false;
  const titles = new Map(input.results.checks.map((check) => [check.id, check.title]));
  return html`<h2>The baseline is outdated</h2>
<ul class="findings">${outdated.map(
    ({ kind, check, at, why, remedy }) => html`<li class="v-fail">
<h3>${checkLink(input, check, titles.get(check) ?? check)}</h3>
<p class="clause">${kind} entry for <code>${check}</code> in <code>${at}</code></p>
<p>${why}: ${remedy}.</p></li>`,
  )}</ul>`;
}

/** What is excused, and what else there is to say of the baseline. */
function knownView(input: PageInput): Html | false {
  const known = checksWith(input.results, 'known');
  const remarked = remarks(input.results.baseline);
  if (known.length === 0 && remarked.length === 0) return false;
  const more = known.length - MOST_KNOWN;
  return html`<h2>Expected by the baseline</h2>
<ul class="plain">${known.slice(0, MOST_KNOWN).map(
    (check) => html`<li>${badge('known')} ${checkLink(input, check.id, check.title)}<br>
<span class="small">${excuseOf(check) ?? 'expected'}</span><br>
<span class="muted small">observed: ${cut(check.observed, MOST_CHARACTERS)}</span></li>`,
  )}${more > 0 && html`<li>and ${number(more)} more in <a href="#contract">the contract</a></li>`}</ul>
${remarked.map(({ text, urgent }) =>
  urgent ? html`<p class="small"><b>${text}</b></p>` : html`<p class="muted small">${text}</p>`,
)}`;
}

const MOST_FINDINGS = 12;

/** What the limit of a broken claim was measured at, which says more than what was counted. */
function measured({ results }: PageInput, { id }: ResultCheck): Html | false {
  const limit = results.limits.find((one) => id.startsWith(`${one.id}.`));
  if (!limit?.measured) return false;
  const algorithm = limit.algorithm && limit.algorithm !== 'unknown' ? ` (${limit.algorithm})` : '';
  return html`<p class="small">Measured: ${measuredWords(limit)}${algorithm}</p>${(limit.pictures ?? []).slice(0, 1).map(renderPicture)}`;
}

/** The same finding on other operations. */
const also = (input: PageInput, others: readonly ResultCheck[]): Html | false =>
  others.length > 0 && html`<p class="small">Also: ${others.map(({ id }) => html`${checkLink(input, id)} `)}</p>`;

function broke(input: PageInput): Html {
  const { results } = input;
  const groups = groupFindings(failures(results), results);
  if (groups.length === 0) return html`<p>${unbroken(results)}</p>`;
  const more = checksIn(groups.slice(MOST_FINDINGS));
  const fresh = newlyBroken(results);
  const since = brokenSince(results);
  return html`<ul class="findings">${groups.slice(0, MOST_FINDINGS).map(
    ({ first: check, others }) => html`<li class="v-fail">
<h3>${checkLink(input, check.id, check.title)}${fresh.has(check.id) && html` <span class="fresh">new</span>`}</h3>
${check.clauses.map((id) => html`<p class="clause">${clauseLine(input, id)}</p>`)}
${expectedObserved(check)}${measured(input, check)}${also(input, others)}
${since.has(check.id) && html`<p class="small">Broken ${since.get(check.id)}</p>`}
${repeatView(check, results)}
</li>`,
  )}</ul>
${more > 0 && html`<p>${plural(more, 'more broken check')} in <a href="#contract">the contract</a>.</p>`}`;
}

function short(input: PageInput, verdict: 'error' | 'warn', title: string): Html | false {
  const list = checksWith(input.results, verdict);
  if (list.length === 0) return false;
  const groups = groupFindings(list, input.results);
  const more = checksIn(groups.slice(MOST_FINDINGS));
  return html`<h2>${title}</h2>
<ul class="plain">${groups.slice(0, MOST_FINDINGS).map(
    ({ first, others }) => html`<li>${badge(verdict)} ${checkLink(input, first.id, first.title)}<br>
<span class="muted small">${cut(first.reason ?? first.observed, MOST_CHARACTERS)}</span>${also(input, others)}</li>`,
  )}${more > 0 && html`<li>and ${number(more)} more in <a href="#contract">the contract</a></li>`}</ul>`;
}

const MOST_OPEN = 3;

/** Where that is the result of the run: the documented checks, and why they are not decided. */
function open(input: PageInput): Html | false {
  if (input.results.verdict !== 'inconclusive') return false;
  const groups = openQuestions(input.results).flatMap(({ verdict, reason, checks }) => {
    const wanted = checks.filter(({ level }) => level === 'documented' || level === 'goal');
    return verdict === 'inconclusive' && wanted.length > 0 ? [{ reason, wanted }] : [];
  });
  const more = groups.length - MOST_OPEN;
  return html`<h2>Inconclusive</h2>
<ul class="plain">${groups
    .slice(0, MOST_OPEN)
    .map(
      ({ reason, wanted: [first, ...others] }) =>
        html`<li>${badge('inconclusive')} ${first && checkLink(input, first.id)}${
          others.length > 0 && html` and ${plural(others.length, 'more check')}`
        }<br><span class="muted small">${cut(reason, MOST_CHARACTERS)}</span></li>`,
    )}${more > 0 && html`<li>and ${plural(more, 'more reason')}</li>`}</ul>
<p class="small"><a href="#open">All undecided checks</a></p>`;
}

function tally({ results }: PageInput): Html {
  const items = verdicts.map((verdict) => {
    const count = countOf(results.counts, verdict);
    const { sign, word } = verdictWords[verdict];
    return count === 0 && verdict !== 'fail'
      ? false
      : html`<li class="${count === 0 ? 'none' : `v-${verdict}`}"><span aria-hidden="true">${sign}</span><b>${number(count)}</b> ${
          count === 0 ? word : html`<a href="?verdict=${verdict}#contract">${word}</a>`
        }</li>`;
  });
  return html`<ul class="tally" aria-label="Checks by verdict">${items}
<li class="none">${checksWords(results.counts)}</li></ul>`;
}

function since({ results }: PageInput): Html | false {
  const words = sinceOrNot(results)?.replace(/\.$/, '');
  return words !== undefined && html`<p class="since">${words}. <a href="#trend">Trend</a></p>`;
}

function facts({ results }: PageInput): Html {
  const { run, target, baseline } = results;
  const rows: readonly (readonly [string, string | null])[] = [
    ['Target', target.kind === 'reference' ? 'the embedded reference' : 'a remote service'],
    ['Interface A', target.baseUrl],
    ['Interface B', target.jobBaseUrl],
    ['Endpoints', target.endpoints.map((one) => one.instId).join(', ') || null],
    ['Runs in one', run.merged ? run.merged.runs.map(({ id }) => id).join(', ') : null],
    ['Profile', run.profile],
    ['Baseline', baseline ? `${baseline.file}, ${plural(baseline.entries, 'entry', 'entries')} for this target` : null],
    ['Started', instant(run.startedAt)],
    ['Duration', duration(run.durationMs)],
    ['Minimum duration', run.floorMs > 0 && !run.merged ? `${duration(run.floorMs)} (rate windows)` : null],
    [
      'Versions',
      [`proofload ${run.suiteVersion}`, run.k6Version && `k6 ${run.k6Version}`, `node ${run.nodeVersion}`]
        .filter(Boolean)
        .join(', '),
    ],
  ];
  return html`<dl class="facts">${rows.map(([name, value]) => value !== null && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

export function verdictSection(input: PageInput): Html {
  const { results } = input;
  return html`<section id="verdict" aria-labelledby="verdict-title">
<div class="verdict v-${results.verdict}">
<div class="seal" aria-hidden="true">${verdictWords[results.verdict].sign}</div>
<div><h1 id="verdict-title">${headline(results)}</h1>
<p class="sentence">${sentence(results)}</p></div>
</div>
${tally(input)}
${since(input)}
<div class="first">
<div>
<h2>Failures</h2>
${broke(input)}
${outdatedView(input)}
${open(input)}
${short(input, 'error', 'Harness errors')}
${short(input, 'warn', 'Warnings: conventions not kept')}
${knownView(input)}
${limitsAtAGlance(input)}
</div>
${facts(input)}
</div>
</section>`;
}
