/**
 * Every decision the specification leaves open, and every fault-free variation, as one typed struct of named settings.
 * What each is called, takes, is by default and decides stands in its row of settings/; command line, YAML file and
 * docs/reference.md are made from the rows too. The defaults are what real clients of this family of services expect.
 */
import { type Rules, specRules } from './rules.ts';
import { access } from './settings/access.ts';
import { inference } from './settings/inference.ts';
import { jobs, type WaitRange } from './settings/jobs.ts';
import { refusals } from './settings/refusals.ts';
import type { Row } from './settings/row.ts';

/** All but those of the limits table, by group. */
export const plainGroups = { access, refusals, inference, jobs };
const rows = { ...access, ...refusals, ...inference, ...jobs };

type Rows = typeof rows;
type Value<R> = R extends Row<infer T> ? T : never;
type Plain = { readonly [N in keyof Rows as N extends `${string}.${string}` ? never : N]: Value<Rows[N]> };

/** A name with a dot is a part of an option: `ttl.max` is `max` of `ttl`. */
type Parts = {
  readonly [N in keyof Rows as N extends `${infer O}.${string}` ? O : never]: N extends `${infer O}.${string}`
    ? { readonly [P in keyof Rows as P extends `${O}.${infer Part}` ? Part : never]: Value<Rows[P]> }
    : never;
};

export interface ReferenceOptions extends Plain, Parts {
  /** Another value for a limit of the table, by its id; `off` never refuses (for a retention: keeps for ever). */
  readonly limits: Readonly<Record<string, number | 'off'>>;
  /** Another window for a rate limit of the table, by its id, milliseconds. */
  readonly windows: Readonly<Record<string, number>>;
  /** The decisions themselves; a mutant replaces one of them. */
  readonly rules: Rules;
}

export type SettingPath = readonly [option: string, key?: string];

/** Where options hold a setting: the name's first part is the option; the rest is one key in it, dots and all. */
export function pathOf(name: string): SettingPath {
  const dot = name.indexOf('.');
  return dot === -1 ? [name] : [name.slice(0, dot), name.slice(dot + 1)];
}

/** Puts a value there. */
export function put(options: Record<string, unknown>, [option, key]: SettingPath, value: unknown): void {
  const inner = options[option];
  options[option] = key === undefined ? value : { ...(typeof inner === 'object' ? inner : {}), [key]: value };
}

/** The settings of the embedded reference. Keys come from the environment where it has them. */
export function defaultOptions(environment: NodeJS.ProcessEnv = process.env): ReferenceOptions {
  const options: Record<string, unknown> = { limits: {}, windows: {}, rules: specRules };
  for (const [name, { byDefault, variable = '' }] of Object.entries<Row>(rows)) {
    const key = environment[variable];
    put(options, pathOf(name), key ? [key] : byDefault);
  }
  // The type is made of the very rows that were just put there; a copy made at once is quicker to read.
  return { ...options } as unknown as ReferenceOptions;
}

/** A number within a range; its default where none, or none that is a number, was given. */
export function within(range: WaitRange, requested: unknown): number {
  const value = typeof requested === 'string' && requested.trim() !== '' ? Number(requested) : requested;
  if (typeof value !== 'number' || !Number.isFinite(value)) return range.default;
  return Math.min(range.max, Math.max(range.min, value));
}
