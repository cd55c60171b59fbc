/** Every setting reaches its place and no other; what a setting doesn't take is refused with its name. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { limits } from '../../schemas/limits.ts';
import { concurrencyOf, queueLimitOf, rateLimiterFor, retentionOf } from '../limiters/effective.ts';
import { defaultOptions } from '../options.ts';
import { applySettings, SettingError, settingsSchema } from './apply.ts';
import { type Setting, settings, valueAt } from './index.ts';

const base = defaultOptions({});
const apply = (values: Readonly<Record<string, unknown>>) => applySettings(base, new Map(Object.entries(values)));

/** Some value that the setting takes and that isn't its default. */
function another({ name, takes, path }: Setting): unknown {
  const before = valueAt(base, { path });
  if (takes.choices) return takes.choices.find((one) => one !== before);
  if (typeof before === 'boolean') return !before;
  if (name === 'instances') return [{ instId: 'other', workersMax: 5 }];
  if (name === 'models') return [{ ...base.models[0], id: 'other/model' }];
  if (Array.isArray(before)) return ['another-key'];
  if (name === 'jitter') return 0.25;
  return typeof before === 'number' ? before + 1 : 17;
}

test('the defaults are taken as they are, and are what their own settings take', () => {
  expect(apply({})).toEqual(base);
  expect(apply({ jitter: base.jitter })).toEqual(base);
});

test('the schema is a schema', () => {
  const ajv = new Ajv2020({ $data: true });
  expect(ajv.validateSchema(settingsSchema), ajv.errorsText()).toBe(true);
});

test.each(settings)('$name reaches its place, and nothing else changes', (setting) => {
  const value = another(setting);
  const changed = apply({ [setting.name]: value });
  expect(valueAt(changed, setting)).toEqual(value);
  for (const other of settings) {
    if (other !== setting) expect(valueAt(changed, other), other.name).toEqual(valueAt(base, other));
  }
  expect(base).toEqual(defaultOptions({}));
  expect(changed.rules).toBe(base.rules);
});

test.each(settings)('$name refuses what it does not take', (setting) => {
  for (const value of [{}, 'certainly not', Number.NaN, -1, [7]]) {
    let error: unknown;
    try {
      apply({ [setting.name]: value });
    } catch (reason) {
      error = reason;
    }
    expect(error).toBeInstanceOf(SettingError);
    expect(error).toMatchObject({ setting: setting.name });
    expect(error instanceof Error && error.message).toMatch(/^takes /);
  }
});

test('a switched-off limit is switched off in the service', () => {
  const options = apply(Object.fromEntries(limits.map(({ id }) => [`limits.${id}`, 'off'])));
  expect(concurrencyOf(options, 'run')).toBe(Number.POSITIVE_INFINITY);
  expect(retentionOf(options, 'run')).toBe(Number.POSITIVE_INFINITY);
  expect(queueLimitOf(options, 'run')).toBeNull();
  const limiter = rateLimiterFor(options, 'purge-queue', 'purge-queue');
  for (let n = 0; n < 20; n += 1) expect(limiter.take(0).admitted).toBe(true);
});

test('bounds and default agree, whichever of them is given', () => {
  expect(apply({ 'ttl.default': 20_000, 'ttl.max': 20_000 }).ttl).toMatchObject({ default: 20_000, max: 20_000 });
  for (const [field, given] of [
    ['ttl', { 'ttl.max': 20_000 }],
    ['streamWait', { 'streamWait.min': 60_000 }],
    ['requestsPage', { 'requestsPage.max': 10 }],
  ] as const) {
    expect(() => apply(given)).toThrow(`leaves ${field}.default outside`);
  }
  expect(() => apply({ 'ttl.max': 20_000, 'ttl.default': 30_000 })).toThrow('takes a whole number, from ttl.min');
});

test('a model needs its id only, a key no list', () => {
  expect(apply({ models: [{ id: 'mine/small', contextLength: 9 }] }).models).toEqual([
    { ...base.models[0], id: 'mine/small', ownedBy: 'mine', name: 'small', description: 'small', contextLength: 9 },
  ]);
  expect(apply({ models: [] }).models).toEqual([]);
  expect(apply({ accessKeys: 'one' }).accessKeys).toEqual(['one']);
});

test.each([
  [{ models: [{ id: 'no-owner' }] }, 'takes a list of {id'],
  [{ models: [{ id: 'a/b' }, { id: 'a/b' }] }, "names 'a/b' twice"],
  [{ models: ['a/b'] }, 'takes a list'],
  [{ instances: [{ instId: 'a/b', workersMax: 1 }] }, 'takes a list of {instId, workersMax}'],
  [{ instances: [{ instId: 'a', workersMax: 1, more: 1 }] }, 'takes a list of {instId, workersMax}'],
  [{ instances: [] }, 'takes a list'],
  [{ nothing: 1 }, 'is no setting'],
  [{ limits: {} }, 'is no setting'],
  [{ ttl: {} }, 'is no setting'],
  [{ rules: {} }, 'is no setting'],
])('%j is refused: %s', (given, why) => {
  expect(() => apply(given)).toThrow(why);
});

test('a key is never repeated', () => {
  expect(() => apply({ accessKeys: ['with space sk-1'] })).not.toThrow('sk-1');
  expect(() => apply({ accessKeys: ['with space sk-1'] })).toThrow('takes a list of keys');
});

test('the schema knows all settings and needs all but the limits', () => {
  expect(Object.keys(settingsSchema.properties)).toEqual(settings.map(({ name }) => name));
  expect(settingsSchema.required.some((name) => /^(limits|windows)\./.test(name))).toBe(false);
});
