/** schemas/openapi.json is current, clean to a linter, and holds every operation, limit and clause. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { clauseById, clauses } from '../clauses/index.ts';
import { limits } from '../limits.ts';
import { operations } from '../operations.ts';
import { openApiDocument } from './document.ts';
import { jsonText } from './text.ts';

const path = fileURLToPath(new URL('../openapi.json', import.meta.url));
const text = jsonText(openApiDocument());

test('the file is what the tables make', async () => {
  // What `npm run docs` does is to let this assertion write the file.
  await expect(text, 'schemas/openapi.json is behind the tables; write it again: npm run docs').toMatchFileSnapshot(
    path,
  );
});

test('it is shipped with the package', () => {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(manifest)).toMatchObject({ files: expect.arrayContaining(['schemas/openapi.json']) as unknown });
});

async function complaints(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: path, config });
  return problems.map(({ ruleId, severity, message, location }) =>
    [severity, ruleId, location[0]?.pointer ?? '', message].join(' '),
  );
}

test('a linter finds nothing, not even to warn of', async () => {
  expect(await complaints(text)).toEqual([]);
});

test('the linter does run', async () => {
  const broken = JSON.parse(text) as { paths: Record<string, unknown>; info: unknown };
  const found = await complaints(
    JSON.stringify({ ...broken, info: {}, paths: { ...broken.paths, '/x': { get: {} } } }),
  );
  expect(found.some((one) => one.startsWith('error struct #/info'))).toBe(true);
  expect(found.some((one) => one.includes('operation-operationId'))).toBe(true);
});

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly description?: string }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}
const document: Document = JSON.parse(text);

test.each(operations)('$id stands there with each of its methods', (one) => {
  const item = document.paths[one.path];
  const methods = Object.keys(item ?? {}).filter((key) => key !== 'servers');
  expect(methods).toEqual(one.methods.map((method) => method.toLowerCase()));
});

test('every clause of an operation is named there, with its words', () => {
  for (const { id, text: words, operations: own = [] } of clauses) {
    for (const one of operations.filter((known) => own.includes(known.id))) {
      const [method = ''] = one.methods;
      expect(document.paths[one.path]?.[method.toLowerCase()]?.description).toContain(`${words} (\`${id}\`)`);
    }
  }
});

test('every limit stands at its operations, and the rule of the queue at its status', () => {
  for (const limit of limits) {
    for (const one of operations.filter(({ id }) => limit.operations.includes(id))) {
      const { budget: _budget, ...row } = limit;
      const operation = document.paths[one.path]?.[one.methods[0]?.toLowerCase() ?? ''];
      expect(operation).toMatchObject({ 'x-proofload-limits': expect.arrayContaining([row]) as unknown });
      if (limit.kind !== 'queue') continue;
      const refusal = { 'x-proofload-level': 'documented', description: expect.stringContaining(limit.id) as string };
      expect(operation).toMatchObject({ responses: { [limit.status]: refusal } });
    }
  }
});

test('every name in backticks is a clause', () => {
  const named = [...text.matchAll(/\(`([a-z0-9.-]+)`\)/g)].map(([, id = '']) => id);
  expect(named.length).toBeGreaterThan(clauses.length);
  expect(named.filter((id) => clauseById(id) === undefined)).toEqual([]);
});

test('its schemas are the ones that answers are held against', () => {
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema({ $id: 'openapi', components: document.components });
  const valid = (name: string, value: unknown) => ajv.validate({ $ref: `openapi#/components/schemas/${name}` }, value);
  expect(valid('Run', { id: 'j', status: 'IN_QUEUE' })).toBe(true);
  expect(valid('Run', { id: 'j' })).toBe(false);
  expect(valid('JobsError', { error: 'no' })).toBe(true);
  expect(valid('ChatRequest', { model: 'a/b', messages: [] })).toBe(false);
});

test('a list of plain values stands in one line where it has room', () => {
  const wide = Array.from({ length: 20 }, (_, index) => `value-${index}`);
  const lines = jsonText({ a: [1, 2], wide, none: [], empty: {}, gone: undefined, list: [{ b: null }] }).split('\n');
  expect(lines.slice(0, 4)).toEqual(['{', '  "a": [1, 2],', '  "wide": [', '    "value-0",']);
  expect(lines.slice(-9)).toEqual([
    '  "none": [],',
    '  "empty": {},',
    '  "list": [',
    '    {',
    '      "b": null',
    '    }',
    '  ]',
    '}',
    '',
  ]);
});
