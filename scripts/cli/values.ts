/**
 * One raw value, from wherever it came, into the type its option wants. Flags, environment variables and YAML all go
 * through here, so that `yes`, `-1` or a URL with a path too much are judged alike.
 */
import { UsageError } from '../../schemas/target.ts';
import type { OptionName, OptionSpec, OptionType, options } from './options.ts';
import { suggestion } from './suggest.ts';

type ValueOf<T extends OptionType> = T extends 'boolean'
  ? boolean
  : T extends 'count'
    ? number
    : T extends 'strings' | 'lines'
      ? readonly string[]
      : string;

type Spec = (typeof options)[number];

/** What was set, by option; an option that nobody set is absent. */
export type OptionValues = { readonly [O in Spec as O['name']]?: ValueOf<O['type']> };
export type OptionValue = string | boolean | number | readonly string[];

/** A raw value and the place that a message about it names: `--out`, `PROOFLOAD_OUT`, `proofload.yaml:3 out`. */
export interface Sourced {
  readonly raw: unknown;
  readonly source: string;
}

export type RawOptions = ReadonlyMap<OptionName, Sourced>;

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  '1': true,
  false: false,
  no: false,
  off: false,
  '0': false,
};

/** Throws UsageError naming the source and what it accepts. */
export function parseValue(spec: OptionSpec, { raw, source }: Sourced): OptionValue {
  if (spec.type === 'strings') return parseStrings(raw, source);
  if (spec.type === 'lines') return parseLines(raw, source);
  if (Array.isArray(raw)) throw new UsageError(`${source} is given more than once; it takes one value`);
  if (typeof raw !== 'string' && typeof raw !== 'number' && typeof raw !== 'boolean') {
    throw new UsageError(`${source} needs ${wanted(spec)}`);
  }
  const text = String(raw).trim();
  if (text === '') throw new UsageError(`${source} needs ${wanted(spec)}`);
  switch (spec.type) {
    case 'boolean': {
      const value = booleans[text.toLowerCase()];
      if (value === undefined) throw new UsageError(`${source} takes true or false, not '${text}'`);
      return value;
    }
    case 'count':
      if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${source} takes a whole number from 0 up, not '${text}'`);
      return Number(text);
    case 'choice': {
      const choices = spec.choices ?? [];
      if (choices.includes(text)) return text;
      const hint = suggestion(text, choices);
      throw new UsageError(`${source} takes ${choices.join(', ')}; not '${text}'${hint}`);
    }
    case 'url':
      return parseUrl(text, source);
    case 'string':
      return text;
  }
}

function wanted(spec: OptionSpec): string {
  if (spec.type === 'count') return 'a whole number';
  if (spec.type === 'boolean') return 'true or false';
  return spec.type === 'url' ? 'an http or https URL' : 'a value';
}

function parseStrings(raw: unknown, source: string): readonly string[] {
  const given: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  const parts = given.flatMap((one) =>
    typeof one === 'string' || typeof one === 'number' ? splitOutsideBraces(String(one)) : [''],
  );
  const values = parts.map((part) => part.trim());
  if (values.length === 0 || values.includes(''))
    throw new UsageError(`${source} needs a value, or several with commas`);
  return values;
}

/** Values that may hold commas: one each time the flag is given, one a line in a variable. */
function parseLines(raw: unknown, source: string): readonly string[] {
  const given: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  const lines = given.flatMap((one) => String(one).split('\n'));
  const values = lines.map((line) => line.trim()).filter((line) => line !== '');
  if (values.length === 0) throw new UsageError(`${source} needs a value`);
  return values;
}

/** Splits at commas, but not within `{a,b}`, which a glob may hold. */
function splitOutsideBraces(text: string): string[] {
  return text.split(/,(?![^{}]*\})/);
}

/** Base addresses without the part that we add; never echoes a URL that carries a password. */
function parseUrl(text: string, source: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UsageError(`${source} is not a URL; it takes one such as https://api.example.com`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UsageError(`${source} takes an http or https URL, not ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`${source} must not carry a user or password; keys come from PROOFLOAD_ACCESS_KEY`);
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError(`${source} takes a base address, without '?' and '#'`);
  }
  const path = url.pathname.replace(/\/+$/, '');
  const ours = /\/v1$|\/api\/v1\/sl$/.exec(path)?.[0];
  if (ours !== undefined) throw new UsageError(`${source} ends in ${ours}, which proofload adds itself; leave it off`);
  return `${url.origin}${path}`;
}
