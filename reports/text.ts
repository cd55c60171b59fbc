/**
 * Text from a target is shown, never obeyed. Before it is escaped for HTML, XML, Markdown or a terminal, what is
 * invisible in it is made visible here: control characters (terminal escapes among them), characters that XML forbids
 * and those that turn the reading direction round.
 */

const CONTROL_PICTURES = 0x2400;
const DELETE_PICTURE = '\u2421';

const INVISIBLE = /(?![\t\n])[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu;

/** The text with nothing invisible in it; tabs and line feeds stay. Lone surrogates become U+FFFD. */
export function visible(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(INVISIBLE, (char) => {
      const code = char.charCodeAt(0);
      if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
      if (code === 0x7f) return DELETE_PICTURE;
      return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
    })
    .replace(/\p{Cs}/gu, '\ufffd');
}

/** The same on one line. */
export function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim();
}

/**
 * At most `max` characters, and how many are missing; a part that is no longer than that text is not left out. Never
 * cuts a surrogate pair in two.
 */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(max - 1)) ? max - 1 : max;
  const note = `\u2026 (${text.length - end} more characters)`;
  return text.length <= max + note.length ? text : text.slice(0, end) + note;
}

/** What the special characters of XML, and so of HTML, are written as. */
export const xmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
