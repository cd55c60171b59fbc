import { expect, test } from 'vitest';
import { stored } from './stored.ts';
import { sampleResults } from './testing/fixtures.ts';
import { schemaBreaks } from './validate.ts';

test('results of every kind keep their schema', () => {
  for (const kind of ['passing', 'failing', 'interrupted'] as const)
    expect(schemaBreaks(stored(sampleResults(kind)))).toEqual([]);
});

test('a break is reported with its place', () => {
  expect(schemaBreaks({ ...stored(sampleResults('passing')), exitCode: 9 })).toEqual([
    expect.stringMatching(/^\/exitCode: /),
  ]);
});

test('many breaks are reported once each, and not more than five', () => {
  const { checks, ...rest } = stored(sampleResults('passing'));
  const broken = { ...rest, checks: checks.map((one) => ({ ...one, verdict: 'green', id: 'NO ID' })) };
  expect(schemaBreaks(broken)).toHaveLength(5);
  expect(schemaBreaks(null)).toEqual(['/: must be object']);
});
