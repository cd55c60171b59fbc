/** The settings of the reference as the Markdown of docs/reference.md, made from their table. */
import { type Setting, settings } from '../../reference/settings/index.ts';
import { gapsWithoutSetting } from '../../reference/testing/gaps.ts';
import { clauseById } from '../../schemas/clauses/index.ts';

const BEGIN = '<!-- Made from reference/settings by `npm run docs`; changes here are lost. -->';
const END = '<!-- End of the settings. -->';

/** `8.2 run.rate`, or the section alone where no clause says it. */
function place(fills: string): string {
  const clause = clauseById(fills);
  return clause ? `${clause.section} \`${fills}\`` : fills;
}

function line({ name, takes, defaultText, meaning, shorthand, fills }: Setting): string {
  const also = shorthand === undefined ? '' : ` Also \`${shorthand}\`.`;
  const cells = [`\`${name}\``, takes.words, defaultText, `${meaning}${also}`, fills.map(place).join(', ')];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function table(group: string): string {
  const rows = settings.filter((one) => one.group === group).map(line);
  return [`### ${group}`, '', '| setting | takes | default | meaning | fills |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}

/** All settings, and the gaps that none of them fills. */
export function settingsMarkdown(): string {
  const groups = [...new Set(settings.map(({ group }) => group))];
  const reasons = Object.entries(gapsWithoutSetting).map(([gap, reason]) => `- ${place(gap)}: ${reason}.`);
  return [...groups.map(table), ['### Gaps without a setting', '', ...reasons].join('\n')].join('\n\n');
}

/** The document with this in place of what stands between its two comments. Throws where they are missing. */
export function withSettings(document: string): string {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error('the comments that enclose the settings are gone');
  return `${document.slice(0, begin)}${BEGIN}\n\n${settingsMarkdown()}\n\n${document.slice(end)}`;
}
