/**
 * What the short reports say of a break in addition to expected and observed: the request to repeat, where in the
 * contract it is, what the reference responded. And what a run left behind on the target, which is no finding.
 */
import type { Exchange } from '../schemas/facts.ts';
import type { ReferenceReport, ResultCheck, Results } from '../schemas/results.ts';
import { plural } from '../schemas/thousands.ts';
import { type Credential, curlLine } from './curl.ts';

const BODY_CHARACTERS = 300;

/** How well an exchange fits the words about what broke: its request, its status, the beginning of its body. */
function closeness(exchange: Exchange, words: string): number {
  const path = exchange.url.replace(/^[a-z]+:\/\/[^/]*/i, '').split('?')[0] ?? '';
  const request = words.includes(`${exchange.method} ${path} `) ? 2 : 0;
  const status = exchange.status !== undefined && words.includes(`${exchange.status}`) ? 1 : 0;
  const begins = (exchange.responseBody ?? '').trim().slice(0, 40);
  return request + status + (begins !== '' && words.includes(begins) ? 1 : 0);
}

/** The exchange that a break was seen in: the one that its words fit best, and of equals the last. */
export function decisiveExchange({ evidence }: Pick<ResultCheck, 'evidence'>): Exchange | undefined {
  const broken = (evidence?.expectations ?? []).filter((one) => !one.holds);
  const words = broken.map(({ what, observed }) => `${what} ${observed}`).join('\n');
  const exchanges = evidence?.exchanges ?? [];
  return exchanges.reduce<Exchange | undefined>(
    (best, one) => (best && closeness(best, words) > closeness(one, words) ? best : one),
    undefined,
  );
}

/** Where the contract's schemas say what is broken. */
export function schemaPaths({ evidence }: Pick<ResultCheck, 'evidence'>): string[] {
  const broken = (evidence?.expectations ?? []).filter((one) => !one.holds);
  return [...new Set(broken.flatMap(({ schemaPath }) => schemaPath ?? []))];
}

export interface Essential {
  readonly label: 'request' | 'contract' | 'reference';
  readonly text: string;
}

const ABOUT_CREDENTIALS = /\b(?:keys?|credentials?|authori[sz]ation|bearer|schemes?|balance|accounts?|strangers?)\b/i;

/** Whether the requests of a check certainly carried the configured key. */
export function credentialOf({ id, title, clauses }: Pick<ResultCheck, 'id' | 'title' | 'clauses'>): Credential {
  const words = [title, ...[id, ...clauses].map((one) => one.replaceAll(/[.-]/g, ' '))].join(' ');
  return ABOUT_CREDENTIALS.test(words) || /\bauth\b/.test(words) ? 'unsure' : 'configured';
}

/** Headers that every request of ours has; without them a line is short enough to be read. */
const EVERYWHERE = new Set(['accept', 'user-agent']);

/** The request on one line, with what has to be said about it behind it. */
function repeated(check: ResultCheck, exchange: Exchange): string {
  const headers = Object.entries(exchange.requestHeaders).filter(([name]) => !EVERYWHERE.has(name.toLowerCase()));
  const bare = { ...exchange, requestHeaders: Object.fromEntries(headers) };
  const whole = curlLine(bare, BODY_CHARACTERS, credentialOf(check)).replaceAll(' \\\n  ', ' ');
  const lines = whole.split('\n');
  const remarks = lines.filter((line) => line.startsWith('# '));
  return [...lines.filter((line) => !remarks.includes(line)), ...remarks].join(' ');
}

/** A line each. */
export function essentials(check: ResultCheck): Essential[] {
  const exchange = decisiveExchange(check);
  const request = exchange && repeated(check, exchange);
  const contract = schemaPaths(check).join(', ');
  const { reference } = check;
  return [
    ...(request ? [{ label: 'request', text: request } as const] : []),
    ...(contract === '' ? [] : [{ label: 'contract', text: contract } as const]),
    ...(reference ? [{ label: 'reference', text: `${reference.verdict}, ${reference.observed}` } as const] : []),
  ];
}

/** What checks could not clean up, by check. */
export function leftBehind({ checks }: Pick<Results, 'checks'>): { readonly id: string; readonly text: string }[] {
  return checks.flatMap(({ id, leftBehind: texts = [] }) => texts.map((text) => ({ id, text })));
}

/** How many differences there are and of which kind, in a sentence; null where there is nothing to say. */
export function differenceWords(reference: ReferenceReport | undefined): string | null {
  if (!reference || reference.contract === 'itself') return null;
  if (reference.contract === 'missing')
    return `Not compared with the reference: ${reference.why ?? 'no reason given'}.`;
  const { differences, more } = reference;
  const total = differences.length + more;
  if (total === 0) return 'No differences from the reference.';
  const of = (kind: string): number => differences.filter((one) => one.kind === kind).length;
  const parts = [
    ...(of('spec') > 0 ? [`${of('spec')} with a failed check`] : []),
    ...(of('convention') > 0 ? [`${of('convention')} with a warning`] : []),
    ...(of('different') + more > 0 ? [`${of('different') + more} different only`] : []),
  ];
  return `${plural(total, 'difference')} from the reference: ${parts.join(', ')}.`;
}
