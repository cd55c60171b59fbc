/** The settings of the reference as text for a terminal, made from their table. */
import { type Setting, settings } from '../../reference/settings/index.ts';
import { styleFor } from '../style.ts';

const INDENT = ' '.repeat(4);
const WIDTH = 100;

/** Breaks at spaces; every line is indented. */
function wrapped(text: string): string {
  const lines: string[] = [];
  let line = INDENT;
  for (const word of text.split(' ')) {
    const longer = line === INDENT ? `${INDENT}${word}` : `${line} ${word}`;
    if (longer.length > WIDTH && line !== INDENT) {
      lines.push(line);
      line = `${INDENT}${word}`;
    } else line = longer;
  }
  return [...lines, line].join('\n');
}

/** Every setting with its default, what it takes, its meaning and its shorthand, by group. */
export function settingsTable(stream: { readonly isTTY?: boolean }): string {
  const style = styleFor(stream);
  const entry = ({ name, defaultText, takes, meaning, shorthand }: Setting): string => {
    const also = shorthand === undefined ? '' : ` Also ${shorthand}.`;
    return `${style('strong', name)} = ${defaultText}\n${wrapped(`${meaning}${also}`)}\n${style('dim', wrapped(`takes ${takes.words}`))}\n`;
  };
  const groups = [...new Set(settings.map(({ group }) => group))];
  return groups
    .map((group) => {
      const own = settings.filter((one) => one.group === group);
      return `${group}\n\n${own.map(entry).join('')}`;
    })
    .join('\n');
}
