/**
 * Holds results.json against its own schema. A break there is a fault of ours, not of the target; it is reported as
 * one, and the file is written nevertheless, because a broken report is still evidence.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { resultsSchema } from '../schemas/results-schema.ts';

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const validate = ajv.compile(resultsSchema);

const MOST_ERRORS = 5;

/** What breaks the schema, each as `path: why`, at most five; empty when nothing does. */
export function schemaBreaks(results: unknown): string[] {
  if (validate(results)) return [];
  const errors = (validate.errors ?? []).map((error) => `${error.instancePath || '/'}: ${error.message ?? 'is wrong'}`);
  return [...new Set(errors)].slice(0, MOST_ERRORS);
}
