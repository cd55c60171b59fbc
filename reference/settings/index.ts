/**
 * Every gap of the specification is a setting of the reference, and this is the table of them: name, what it takes,
 * default, meaning, and what it fills. Command line, YAML file, messages and docs/reference.md are made from it.
 */
import { pathOf, plainGroups, type SettingPath } from '../options.ts';
import { limitRows, windowRows } from './limit-rows.ts';
import type { Row } from './row.ts';

const { access, refusals, inference, jobs } = plainGroups;

export interface Setting extends Row {
  /** Dotted, such as `ttl.max` or `limits.run.rate`. */
  readonly name: string;
  /** Where the options hold it: `['limits', 'run.rate']`. */
  readonly path: SettingPath;
  readonly group: string;
  /** As a person would write it. */
  readonly defaultText: string;
}

const groups: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  'Keys, instances, models': access,
  'How limits are counted, and the form of refusals': refusals,
  'The limits themselves': { ...limitRows, ...windowRows },
  'Speed and interface A': inference,
  Jobs: jobs,
};

/** The value that options have for a setting; undefined where they leave it to the limits table. */
export function valueAt(options: object, { path: [field, key] }: Pick<Setting, 'path'>): unknown {
  const value: unknown = Reflect.get(options, field);
  if (key === undefined) return value;
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function written(value: unknown): string {
  if (!Array.isArray(value)) return String(value);
  const entries = value.map((one: unknown) => {
    if (typeof one !== 'object' || one === null) return String(one);
    return `{${Object.entries(one)
      .map(([name, part]) => `${name}: ${part}`)
      .join(', ')}}`;
  });
  return `[${entries.join(', ')}]`;
}

function defaultText({ byDefault, defaultWords, variable }: Row): string {
  if (variable === undefined) return defaultWords ?? written(byDefault);
  return `${variable}, else ${[byDefault].flat().join(', ') || 'none'}`;
}

export const settings: readonly Setting[] = Object.entries(groups).flatMap(([group, rows]) =>
  Object.entries(rows).map(([name, row]) => ({
    ...row,
    name,
    path: pathOf(name),
    group,
    defaultText: defaultText(row),
  })),
);

const byName = new Map(settings.map((one) => [one.name, one]));

/** The setting of this name, or undefined. */
export function settingNamed(name: string): Setting | undefined {
  return byName.get(name);
}

/** Names of the settings that options always have a value for. */
export const plainNames: readonly string[] = Object.values(plainGroups).flatMap(Object.keys);
