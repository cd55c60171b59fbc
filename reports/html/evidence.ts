/** What was sent and what came back, so that a finding can be repeated by hand. */
import type { Exchange, Expectation } from '../../schemas/facts.ts';
import type { ResultCheck } from '../../schemas/results.ts';
import { curlLine } from '../curl.ts';
import { cut } from '../text.ts';
import { duration, number, plural } from '../words.ts';
import { type Html, html } from './html.ts';
import { MOST_CHARACTERS } from './parts.ts';

const MOST_EXCHANGES = 12;
const BODY_CHARACTERS = 4000;

function answer(exchange: Exchange): string {
  if (exchange.status === undefined) return `no answer: ${exchange.error ?? 'no reason recorded'}`;
  const headers = Object.entries(exchange.responseHeaders ?? {}).map(([name, value]) => `${name}: ${value}`);
  const body = exchange.responseBody ? ['', cut(exchange.responseBody, BODY_CHARACTERS)] : [];
  return [`${exchange.status}`, ...headers, ...body].join('\n');
}

function exchangeView(exchange: Exchange): Html {
  const outcome = exchange.status === undefined ? 'no answer' : `${exchange.status}`;
  return html`<details class="exchange"><summary><code>${exchange.method} ${cut(exchange.url, 160)}</code> → ${outcome},
${duration(exchange.durationMs)}</summary>
<h4>Request</h4><pre>${curlLine(exchange, BODY_CHARACTERS)}</pre>
<h4>Response</h4><pre>${answer(exchange)}</pre></details>`;
}

function expectationRows(list: readonly Expectation[]): Html | false {
  if (list.length === 0) return false;
  const rows = list.map(
    (
      one,
    ) => html`<tr><th scope="row">${one.what}</th><td>${cut(one.expected, MOST_CHARACTERS)}</td><td>${cut(one.observed, MOST_CHARACTERS)}</td>
<td>${one.holds ? 'holds' : 'broken'}</td></tr>`,
  );
  return html`<div class="scroll"><table><thead><tr><th scope="col">Asked</th><th scope="col">Expected</th>
<th scope="col">Observed</th><th scope="col"></th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** The evidence of a check, folded; nothing where none was recorded. */
export function evidenceView(check: ResultCheck): Html | false {
  const expectations = check.evidence?.expectations ?? [];
  const exchanges = check.evidence?.exchanges ?? [];
  if (expectations.length === 0 && exchanges.length === 0) return false;
  const more = exchanges.length - MOST_EXCHANGES;
  const what = [
    ...(expectations.length > 0 ? [plural(expectations.length, 'expectation')] : []),
    ...(exchanges.length > 0 ? [plural(exchanges.length, 'request')] : []),
  ];
  return html`<details><summary>Evidence: ${what.join(', ')}</summary>
${expectationRows(expectations)}
${exchanges.slice(0, MOST_EXCHANGES).map(exchangeView)}
${more > 0 && html`<p class="muted small">${number(more)} more in results.json.</p>`}
</details>`;
}
