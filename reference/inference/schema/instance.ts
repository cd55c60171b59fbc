/**
 * A value that fits a JSON Schema, for `response_format` and tool arguments: clients parse it with the schema they
 * sent. The same for the same schema.
 */
import { generateSync } from 'json-schema-faker';
import { invalid } from '../request/check.ts';
import { bounded, TooMuch } from './bounded.ts';
import { fitting, isSchema, type Schema } from './valid.ts';

/** What the generator doesn't build from (`not`, `if`, a length beside a pattern) is met by chance, or given up. */
const TRIES = 8;
const KEPT = 200;
/** Longer schemas and values are built anew each time, characters. */
const LONGEST_KEPT = 50_000;

/** Null where the schema says nothing usable. */
export function instanceOf(schema: unknown): unknown {
  if (!isSchema(schema)) return null;
  const fits = fitting(schema);
  const made: unknown[] = [];
  for (let seed = 1; seed <= TRIES; seed += 1) {
    const value = generated(schema, seed);
    if (fits(value)) return value;
    made.push(value);
  }
  return made[0] ?? null;
}

/** With all its optional properties at first, then without: a schema may allow only some of them together. */
function generated(schema: Schema, seed: number): unknown {
  try {
    return generateSync(schema, { seed, alwaysFakeOptionals: seed % 2 === 1, optionalsProbability: 0, refDepthMax: 3 });
  } catch {
    return undefined;
  }
}

/** @throws Refusal with 400 */
function builtText(schema: unknown): string {
  try {
    return bounded(() => JSON.stringify(instanceOf(schema)));
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    throw invalid('No value can be built for a schema of the request: it is too large.', null, 'invalid_value');
  }
}

const known = new Map<string, string>();

/**
 * The value as JSON; kept for the schemas asked for last, because clients send the same one again and again.
 * @throws Refusal with 400 for a schema that is too much work
 */
export function instanceText(schema: unknown): string {
  const key = JSON.stringify(schema) ?? '';
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const text = builtText(schema);
  if (key.length + text.length > LONGEST_KEPT) return text;
  if (known.size >= KEPT) known.clear();
  known.set(key, text);
  return text;
}
