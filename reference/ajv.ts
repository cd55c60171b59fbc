/**
 * ajv is loaded, and our schemas are compiled, on the first request that needs them: both take longer than starting the
 * whole service, and many clients only ever submit jobs.
 */
import { createRequire } from 'node:module';
import type { Ajv2020, Options, ValidateFunction } from 'ajv/dist/2020.js';

const load = createRequire(import.meta.url);

/** Of JSON Schema 2020-12, with its formats. */
export function newAjv(options: Options): Ajv2020 {
  const ajv: typeof import('ajv/dist/2020.js') = load('ajv/dist/2020.js');
  const formats: typeof import('ajv-formats') = load('ajv-formats');
  const one = new ajv.Ajv2020(options);
  formats.default(one);
  return one;
}

/** How to get at the compiled form of one of our own schemas, which tests hold against the meta-schema. */
export function lazyValidator<T>(schema: object, options: Options): () => ValidateFunction<T> {
  let compiled: ValidateFunction<T> | undefined;
  return () => {
    compiled ??= newAjv({ ...options, meta: false, validateSchema: false }).compile<T>(schema);
    return compiled;
  };
}
