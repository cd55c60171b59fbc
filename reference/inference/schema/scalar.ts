/** Texts and numbers that fit a schema. `nth` asks for another one each time, where there are several. */
import type { Schema } from './flatten.ts';
import { matching } from './pattern.ts';

/** Longest text that is built, whatever the schema asks for. */
const LONGEST = 100_000;

const digits = (nth: number, length: number): string => String(nth).padStart(length, '0');

/** One text for each format that clients use, and as many others as may be needed. */
const formats: Readonly<Record<string, (nth: number) => string>> = {
  'date-time': (nth) => `2030-01-01T00:00:00.${digits(nth % 1000, 3)}Z`,
  date: (nth) => `20${digits(nth % 100, 2)}-01-01`,
  time: (nth) => `00:00:00.${digits(nth % 1000, 3)}Z`,
  duration: (nth) => `PT${nth}S`,
  email: (nth) => `x${nth}@example.com`,
  hostname: (nth) => `x${nth}.example.com`,
  ipv4: (nth) => `192.0.2.${nth % 256}`,
  ipv6: (nth) => `2001:db8::${(nth % 65_535).toString(16)}`,
  uri: (nth) => `https://example.com/${nth}`,
  url: (nth) => `https://example.com/${nth}`,
  'uri-reference': (nth) => `/${nth}`,
  uuid: (nth) => `00000000-0000-4000-8000-${digits(nth, 12)}`,
  'json-pointer': (nth) => `/${nth}`,
  regex: (nth) => `x{${nth}}`,
  byte: (nth) => Buffer.from(digits(nth, 3)).toString('base64'),
};

const asNumber = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

/** Undefined where none fits. */
export function textOf(schema: Schema, nth: number): string | undefined {
  const least = Math.min(asNumber(schema.minLength, 0), LONGEST);
  const most = asNumber(schema.maxLength, LONGEST);
  if (least > most) return undefined;
  if (typeof schema.pattern === 'string') {
    const found = matching(schema.pattern, least, most);
    if (found !== null) return found;
  }
  const format = typeof schema.format === 'string' ? formats[schema.format] : undefined;
  if (format) return format(nth);
  const number = nth === 0 ? '' : String(nth);
  const wanted = Math.max(Math.min(1, most), least);
  return ('x'.repeat(Math.max(0, wanted - number.length)) + number).slice(0, most);
}

/** Undefined where none fits. */
export function numberOf(schema: Schema, integer: boolean, nth: number): number | undefined {
  const low = asNumber(schema.minimum, Number.NEGATIVE_INFINITY);
  const high = asNumber(schema.maximum, Number.POSITIVE_INFINITY);
  const above = asNumber(schema.exclusiveMinimum, Number.NEGATIVE_INFINITY);
  const below = asNumber(schema.exclusiveMaximum, Number.POSITIVE_INFINITY);
  const factor = asNumber(schema.multipleOf, integer ? 1 : 0);
  const fits = (value: number): boolean =>
    value >= low &&
    value <= high &&
    value > above &&
    value < below &&
    (!integer || Number.isInteger(value)) &&
    (factor === 0 || Number.isInteger(value / factor));
  const [from, to] = [Math.max(low, above), Math.min(high, below)];
  const step = integer && !Number.isInteger(factor) ? 1 : factor;
  const near = [1, low, high, above + 1, below - 1, 0, (from + to) / 2];
  const multiples =
    step === 0
      ? []
      : [Math.ceil(from / step), Math.floor(to / step)].flatMap((at) =>
          Array.from({ length: 4 }, (_, more) => (at + more - 1) * step),
        );
  const first = [...near, ...multiples].find((value) => Number.isFinite(value) && fits(value));
  if (first === undefined || nth === 0) return first;
  const bounded = Number.isFinite(from) && Number.isFinite(to);
  const pace = step !== 0 ? step : bounded ? (to - from) / 1024 : 1;
  const around = Array.from({ length: nth + 2 }, (_, at) => [first + (at + 1) * pace, first - (at + 1) * pace]);
  const others = around.flat().filter(fits);
  return others[nth - 1] ?? first;
}
