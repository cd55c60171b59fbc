/** What was not decided, and what would change that: skipped and unreachable checks are never left to look green. */
import type { ResultCheck, Results } from '../../schemas/results.ts';
import { number, plural } from '../../schemas/thousands.ts';
import { openQuestions } from '../findings.ts';
import { cut } from '../text.ts';
import { type Html, html } from './html.ts';
import { badge, checkLink, MOST_CHARACTERS, type PageInput } from './parts.ts';

/** A few checks are named at once; many are folded. */
const MOST_NAMED = 3;

function concerned(input: PageInput, checks: readonly ResultCheck[]): Html {
  const list = html`<ul class="plain small">${checks.map((check) => html`<li>${checkLink(input, check.id)}</li>`)}</ul>`;
  if (checks.length <= MOST_NAMED) return list;
  return html`<details><summary>${plural(checks.length, 'check')}</summary>${list}</details>`;
}

/** Checks that never reported have no row of their own. */
function unreported({ counts, run }: Results): Html | false {
  const missing = counts.declared - counts.emitted;
  if (missing <= 0) return false;
  return html`<p>${number(missing)} of ${plural(counts.declared, 'check')} did not report, as this run is not whole (${cut(run.interrupted ?? 'no reason given', MOST_CHARACTERS)}). A run that comes to its end decides them.</p>`;
}

export function openSection(input: PageInput): Html {
  const groups = openQuestions(input.results);
  const missing = unreported(input.results);
  const rows = groups.map(
    ({ verdict, reason, checks }) => html`<tr><td>${badge(verdict)}</td><td>${cut(reason, MOST_CHARACTERS)}</td>
<td>${concerned(input, checks)}</td></tr>`,
  );
  return html`<section id="open" aria-labelledby="open-title">
<h2 id="open-title">Undecided</h2>
<p class="lead">Checks without a verdict in this run, with the reason and the remedy.</p>
${missing}
${
  groups.length === 0
    ? missing === false && html`<p>Every check of this run was decided.</p>`
    : html`<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Verdict</th><th scope="col">Reason and remedy</th>
<th scope="col">Concerns</th></tr></thead><tbody>${rows}</tbody></table></div>`
}
</section>`;
}
