/** JSON as the formatter of this repository writes it, so that a generated file passes it as it is. */

const WIDTH = 120;
const INDENT = '  ';

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

function written(value: unknown, indent: string, used: number): string {
  if (isScalar(value)) return JSON.stringify(value);
  const deeper = indent + INDENT;
  if (Array.isArray(value)) {
    const short = `[${value.map((one) => JSON.stringify(one)).join(', ')}]`;
    if (value.every(isScalar) && used + short.length < WIDTH) return short;
    return `[\n${value.map((one) => `${deeper}${written(one, deeper, deeper.length)}`).join(',\n')}\n${indent}]`;
  }
  const entries = Object.entries(value ?? {}).filter(([, one]) => one !== undefined);
  if (entries.length === 0) return '{}';
  const lines = entries.map(([key, one]) => {
    const head = `${deeper}${JSON.stringify(key)}: `;
    return head + written(one, deeper, head.length);
  });
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

/** The text of a file: two spaces, short lists of plain values in one line, a line end at the end. */
export const jsonText = (value: unknown): string => `${written(value, '', 0)}\n`;
