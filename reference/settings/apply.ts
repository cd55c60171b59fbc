/**
 * Settings given by name -> options that hold them. One JSON Schema, built from the table, judges all settings
 * together, so that bounds that depend on each other are seen too.
 */
import type { ErrorObject } from 'ajv/dist/2020.js';
import { lazyValidator } from '../ajv.ts';
import { put, type ReferenceOptions } from '../options.ts';
import { plainNames, type Setting, settingNamed, settings, valueAt } from './index.ts';

/** What is wrong with one setting that was given. The message starts after the setting's name. */
export class SettingError extends Error {
  readonly setting: string;
  /** What the value could have been meant to be, where the setting is a choice. */
  readonly choices: readonly string[];
  constructor(setting: string, message: string, choices: readonly string[] = []) {
    super(message);
    this.setting = setting;
    this.choices = choices;
  }
}

/** All settings in one flat object, by their dotted names. */
export const settingsSchema = {
  type: 'object',
  properties: Object.fromEntries(settings.map(({ name, takes }) => [name, takes.schema])),
  required: plainNames,
  additionalProperties: false,
} as const;

const validator = lazyValidator(settingsSchema, { strictTypes: false, $data: true, allErrors: true });

function flat(options: object): Record<string, unknown> {
  return Object.fromEntries(
    settings.map((one) => [one.name, valueAt(options, one)] as const).filter(([, value]) => value !== undefined),
  );
}

/** What the schema says about the options; the rules aren't settings and come from `base` as they are. */
function isComplete(options: object): options is ReferenceOptions {
  return 'rules' in options && validator()(flat(options));
}

/**
 * `base` with these values. Throws SettingError on a name that isn't in the table and on a value that its setting
 * doesn't take.
 */
export function applySettings(base: ReferenceOptions, given: ReadonlyMap<string, unknown>): ReferenceOptions {
  if (given.size === 0) return base;
  const options: Record<string, unknown> = { ...base };
  for (const [name, value] of given) {
    const setting = settingNamed(name);
    if (!setting) throw new SettingError(name, 'is no setting');
    put(options, setting.path, setting.read ? setting.read(value) : value);
  }
  if (!isComplete(options)) throw fault(options, given, validator().errors ?? []);
  requireDistinct(options);
  return options;
}

/** Two instances of one name would hide each other. */
function requireDistinct({ instances, models }: ReferenceOptions): void {
  for (const [name, ids] of [
    ['instances', instances.map(({ instId }) => instId)],
    ['models', models.map(({ id }) => id)],
  ] as const) {
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    if (twice !== undefined) throw new SettingError(name, `names '${twice}' twice`);
  }
}

/** The setting that an error is about: its path begins with the name, in which `~` and `/` don't occur. */
const nameOf = ({ instancePath }: ErrorObject): string => instancePath.split('/')[1] ?? '';

function fault(options: object, given: ReadonlyMap<string, unknown>, errors: readonly ErrorObject[]): SettingError {
  const names = errors.map(nameOf);
  const own = [...given.keys()].find((name) => names.includes(name));
  const setting = settingNamed(own ?? names[0] ?? '');
  if (!setting) return new SettingError(names[0] ?? '', errors[0]?.message ?? 'is wrong');
  if (own === undefined) return left(options, setting, given);
  const { takes, secret } = setting;
  const value = secret ? '' : `; not ${shown(given.get(own))}`;
  return new SettingError(own, `takes ${takes.words}${value}`, (takes.choices ?? []).map(String));
}

/** A new bound that excludes the default, which was not given explicitly. */
function left(options: object, setting: Setting, given: ReadonlyMap<string, unknown>): SettingError {
  const [field] = setting.path;
  const cause = [...given.keys()].find((name) => name.startsWith(`${field}.`)) ?? setting.name;
  const value = shown(valueAt(options, setting));
  return new SettingError(cause, `leaves ${setting.name} outside, which is ${value}; set ${setting.name} too`);
}

const LONGEST_VALUE = 60;

function shown(value: unknown): string {
  const text = typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? String(value));
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
