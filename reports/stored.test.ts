import { expect, test } from 'vitest';
import type { Results, StoredResults } from '../schemas/results.ts';
import { jsonText, restored, stored, upgraded } from './stored.ts';
import { exchange, sampleResults } from './testing/fixtures.ts';

function sharing(): Results {
  const results = sampleResults('failing');
  const [first, second, third, ...others] = results.checks;
  const [one, other] = [exchange({ status: 200 }), exchange({ status: 500 })];
  const having = (check: typeof first, exchanges: readonly (typeof one)[]) =>
    check ? [{ ...check, evidence: { exchanges } }] : [];
  return {
    ...results,
    checks: [...having(first, [one, other]), ...having(second, [one]), ...(third ? [third] : []), ...others],
  };
}

test('each exchange is stored once, and is back in every check that uses it', () => {
  const results = sharing();
  const file = stored(results);
  const texts = file.exchanges.map((one) => JSON.stringify(one));
  expect(new Set(texts).size).toBe(texts.length);
  expect(file.checks.slice(0, 2).map(({ evidence }) => evidence?.exchanges)).toEqual([[0, 1], [0]]);
  expect(restored(file)).toEqual(results);
});

test('the text is JSON with a line for each check, limit and exchange', () => {
  const file = stored(sharing());
  const text = jsonText(file);
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(file)));
  for (const one of [...file.checks, ...file.limits, ...file.exchanges]) {
    expect(text.split('\n').map((line) => line.replace(/,$/, ''))).toContain(JSON.stringify(one));
  }
});

test('results of version 1 are read, and what is no results stays what it is', () => {
  const results = sharing();
  expect(restored(upgraded({ ...results, schemaVersion: 1 }) as StoredResults)).toEqual(results);
  expect(upgraded({ schemaVersion: 1 })).toEqual({ schemaVersion: 1 });
});
