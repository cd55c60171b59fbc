/** junit.xml against what the strictest reader takes. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { laterNight } from './history/testing/fixtures.ts';
import { renderJunit } from './junit.ts';
import { sampleResults } from './testing/fixtures.ts';
import { baselineResults } from './testing/fixtures-baseline.ts';

const schema = await readFile(join(import.meta.dirname, 'testing', 'junit.xsd'), 'utf8');
const breaks = async (xml: string): Promise<string[]> => {
  const { valid, errors } = await validateXML({ xml: [{ fileName: 'junit.xml', contents: xml }], schema: [schema] });
  return valid ? [] : errors.map(({ message }) => message);
};

const kinds = ['passing', 'failing', 'inconclusive', 'interrupted', 'hostile'] as const;
const files = [
  ...kinds.map((kind) => [kind, sampleResults(kind)] as const),
  ['later', laterNight()] as const,
  ['known', baselineResults('green')] as const,
  ['outdated', baselineResults('outdated')] as const,
];

test.each(files)('%s results are valid', async (_, results) => {
  expect(await breaks(renderJunit(results))).toEqual([]);
});

test.each([
  ['a failure in a suite', /<testcase [^>]*>/, '<failure message="m"/>$&'],
  ['a test without a class', / classname="[^"]*"/, ''],
  ['properties in a test', /(<testcase [^>]*)\/>/, '$1><properties/></testcase>'],
  ['a time that is no number', /time="[^"]*"/, 'time="long"'],
  ['text of a target that ends an element', /<\/failure>/, '</failure></testcase>'],
])('%s is not', async (_, found, put) => {
  const xml = renderJunit(sampleResults('failing'));
  expect(xml).toMatch(found);
  expect(await breaks(xml.replace(found, put))).not.toEqual([]);
});
