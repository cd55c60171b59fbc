/** What the baseline has to say on the first screen: where it is out of date, and what it excuses, also on a green page. */
import { excuseOf, outdatedEntries, remarks } from '../baseline/words.ts';
import { checksWith } from '../findings.ts';
import { cut } from '../text.ts';
import { number } from '../words.ts';
import { type Html, html } from './html.ts';
import { badge, checkLink, MOST_CHARACTERS, type PageInput } from './parts.ts';

const MOST_KNOWN = 12;

/** Entries that fail the run. */
export function outdatedView(input: PageInput): Html | false {
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
export function knownView(input: PageInput): Html | false {
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
