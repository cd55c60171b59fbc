/** Requests and responses, so that a finding can be repeated by hand. */
import type { Exchange, Expectation } from '../../schemas/facts.ts';
import type { ResultCheck } from '../../schemas/results.ts';
import { duration, number, plural } from '../../schemas/thousands.ts';
import { type Credential, curlLine } from '../curl.ts';
import { credentialOf, decisiveExchange } from '../essentials.ts';
import { withoutFinding, worstFirst } from '../severity.ts';
import { cut } from '../text.ts';
import { type Html, html } from './html.ts';
import { MOST_CHARACTERS } from './parts.ts';

/** Characters for all exchanges together, so that the page opens at once however much broke. */
const ROOM = 400_000;
const MOST_OF_A_CHECK = 6;
/** Markup, headers and labels around the two bodies. */
const FRAME = 900;
/** Such characters are written as several. */
const ESCAPED = /[&<>"'`]/g;
const ESCAPED_LENGTH = 6;
const ADDRESS = 160;

export const BODY_CHARACTERS = 1500;

/** Found broken, also where a baseline expects it: its details start with the exchange that shows it. */
export const broke = ({ verdict }: Pick<ResultCheck, 'verdict'>): boolean =>
  ['fail', 'warn', 'known'].includes(verdict);

function cost(exchange: Exchange): number {
  const bodies = [exchange.requestBody, exchange.responseBody].map((one = '') => {
    const text = one.slice(0, BODY_CHARACTERS);
    return text.length + (text.match(ESCAPED)?.length ?? 0) * (ESCAPED_LENGTH - 1);
  });
  return FRAME + Math.min(exchange.url.length, ADDRESS) + bodies.reduce((sum, one) => sum + one, 0);
}

/** The exchanges that the page shows of each check, by its id; the others are named by their number. */
export function evidencePlan(checks: readonly ResultCheck[]): ReadonlyMap<string, readonly Exchange[]> {
  const plan = new Map<string, Exchange[]>();
  let room = ROOM;
  const take = (check: ResultCheck, exchange: Exchange | undefined): void => {
    if (!exchange) return;
    const price = cost(exchange);
    if (price > room) return;
    room -= price;
    plan.set(check.id, [...(plan.get(check.id) ?? []), exchange]);
  };
  const unsettled = worstFirst(checks).filter(({ verdict }) => !withoutFinding.has(verdict));
  for (const check of unsettled) take(check, decisiveExchange(check));
  for (const check of unsettled) {
    const decisive = decisiveExchange(check);
    const others = (check.evidence?.exchanges ?? []).filter((one) => one !== decisive);
    for (const one of others.slice(0, MOST_OF_A_CHECK - 1)) take(check, one);
  }
  return plan;
}

const MOST_EXPECTATIONS = 20;

/** Status, headers and body of an answer as text; of an answer that never came, why. */
export function answerText(exchange: Exchange, bodyCharacters: number, withHeaders = true): string {
  if (exchange.status === undefined) return `no answer: ${exchange.error ?? 'no reason recorded'}`;
  const all = Object.entries(exchange.responseHeaders ?? {});
  const headers = (withHeaders ? all : []).map(([name, value]) => cut(`${name}: ${value}`, bodyCharacters));
  const body = exchange.responseBody ? ['', cut(exchange.responseBody, bodyCharacters)] : [];
  return [`${exchange.status}`, ...headers, ...body].join('\n');
}

function exchangeView(exchange: Exchange, credential: Credential): Html {
  const outcome = exchange.status === undefined ? 'no answer' : `${exchange.status}`;
  return html`<details class="exchange"><summary><code>${exchange.method} ${cut(exchange.url, 160)}</code> → ${outcome},
${duration(exchange.durationMs)}</summary>
<h4>Request</h4><pre tabindex="0">${curlLine(exchange, BODY_CHARACTERS, credential)}</pre>
<h4>Response</h4><pre tabindex="0">${answerText(exchange, BODY_CHARACTERS)}</pre></details>`;
}

function expectationRows(list: readonly Expectation[]): Html | false {
  if (list.length === 0) return false;
  const brokenFirst = [...list].sort((a, b) => Number(a.holds) - Number(b.holds));
  const rows = brokenFirst.slice(0, MOST_EXPECTATIONS).map(
    ({ what, expected, observed, holds, schemaPath }) => html`<tr><th scope="row">${what}</th>
<td>${cut(expected, MOST_CHARACTERS)}</td><td>${cut(observed, MOST_CHARACTERS)}${
      schemaPath && html`<br><span class="muted small">contract: <code>${schemaPath}</code></span>`
    }</td><td>${holds ? 'holds' : 'broken'}</td></tr>`,
  );
  const more = list.length - MOST_EXPECTATIONS;
  return html`<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Assertion</th><th scope="col">Expected</th>
<th scope="col">Observed</th><th scope="col"><span class="skip">Holds</span></th></tr></thead><tbody>${rows}</tbody></table></div>
${more > 0 && html`<p class="muted small">${number(more)} more expectations in results.json.</p>`}`;
}

/** The evidence of a check, folded; nothing where none was recorded. `shown` are those exchanges that have room. */
export function evidenceView(check: ResultCheck, shown: readonly Exchange[]): Html | false {
  const expectations = check.evidence?.expectations ?? [];
  const exchanges = check.evidence?.exchanges ?? [];
  if (expectations.length === 0 && exchanges.length === 0) return false;
  const more = exchanges.length - shown.length - (broke(check) ? 1 : 0);
  const what = [
    ...(expectations.length > 0 ? [plural(expectations.length, 'expectation')] : []),
    ...(exchanges.length > 0 ? [plural(exchanges.length, 'request')] : []),
  ];
  return html`<details><summary>Evidence: ${what.join(', ')}</summary>
${expectationRows(expectations)}
${shown.map((one) => exchangeView(one, credentialOf(check)))}
${more > 0 && html`<p class="muted small">${number(more)} more in results.json.</p>`}
</details>`;
}
