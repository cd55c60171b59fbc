/**
 * The baseline file: which checks are expected to fail on which target, why, and until when. One entry is about one
 * check by its exact id, so that no new break is ever hidden by a pattern.
 *
 * Its objects are closed, unlike those of results.json: people write this file by hand, and a misspelt `expires` that
 * is silently ignored would suppress a failure for ever.
 */
import { choice, day, flag, id, list, object, type TypeOf } from './schema-words.ts';

export const BASELINE_VERSION = 1;

/** What `--update-baseline` writes to when no `--baseline` names a file. */
export const DEFAULT_BASELINE = 'proofload-baseline.yaml';

/** How an entry names the embedded reference, whose address is another one each time. */
export const REFERENCE_TARGET = 'reference';

/** What can be expected of a check: `fail` of a documented promise, `warn` of a convention. */
export const expectable = ['fail', 'warn'] as const;
export type Expected = (typeof expectable)[number];

const words = { type: 'string', pattern: '\\S' } as const;
const closed = { additionalProperties: false } as const;

const entry = {
  ...object(
    {
      /** Exact id. */
      check: id,
      /** The address of either interface, in which `*` stands for any characters, or `reference`. */
      target: words,
      expect: choice(...expectable),
      reason: words,
    },
    {
      ticket: { ...words, type: ['string', 'integer'] },
      /** Last day (UTC, `2026-12-01`) on which the entry counts. */
      expires: day,
      /** It fails at times: neither a failure nor a pass is a surprise. Needs `expires`. */
      flaky: flag,
      /** Days (UTC) on which the expected failure was first and last seen; kept by `--update-baseline`. */
      firstSeen: day,
      lastSeen: day,
    },
  ),
  ...closed,
  if: object({ flaky: { const: true } }),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['expires'] },
} as const;

export const baselineSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'a baseline file of proofload',
  ...object({ version: { const: BASELINE_VERSION }, entries: list(entry) }),
  ...closed,
} as const;

export type BaselineEntry = TypeOf<typeof entry>;
export type BaselineFile = TypeOf<typeof baselineSchema>;
