import { expect, test } from 'vitest';
import { chatBody, completionBody } from '../schemas/requests/inference.ts';
import { lazyValidator, newAjv } from './ajv.ts';
import { settingsSchema } from './settings/apply.ts';

test.for([
  ['chat', chatBody],
  ['completions', completionBody],
  ['the settings', settingsSchema],
] as const)('the schema of %s, which is compiled without being checked, is one', ([, schema]) => {
  const ajv = newAjv({ strict: false, $data: true });
  expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
});

test('a validator is compiled once, and judges', () => {
  const validator = lazyValidator<number>({ type: 'integer', minimum: 3 }, {});
  expect(validator()).toBe(validator());
  expect([validator()(3), validator()(2), validator()('3')]).toEqual([true, false, false]);
});
