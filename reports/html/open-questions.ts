/** What was not decided, and what would change that: skipped and unreachable checks are never left to look green. */
import { openQuestions } from '../findings.ts';
import { plural } from '../words.ts';
import { type Html, html } from './html.ts';
import { badge, checkLink, type PageInput } from './parts.ts';

export function openSection(input: PageInput): Html {
  const groups = openQuestions(input.results);
  const rows = groups.map(
    ({ verdict, reason, checks }) => html`<tr><td>${badge(verdict)}</td><td>${reason}</td>
<td><details><summary>${plural(checks.length, 'check')}</summary>
<ul class="plain small">${checks.map((check) => html`<li>${checkLink(input, check.id)}</li>`)}</ul></details></td></tr>`,
  );
  return html`<section id="open" aria-labelledby="open-title">
<h2 id="open-title">Not decided</h2>
<p class="lead">What this run cannot say, and what would change that.</p>
${
  groups.length === 0
    ? html`<p>Nothing: every check of this run was decided.</p>`
    : html`<div class="scroll"><table><thead><tr><th scope="col">Verdict</th><th scope="col">Why, and what would change it</th>
<th scope="col">Concerns</th></tr></thead><tbody>${rows}</tbody></table></div>`
}
</section>`;
}
