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

/** What was set, by option; an unset option is absent. */
export type OptionValues = { readonly [O in (typeof options)[number] as O['name']]?: ValueOf<O['type']> };
export type OptionValue = string | boolean | number | readonly string[];

/** A raw value and the place that a message about it names: `--out`, `PROOFLOAD_OUT`, `proofload.yaml:3 out`. */
export interface Sourced {
  readonly raw: unknown;
  readonly source: string;
}

export type RawOptions = ReadonlyMap<OptionName, Sourced>;

const YES = ['true', 'yes', 'on', '1'];
const NO = ['false', 'no', 'off', '0'];

/** A description of the values of an option, and the value of a text; undefined for a wrong one. */
interface Reading {
  readonly takes: string;
  readonly read: (text: string, source: string) => OptionValue | undefined;
}

function readingOf({ type, choices = [] }: OptionSpec): Reading {
  switch (type) {
    case 'boolean':
      return { takes: 'true or false', read: switched };
    case 'count':
      return {
        takes: 'a whole number from 0 up',
        read: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
      };
    case 'choice':
      return { takes: choices.join(', '), read: (text) => choices.find((one) => one === text) };
    case 'url':
      return { takes: 'an http or https URL', read: baseAddress };
    case 'strings':
      // Commas within `{a,b}`, which a glob may hold, separate nothing.
      return { takes: 'a value, or several with commas', read: (text) => several(text.split(/,(?![^{}]*\})/)) };
    case 'lines':
      return { takes: 'a value', read: (text) => several(text.trim().split(/\s*\n\s*/)) };
    case 'string':
      return { takes: 'a value', read: (text) => text };
  }
}

function switched(text: string): boolean | undefined {
  const isYes = YES.includes(text.toLowerCase());
  return isYes || NO.includes(text.toLowerCase()) ? isYes : undefined;
}

function several(texts: readonly string[]): readonly string[] | undefined {
  const values = texts.map((text) => text.trim());
  return values.includes('') ? undefined : values;
}

/** Throws UsageError naming the source and what it accepts. */
export function parseValue(spec: OptionSpec, { raw, source }: Sourced): OptionValue {
  const { takes, read } = readingOf(spec);
  const takesSeveral = spec.type === 'strings' || spec.type === 'lines';
  if (Array.isArray(raw) && takesSeveral && raw.length > 0) {
    return raw.flatMap((one) => parseValue(spec, { raw: one, source }) as readonly string[]);
  }
  if (Array.isArray(raw) && !takesSeveral)
    throw new UsageError(`${source} is given more than once; it takes one value`);
  const isOne = typeof raw === 'string' || typeof raw === 'number' || (typeof raw === 'boolean' && !takesSeveral);
  const text = isOne ? String(raw).trim() : '';
  const value = text === '' ? undefined : read(text, source);
  if (value !== undefined) return value;
  if (text === '' || takesSeveral) throw new UsageError(`${source} needs ${takes}`);
  throw new UsageError(
    `${source} takes ${takes}${spec.choices ? ';' : ','} not '${text}'${suggestion(text, spec.choices ?? [])}`,
  );
}

/** Base addresses without the part that we add; never echoes a URL, which may carry a password. */
function baseAddress(text: string, source: string): string {
  const refuse = (why: string): never => {
    throw new UsageError(`${source} ${why}`);
  };
  if (!URL.canParse(text)) return refuse('is not a URL; it takes one such as https://api.example.com');
  const { protocol, username, password, search, hash, origin, pathname } = new URL(text);
  if (!/^https?:$/.test(protocol)) return refuse(`takes an http or https URL, not ${protocol}`);
  if (username || password) return refuse('must not carry a user or password; keys come from PROOFLOAD_ACCESS_KEY');
  if (search || hash) return refuse("takes a base address, without '?' and '#'");
  const path = pathname.replace(/\/+$/, '');
  const ours = /\/v1$|\/api\/v1\/sl$/.exec(path)?.[0];
  if (ours) return refuse(`ends in ${ours}, which proofload adds itself; leave it off`);
  return `${origin}${path}`;
}
