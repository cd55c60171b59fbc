/**
 * A value that fits a JSON Schema, for `response_format` and tool arguments: clients parse it with the schema they
 * sent. The same for the same schema.
 */
import { createContext, Script } from 'node:vm';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { generateSync } from 'json-schema-faker';
import { newAjv } from '../../ajv.ts';
import { invalidField } from '../../errors.ts';

// Schemas that clients send: whether they are any, and whether a value fits one. The judging is ajv's.

let made: Ajv2020 | undefined;

function ajv(): Ajv2020 {
  made ??= newAjv({ strict: false, logger: false });
  return made;
}

type Schema = Record<string, unknown>;

const isSchema = (schema: unknown): schema is Schema =>
  typeof schema === 'object' && schema !== null && !Array.isArray(schema);

/** What is wrong with a schema, null when nothing is. The dialect that it names is ignored. */
export function schemaFault(schema: unknown): string | null {
  if (typeof schema === 'boolean') return null;
  if (!isSchema(schema)) return 'must be a JSON Schema';
  const { $schema: _dialect, ...rest } = schema;
  if (ajv().validateSchema(rest)) return null;
  const [fault] = ajv().errors ?? [];
  return `must be a JSON Schema: ${fault?.instancePath ?? ''} ${fault?.message ?? 'is not valid'}`;
}

/** Whether values fit, with one compilation of the schema; none does where it can't be used. */
function fitting(schema: object): (value: unknown) => boolean {
  const { $schema: _dialect, ...rest }: { $schema?: unknown } = { ...schema };
  try {
    const validate = ajv().compile(rest);
    return (value) => {
      try {
        return validate(value);
      } catch {
        // ajv compares values by their own `toString`, where a schema has given them one that is no function.
        return false;
      }
    };
  } catch {
    return () => false;
  } finally {
    ajv().removeSchema(rest);
  }
}

// What a client's schema may cost. References that fan out, alternatives that fail late and regular expressions that
// backtrack make a few hundred bytes into hours of work, and nothing but a watchdog ends a regular expression.

const LONGEST_MS = 500;

/** Thrown where the work is too much. */
export class TooMuch extends Error {}

const watched = createContext({ work: (): void => undefined });
const script = new Script('work()');

/**
 * What the work returns; it must neither wait nor hold anything that a `finally` gives back, and may be done again.
 * @throws TooMuch when it fails, too long a time and too deep a recursion included
 */
export function bounded(work: () => string): string {
  return within(LONGEST_MS, work);
}

/**
 * The watchdog goes by the clock: on a busy machine work that got less of the processor is repeated, with more time.
 */
function within(ms: number, work: () => string): string {
  let made: string | null = null;
  watched.work = () => {
    made = work();
  };
  const before = process.cpuUsage();
  try {
    script.runInContext(watched, { timeout: ms });
  } catch (error) {
    const { user, system } = process.cpuUsage(before);
    const late = error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    if (late && (user + system) / 1000 < LONGEST_MS / 2) return within(2 * ms, work);
    throw new TooMuch(error instanceof Error ? error.message : 'the work failed');
  }
  return made ?? '';
}

/**
 * What the generator doesn't build from (`not`, `if`, a length together with a pattern) is met by chance, or given up.
 */
const TRIES = 8;
const KEPT = 200;
/** Longer schemas and values are built each time, characters. */
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
    throw invalidField('No value can be built for a schema of the request: it is too large.', null, 'invalid_value');
  }
}

const known = new Map<string, string>();

/**
 * The value as JSON; kept for the most recent schemas, because clients send the same one repeatedly.
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
