/** Every check of the run, by operation, with its clause, what was expected and observed, and the evidence. */
import { type CheckChange, changeKinds } from '../../schemas/history.ts';
import type { ResultCheck } from '../../schemas/results.ts';
import { number, plural } from '../../schemas/thousands.ts';
import { type Verdict, verdicts } from '../../schemas/verdicts.ts';
import { excuseOf } from '../baseline/words.ts';
import { changeWords } from '../changes/words.ts';
import { countOf } from '../counts.ts';
import { type Subject, subjectsOf } from '../subjects.ts';
import { cut } from '../text.ts';
import { levelWords, verdictWords } from '../words.ts';
import { broke, evidenceView } from './evidence.ts';
import { findingView } from './finding.ts';
import { type Html, html } from './html.ts';
import { anchor, badge, clauseLine, expectedObserved, isQuiet, type PageInput } from './parts.ts';

const changesOf = ({ results }: PageInput): readonly CheckChange[] => results.history?.since?.checks ?? [];

/** Checks whose details are what the reader came for. */
const opened: ReadonlySet<Verdict> = new Set(['fail', 'error']);

function checkView(input: PageInput, check: ResultCheck): Html {
  const change = changesOf(input).find(({ id }) => id === check.id)?.kind;
  const differs = (check.reference?.differences ?? []).length > 0;
  return html`<details class="check" id="${anchor(check.id)}" data-verdict="${check.verdict}" data-level="${check.level}"${differs && html` data-differs`}${change !== undefined && html` data-change="${change}"`}${
    opened.has(check.verdict) && html` open`
  }>
<summary>${badge(check.verdict)}<span class="what">${check.title}<code>${check.id}</code></span></summary>
<div class="body">${isQuiet(check) ? quietBody(check) : wholeBody(input, check)}</div></details>`;
}

const MOST_OF_WHAT_HELD = 160;

/** A check that needs no attention is rarely read: the texts of its clauses are in the coverage section. */
function quietBody(check: ResultCheck): Html {
  return html`<p>${cut(check.observed, MOST_OF_WHAT_HELD)}</p><p class="small muted">${check.clauses.join(', ')}</p>${findingView(check, undefined)}`;
}

function wholeBody(input: PageInput, check: ResultCheck): Html {
  const { known } = check;
  const shown = input.evidence.get(check.id) ?? [];
  const [decisive, ...others] = shown;
  return html`<ul class="clauses small">${check.clauses.map((id) => html`<li>${clauseLine(input, id)}</li>`)}</ul>
${expectedObserved(check)}
${known && html`<p class="small">Without the baseline: ${badge(known.verdict)} It is ${excuseOf(check)}</p>`}
${findingView(check, decisive, input.results)}
${evidenceView(check, broke(check) ? others : shown)}`;
}

function heading({ subject, operation }: Subject): Html {
  if (!operation) return html`<h3>${subject}</h3>`;
  return html`<h3>${subject}</h3><code class="muted">${operation.methods.join(' or ')} ${operation.path}</code>`;
}

function subjectView(input: PageInput, group: Subject): Html {
  const quiet = group.checks.filter(isQuiet);
  const tally = verdicts
    .map((verdict) => ({ verdict, count: group.checks.filter((check) => check.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => `${number(count)} ${verdictWords[verdict].word}`);
  return html`<section class="operation" aria-label="Checks of ${group.subject}">
<header>${heading(group)}<span class="counts muted small">${tally.join(', ')}</span></header>
${group.checks.filter((check) => !isQuiet(check)).map((check) => checkView(input, check))}
${quiet.length > 0 && html`<details class="quiet"><summary>${plural(quiet.length, 'check')} passed or recorded</summary>${quiet.map((check) => checkView(input, check))}</details>`}
</section>`;
}

/** What changed since the last comparable run, where something did. */
function changeFilter(input: PageInput): Html | false {
  const kinds = changeKinds.filter((kind) => changesOf(input).some((change) => change.kind === kind));
  if (kinds.length === 0) return false;
  const options = kinds.map((kind) => html`<option value="${kind}">${changeWords[kind]}</option>`);
  return html`<label class="field">Last run <select name="change"><option value="">changed or not</option>${options}</select></label>`;
}

function filters(input: PageInput): Html {
  const { results } = input;
  const boxes = verdicts
    .filter((verdict) => countOf(results.counts, verdict) > 0)
    .map((verdict) => {
      const { word } = verdictWords[verdict];
      return html`<label><input type="checkbox" name="verdict" value="${verdict}" checked> ${word}
<span class="muted">${number(countOf(results.counts, verdict))}</span></label>`;
    });
  const levels = Object.entries(levelWords).map(([level, word]) => html`<option value="${level}">${word}</option>`);
  return html`<form class="filters" id="filters" hidden aria-label="Filter the checks">
<fieldset><legend>Verdict</legend>${boxes}</fieldset>
<label class="field">Level <select name="level"><option value="">every level</option>${levels}</select></label>
${
  results.reference &&
  html`<label class="field">Reference <select name="reference"><option value="">same or not</option>
<option value="differs">differs from it</option></select></label>`
}
${changeFilter(input)}
<label class="field">Text <input type="search" name="text" placeholder="id, title, status …"></label>
<button type="reset">Show all</button><button type="button" id="open-all">Open or close all</button>
<output id="shown" aria-live="polite"></output>
</form>`;
}

export function contractSection(input: PageInput): Html {
  return html`<section id="contract" aria-labelledby="contract-title">
<h2 id="contract-title">Contract checks by operation</h2>
<p class="lead"><b>Documented</b>: the specification says so, and a break fails the run. <b>Convention</b>: it is silent,
but clients depend on it, and a break warns. <b>Not documented</b>: recorded, never judged. The requests and responses of every check are in results.json.</p>
${filters(input)}
${subjectsOf(input.results.checks).map((group) => subjectView(input, group))}
</section>`;
}
