/**
 * All that is needed to mend what a check found, without unfolding anything: the request to repeat, the response, where
 * in the contract it breaks, and what the reference responds instead.
 */
import type { Exchange } from '../../schemas/facts.ts';
import type { ReferenceAnswer, ResultCheck, Results } from '../../schemas/results.ts';
import { curlLine } from '../curl.ts';
import { credentialOf, schemaPaths } from '../essentials.ts';
import { repeatOf } from '../repeat.ts';
import { cut } from '../text.ts';
import { answerText, BODY_CHARACTERS, broke } from './evidence.ts';
import { type Html, html } from './html.ts';
import { badge, MOST_CHARACTERS, withCode } from './parts.ts';

/** Of a check that holds a few are enough: all of them stand in the section about the reference. */
const MOST_DIFFERENCES = { held: 2, broken: 8 };
const MOST_OBSERVED = { held: 160, broken: 600 };

function repeat(check: ResultCheck, exchange: Exchange): Html {
  return html`<div class="beside"><div><h4>Request</h4><pre tabindex="0">${curlLine(exchange, BODY_CHARACTERS, credentialOf(check))}</pre></div>
<div><h4>Response</h4><pre tabindex="0">${answerText(exchange, BODY_CHARACTERS)}</pre></div></div>`;
}

function differences(list: readonly string[], most: number): Html | false {
  if (list.length === 0) return false;
  const more = list.length - most;
  return html`<ul class="plain small">${list.slice(0, most).map((text) => html`<li>${withCode(text)}</li>`)}${
    more > 0 && html`<li><a href="#differences">and ${more} more</a></li>`
  }</ul>`;
}

/** What the reference answered, where that says more than that all is the same. */
function referenceView(check: ResultCheck, reference: ReferenceAnswer): Html | false {
  const { verdict, observed, recorded, differences: list = [] } = reference;
  if (!broke(check) && list.length === 0 && verdict === check.verdict) return false;
  const size = broke(check) ? 'broken' : 'held';
  const asked = recorded ? 'The reference in an earlier run' : 'The reference';
  const words = broke(check) || verdict !== check.verdict ? cut(observed, MOST_OBSERVED[size]) : '';
  return html`<p class="small">${asked}: ${badge(verdict)} ${words}</p>
${list.length > 0 && html`<p class="small">Differences from the reference:</p>${differences(list, MOST_DIFFERENCES[size])}`}`;
}

/** The command that repeats this check alone. */
export function repeatView(check: ResultCheck, results: Results): Html {
  const { command, cost } = repeatOf(check, results);
  return html`<h4>Repeat only this check${cost !== undefined && html` (took ${cost})`}</h4><pre tabindex="0">${command}</pre>`;
}

/**
 * The details of a check between its claim and its folded evidence; little for one that holds. `exchange` is the one
 * that a break was seen in; with `results`, the command that repeats it is shown.
 */
export function findingView(check: ResultCheck, exchange: Exchange | undefined, results?: Results): Html {
  const paths = schemaPaths(check);
  return html`${results && (broke(check) || check.verdict === 'inconclusive') && repeatView(check, results)}${
    paths.length > 0 &&
    html`<p class="small">Broken in the contract at ${paths.map((path, index) => html`${index > 0 && ', '}<code>${path}</code>`)}</p>`
  }${broke(check) && exchange && repeat(check, exchange)}${
    check.firstTime !== undefined &&
    html`<p class="small">Retried; the first attempt was inconclusive: ${cut(check.firstTime, MOST_CHARACTERS)}</p>`
  }${check.reference && referenceView(check, check.reference)}${(check.leftBehind ?? []).map(
    (text) => html`<p class="small v-warn"><b>Left on the target:</b> ${cut(text, MOST_CHARACTERS)}</p>`,
  )}`;
}
