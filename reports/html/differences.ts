/**
 * All differences between the target and the reference, by operation, also those that are not wrong. The author of a
 * compatible service wants all of them, and the search for a fault starts with those that go with a break.
 */
import { operations } from '../../schemas/operations.ts';
import type { ReferenceReport, ResultDifference } from '../../schemas/results.ts';
import { plural } from '../../schemas/thousands.ts';
import { type Html, html } from './html.ts';
import { checkLink, type PageInput, withCode } from './parts.ts';

const MOST_LINKED = 3;

const kinds: Readonly<
  Record<ResultDifference['kind'], { readonly tone: string; readonly sign: string; readonly word: string }>
> = {
  spec: { tone: 'v-fail', sign: '✕', word: 'with a failed check' },
  convention: { tone: 'v-warn', sign: '!', word: 'with a warning' },
  different: { tone: 'v-observed', sign: '•', word: 'different only' },
};

function links(input: PageInput, ids: readonly string[]): Html {
  const more = ids.length - MOST_LINKED;
  const shown = ids.slice(0, MOST_LINKED).map((id, index) => html`${index > 0 && ', '}${checkLink(input, id)}`);
  return html`<span class="muted small">${shown}${more > 0 && ` and ${plural(more, 'more check')}`}</span>`;
}

function row(input: PageInput, { kind, request, text, checks }: ResultDifference): Html {
  const { tone, sign, word } = kinds[kind];
  return html`<li class="difference"><span class="badge ${tone}"><span aria-hidden="true">${sign}</span><span>${word}</span></span>
<span>${request !== '' && html`<code>${request}</code> `}${withCode(text)}<br>${links(input, checks)}</span></li>`;
}

function group(input: PageInput, name: string, list: readonly ResultDifference[]): Html | false {
  if (list.length === 0) return false;
  return html`<section class="differing" aria-label="Differences of ${name}"><h3>${name}
<span class="muted small">${plural(list.length, 'difference')}</span></h3>
<ul>${list.map((one) => row(input, one))}</ul></section>`;
}

const LOAD = 'Its answers under load are from an earlier run of it.';

function lead({ contract, why }: ReferenceReport): string {
  if (contract === 'itself') return 'The target of this run is the reference itself.';
  if (contract === 'missing') return `The reference was not tested (${why ?? 'no reason given'}). ${LOAD}`;
  return (
    `The reference is our own implementation of the specification. The same checks were run against it in this run. ${LOAD} ` +
    'Words, ids, times and counts are not compared.'
  );
}

export function differencesSection(input: PageInput): Html | false {
  const { reference } = input.results;
  if (!reference) return false;
  const { differences, more } = reference;
  const known: ReadonlySet<string> = new Set(operations.map(({ id }) => id));
  const of = (id: string | null) => differences.filter(({ operation }) => operation === id);
  const elsewhere = differences.filter(({ operation }) => operation === null || !known.has(operation));
  return html`<section id="differences" aria-labelledby="differences-title">
<h2 id="differences-title">Differs from the reference</h2>
<p class="lead">${lead(reference)} A difference alone is no fault: <b>different only</b> is what no check found broken.</p>
${differences.length === 0 && reference.contract !== 'missing' && html`<p>No difference was seen.</p>`}
${operations.map(({ id }) => group(input, id, of(id)))}
${group(input, 'no operation', elsewhere)}
${more > 0 && html`<p>${plural(more, 'more difference')} are not listed.</p>`}
</section>`;
}
