/**
 * Escaping for Markdown. Our own words are escaped with backslashes; whatever comes from a target stands in a code
 * span, in which neither HTML, links nor mentions work, with a fence longer than any run of backticks in it.
 */
import { cut, oneLine } from './text.ts';

const MOST_CHARACTERS = 300;

/** Our own text, on one line. */
export function mdText(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]#+!|<>~$&@]/g, (char) => (char === '<' ? '&lt;' : `\\${char}`));
}

/** Text from outside as a code span on one line, cut where it is long. */
export function mdCode(text: string, max = MOST_CHARACTERS): string {
  const line = cut(oneLine(text), max);
  if (line === '') return '(nothing)';
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^`|`$|^ .* $/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A cell of a table: pipes would end it, also within code. */
export const mdCell = (markdown: string): string => markdown.replace(/(?<!\\)\|/g, '\\|');

/** A table; cells hold Markdown already. */
export function mdTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(mdCell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
