/** Clause by clause: which promise of the specification was looked at by which checks, and which by none. */
import { number, plural } from '../../schemas/thousands.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import { levelWords } from '../words.ts';
import { type Html, html } from './html.ts';
import { badge, checkLink, isQuiet, type PageInput } from './parts.ts';

export function coverageSection(input: PageInput): Html {
  const { results, clauses } = input;
  const { coverage } = results;
  const verdictOf = new Map<string, Verdict>(results.checks.map((check) => [check.id, check.verdict]));
  const rows = Object.entries(coverage.byClause).map(([id, checks]) => {
    const clause = clauses.get(id);
    const why =
      clause && clause.observable !== true ? `not observable: needs ${clause.observable.needs}` : 'not checked';
    const quiet = checks.filter((check) => {
      const verdict = verdictOf.get(check);
      return verdict !== undefined && isQuiet({ verdict });
    });
    const links = checks
      .filter((check) => !quiet.includes(check))
      .map((check) => {
        const verdict = verdictOf.get(check);
        return html`<li>${verdict && badge(verdict)} ${checkLink(input, check)}</li>`;
      });
    const filter = `verdict=pass&verdict=observed&text=${encodeURIComponent(id)}`;
    const all = html`<li><a href="?${filter}#contract">${plural(quiet.length, 'check')}</a> passed or recorded</li>`;
    return html`<tr><td>${clause?.section ?? ''}</td><th scope="row">${clause?.text ?? id}<br><code class="muted">${id}</code></th>
<td>${clause ? levelWords[clause.level] : ''}</td>
<td>${checks.length > 0 ? html`<ul class="plain small">${quiet.length > 0 && all}${links}</ul>` : html`<span class="muted">${why}</span>`}</td></tr>`;
  });
  return html`<section id="coverage" aria-labelledby="coverage-title">
<h2 id="coverage-title">Coverage of the specification</h2>
<p class="lead">${number(coverage.checked)} of ${number(coverage.observable)} clauses that can be observed from outside were
checked in this run; the specification has ${number(coverage.clauses)} in all.</p>
${
  rows.length > 0 &&
  html`<details><summary>Every clause</summary><div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Section</th>
<th scope="col">Clause</th><th scope="col">Level</th><th scope="col">Checks</th></tr></thead><tbody>${rows}</tbody></table></div></details>`
}
</section>`;
}
