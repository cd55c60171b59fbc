/**
 * A template tag that escapes by default. Everything put into it is text, unless it is itself a piece of HTML made by
 * the same tag; so a text from a target cannot become markup by being forgotten.
 */
import { visible, xmlEntities } from '../text.ts';

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type HtmlValue = string | number | Html | null | undefined | false | readonly HtmlValue[];

const entities: Readonly<Record<string, string>> = { ...xmlEntities, '`': '&#96;' };

/** Text for HTML content and for attributes in quotes. */
export const escapeHtml = (text: string): string =>
  visible(text).replace(/[&<>"'`]/g, (char) => entities[char] ?? char);

function valueText(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(valueText).join('');
  return escapeHtml(String(value));
}

/** A piece of HTML. Values are escaped; arrays are joined; null, undefined and false leave nothing. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(strings.map((part, index) => part + valueText(values[index])).join(''));
}

/** Text of ours that is markup, style or script already. Never for anything that came from outside. */
export const trusted = (text: string): Html => new Html(text);
