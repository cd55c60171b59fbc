/**
 * Every gap of the specification is a setting of the reference, and this is the table of them: name, what it takes,
 * default, meaning, and what it fills. Command line, YAML file, messages and docs/reference.md are made from it.
 */
import { pathOf, plainGroups } from '../options.ts';
import { limitRows, windowRows } from './limit-rows.ts';
import type { Row } from './row.ts';

const { access, refusals, inference, jobs } = plainGroups;

export interface Setting extends Row {
  /** Dotted, such as `ttl.max` or `limits.run.rate`. */
  readonly name: string;
  /** Where the options hold it: `['limits', 'run.rate']`. */
  readonly path: ReturnType<typeof pathOf>;
  readonly group: string;
  /** As a person would write it. */
  readonly defaultText: string;
}

const groups: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  'Keys, instances, models': access,
  'How limits are counted and refusals look': refusals,
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

/** Gaps that no setting fills, each with the reason. A gap that is in neither list fails a test. */
export const gapsWithoutSetting: Readonly<Record<string, string>> = {
  'gap.error-body': 'clients of each interface read one shape only; another one would be of use to nobody',
  'gap.inference-error-body': 'clients of each interface read one shape only; another one would be of use to nobody',
  'gap.message-roles': 'all roles of the convention are taken; to refuse one would be of use to nobody',
  'gap.methods': 'a method that is not documented is refused; to serve one would be of use to nobody',
  'gap.run-response': 'it holds what clients read, and none of them reads more',
  'gap.status-response': 'it holds what clients read, and none of them reads more',
  'gap.cancel-response': 'it holds what clients read, and none of them reads more',
  'gap.purge-queue-response': 'it holds what clients read, and none of them reads more',
  'gap.requests-order': 'the newest come first, as everywhere where a list comes in pages',
  'gap.requests-members': 'all known jobs are listed, since whoever looks wants to find a lost one',
  'gap.limit-scope': 'an endpoint counts for itself and interface A by address, which is how the limits are written',
  'gap.queue-counts-new': 'the new job is not counted, which is what a client sees that reads the length first',
  'gap.queue-order': 'first come, first served; a job of low priority waits for the others',
  'gap.cancel-availability': 'whatever has ended is kept as long as the documented time for its submission',
  'gap.requests-availability': 'a list holds what status can still be asked for, and no more',
  'gap.events': 'who is notified of what is a matter of an account, and the reference has none',
  'gap.webhooks': 'a field for an address is taken and not read: the reference sends no requests',
  'gap.status-payload': 'operations that submit nothing read any body to its end and ignore it',
  'gap.cancel-payload': 'operations that submit nothing read any body to its end and ignore it',
  'gap.purge-queue-payload': 'operations that submit nothing read any body to its end and ignore it',
  'gap.requests-payload': 'operations that submit nothing read any body to its end and ignore it',
  'gap.purge-queue-concurrency': 'its rate limit leaves no room for a limit of its own',
  'gap.version-policy': 'the reference is one version; how versions follow each other is no behaviour of a service',
  'gap.version-deprecation':
    'the reference is one version; how versions follow each other is no behaviour of a service',
  'gap.version-compatibility':
    'the reference is one version; how versions follow each other is no behaviour of a service',
};
