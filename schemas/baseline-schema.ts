/**
 * The JSON Schema (2020-12) of a baseline file. Its objects are closed, unlike those of results.json: people write this
 * file by hand, and a misspelt `expires` that is silently ignored would suppress a failure for ever.
 */
import { BASELINE_VERSION, expectable } from './baseline.ts';

const day = { type: 'string', format: 'date' } as const;
const text = { type: 'string', pattern: '\\S' } as const;

export const baselineSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'a baseline file of proofload',
  type: 'object',
  properties: {
    version: { const: BASELINE_VERSION },
    entries: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          check: { type: 'string', pattern: '^[a-z0-9]+(?:[.-][a-z0-9]+)*$' },
          target: text,
          expect: { enum: expectable },
          reason: text,
          ticket: { type: ['string', 'integer'], pattern: '\\S' },
          expires: day,
          flaky: { type: 'boolean' },
          firstSeen: day,
          lastSeen: day,
        },
        required: ['check', 'target', 'expect', 'reason'],
        additionalProperties: false,
        if: { type: 'object', properties: { flaky: { const: true } }, required: ['flaky'] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { required: ['expires'] },
      },
    },
  },
  required: ['version', 'entries'],
  additionalProperties: false,
} as const;
