/**
 * The JSON Schema (2020-12) of `results.json`, for whoever reads the file and for ourselves before it is written.
 * Objects are open: a later version may add fields without breaking a reader, while removing or renaming one needs a
 * new `schemaVersion`.
 */
import { expectable } from './baseline.ts';
import { generatorSchema, healthSchema } from './generator.ts';
import { historyReport as history } from './history-schema.ts';
import { achieved, latency, streams } from './results-schema-latency.ts';
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
  verdict,
} from './results-schema-parts.ts';
import { list, object } from './schema-words.ts';
import { verdicts } from './verdicts.ts';

const day = { type: 'string', format: 'date' } as const;

const headers = { type: 'object', additionalProperties: text } as const;

const exchange = object(
  {
    method: text,
    url: text,
    requestHeaders: headers,
    requestBody: text,
    status: { type: 'integer', minimum: 0, maximum: 999 },
    responseHeaders: headers,
    responseBody: text,
    durationMs: { type: 'number', minimum: 0 },
    error: text,
  },
  ['requestBody', 'status', 'responseHeaders', 'responseBody', 'error'],
);

const check = object(
  {
    id,
    title: text,
    clauses: list(text),
    level: { enum: ['documented', 'convention', 'observed', 'goal'] },
    verdict,
    expected: text,
    observed: text,
    reason: text,
    missing: list(text),
    firstTime: text,
    reference: object({ verdict, observed: text, recorded: flag, differences: list(text) }, [
      'recorded',
      'differences',
    ]),
    leftBehind: list(text),
    known: object({ verdict: { enum: expectable }, reason: text, ticket: text, expires: day, flaky: flag }, [
      'ticket',
      'expires',
      'flaky',
    ]),
    evidence: object(
      {
        expectations: list(
          object({ what: text, expected: text, observed: text, holds: flag, schemaPath: text }, ['schemaPath']),
        ),
        /** Indices into the list `exchanges` of the file. */
        exchanges: list(count),
      },
      ['expectations', 'exchanges'],
    ),
  },
  ['reason', 'missing', 'firstTime', 'reference', 'leftBehind', 'known', 'evidence'],
);

const picture = {
  oneOf: [
    object(
      {
        kind: { const: 'arrivals' },
        binMs: { type: 'number', exclusiveMinimum: 0 },
        windowMs: { type: 'number', exclusiveMinimum: 0 },
        limit: count,
        admitted: list(count),
        refused: list(count),
        inWindow: list(count),
      },
      ['inWindow'],
    ),
    object({
      kind: { const: 'in-flight' },
      limit: count,
      steps: list(object({ atMs: { type: 'number' }, inFlight: count, refused: count })),
    }),
    object(
      {
        kind: { const: 'bytes' },
        accept: count,
        refuse: count,
        encoding: { enum: ['content-length', 'chunked'] },
        attempts: list(object({ bytes: count, accepted: { type: 'boolean' } })),
      },
      ['encoding'],
    ),
    object({
      kind: { const: 'queue' },
      instId: text,
      border: count,
      points: list(object({ queued: count, accepted: { type: 'boolean' } })),
    }),
    object({
      kind: { const: 'retention' },
      documentedMs: count,
      looks: list(object({ ageMs: count, gone: flag })),
    }),
  ],
} as const;

const limit = object(
  {
    ...limitMeasured,
    operations: list(id),
    promisedBy: { enum: ['configuration'] },
    counts: { enum: ['admitted', 'all'] },
    checks: list(id),
    pictures: list(picture),
    health: healthSchema,
  },
  ['promisedBy', 'algorithm', 'counts', 'pictures', 'health'],
);

const outdated = object({ check: id, at: text, target: text, why: text, remedy: text });

const baseline = object(
  {
    file: text,
    entries: count,
    elsewhere: count,
    known: count,
    nextExpires: { oneOf: [{ type: 'null' }, day] },
    stale: list(outdated),
    expired: list(outdated),
    unobserved: list(object({ check: id, verdict: { enum: [...verdicts, null] } })),
    quiet: list(id),
    unexplained: list(id),
    updated: object({ added: list(id), removed: list(id), seen: list(id) }),
  },
  ['updated'],
);

const reference = object(
  {
    contract: { enum: ['asked', 'itself', 'missing'] },
    why: text,
    differences: list(
      object({
        operation: nullableText,
        request: text,
        text,
        kind: { enum: ['spec', 'convention', 'different'] },
        checks: list(id),
      }),
    ),
    more: count,
  },
  ['why'],
);

const amount = object({ requests: count, bytes: count });
const traffic = object(
  {
    wiring: object({ announced: amount, sent: amount }),
    contract: object({ announced: amount, sent: amount }),
    load: object({ announced: amount, sent: object({ requests: count }) }),
  },
  ['wiring', 'contract', 'load'],
);

export const resultsSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'results.json of a proofload run',
  ...object(
    {
      schemaVersion: { const: 2 },
      ...outcome,
      run: object(
        {
          id: text,
          startedAt: instant,
          finishedAt: instant,
          profile,
          suiteVersion: text,
          k6Version: nullableText,
          nodeVersion: text,
          durationMs: { type: 'number', minimum: 0 },
          floorMs: { type: 'number', minimum: 0 },
          traffic,
          generator: generatorSchema,
          asked,
          merged: object({
            runs: list(object({ id: text, startedAt: instant, durationMs: { type: 'number', minimum: 0 } })),
            notes: list(text),
          }),
          interrupted: text,
        },
        ['traffic', 'generator', 'asked', 'merged', 'interrupted'],
      ),
      target,
      counts,
      checks: list(check),
      limits: list(limit),
      exchanges: list(exchange),
      latency: list(latency),
      achieved: list(achieved),
      streams: list(streams),
      reference,
      baseline,
      history,
      coverage: object({
        clauses: count,
        observable: count,
        checked: count,
        byClause: { type: 'object', additionalProperties: list(text) },
      }),
    },
    ['latency', 'achieved', 'streams', 'reference', 'baseline', 'history'],
  ),
} as const;
