/**
 * The JSON Schema (2020-12) of a line of the history file. Its objects are open, as those of results.json are: the file
 * outlives the versions of proofload that append to it.
 */
import { changeKinds, HISTORY_VERSION, notableVerdicts } from './history.ts';
import { percentiles } from './results-schema-latency.ts';
import {
  asked,
  count,
  counts,
  flag,
  id,
  instant,
  limitMeasured,
  nullableText,
  outcome,
  profile,
  target,
  text,
} from './results-schema-parts.ts';
import { list, object } from './schema-words.ts';
import { verdicts } from './verdicts.ts';

const latency = object({ operation: text, requests: count, latency: percentiles });
const historyLimit = object(limitMeasured, ['algorithm']);
const notable = { enum: notableVerdicts } as const;

const pastRun = {
  run: object({
    id: text,
    startedAt: instant,
    durationMs: { type: 'number', minimum: 0 },
    suiteVersion: text,
    k6Version: nullableText,
    nodeVersion: text,
  }),
  ...outcome,
  counts,
  checks: { type: 'object', propertyNames: id, additionalProperties: notable },
  known: list(id),
  limits: list(historyLimit),
  latency: list(latency),
  firstToken: list(latency),
} as const;

export const historyLineSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'a line of the history file of proofload',
  ...object({
    schemaVersion: { const: HISTORY_VERSION },
    ...pastRun,
    parameters: object({ profile, target, asked: { oneOf: [{ type: 'null' }, asked] } }),
  }),
} as const;

const standing = { enum: [...verdicts, 'fine', 'absent'] } as const;

/** In results.json. */
export const historyReport = object(
  {
    file: text,
    problem: text,
    unreadable: count,
    runs: list(object(pastRun)),
    earlier: count,
    leftOut: list(object({ why: text, runs: count })),
    since: object(
      {
        run: object({ id: text, startedAt: instant, suiteVersion: text }),
        checks: list(
          object({ id, kind: { enum: changeKinds }, before: standing, now: standing, known: flag }, ['known']),
        ),
        limits: list(object({ id, before: historyLimit, now: historyLimit })),
        looked: object({ before: count, now: count }),
      },
      ['looked'],
    ),
  },
  ['problem', 'since'],
);
