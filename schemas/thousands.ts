/** Numbers in sentences, with a comma after each thousand, and with what they count. */
const twoDecimals = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** Template tag: numbers get their thousands grouped, as in `1,000 requests`. */
export const grouped = (
  texts: TemplateStringsArray,
  ...values: readonly (string | number | null | undefined)[]
): string =>
  texts.reduce((all, text, index) => {
    const value = values[index - 1];
    return `${all}${typeof value === 'number' ? twoDecimals.format(value) : value}${text}`;
  });

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const oneDecimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** 1,000 */
export const number = (value: number): string => whole.format(value);

/** `1 check`, `3 checks` */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;

/** A duration in ms as `850 ms`, `12.5 s`, `4 min 12 s`, `1 h 30 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${number(ms)} ms`;
  if (ms < 60_000) return `${oneDecimal.format(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const parts =
    hours > 0 ? [`${hours} h`, minutes > 0 ? `${minutes} min` : ''] : [`${minutes} min`, rest > 0 ? `${rest} s` : ''];
  return parts.filter((part) => part !== '').join(' ');
}

/** `1.4 MB` */
export const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`;
