/**
 * Holds our own files against their schemas. A break in results.json is a fault of ours, not of the target; it is reported as
 * one, and the file is written nevertheless, because a broken report is still evidence.
 */
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { historyLineSchema } from '../schemas/history.ts';
import { resultsSchema } from '../schemas/results.ts';
import { samplesSchema } from '../schemas/samples.ts';

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const validResults = ajv.compile(resultsSchema);
const validLine = ajv.compile(historyLineSchema);
const validSamples = ajv.compile(samplesSchema);

const MOST_ERRORS = 5;

function breaks(validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  const errors = (validate.errors ?? []).map((error) => `${error.instancePath || '/'}: ${error.message ?? 'is wrong'}`);
  return [...new Set(errors)].slice(0, MOST_ERRORS);
}

/** What breaks the schema of results.json, each as `path: why`, at most five; empty when nothing does. */
export const schemaBreaks = (results: unknown): string[] => breaks(validResults, results);

/** The same for a line of the history file. */
export const historyBreaks = (line: unknown): string[] => breaks(validLine, line);

/** The same for the samples of a run. */
export const samplesBreaks = (samples: unknown): string[] => breaks(validSamples, samples);
