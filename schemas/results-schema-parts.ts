/** What the schemas of `results.json` and of the history file have in common. */
import { list, object } from './schema-words.ts';
import { profiles } from './target.ts';
import { verdicts } from './verdicts.ts';
import { workloadNames } from './workloads.ts';

export const text = { type: 'string' } as const;
export const id = { type: 'string', pattern: '^[a-z0-9]+(?:[.-][a-z0-9]+)*$' } as const;
export const count = { type: 'integer', minimum: 0 } as const;
export const nullableText = { type: ['string', 'null'] } as const;
export const instant = { type: 'string', format: 'date-time' } as const;
export const flag = { type: 'boolean' } as const;
export const verdict = { enum: verdicts } as const;
export const profile = { enum: profiles } as const;

/** How a run as a whole ended. */
export const outcome = {
  complete: flag,
  verdict: { enum: ['pass', 'fail', 'inconclusive', 'error'] },
  exitCode: { enum: [0, 1, 2, 3, 130] },
} as const;

export const asked = object({
  contract: flag,
  load: flag,
  only: list(text),
  goals: { type: 'object', additionalProperties: { type: 'number', minimum: 0 } },
});

/** A limit as it is documented, measured and judged. */
export const limitMeasured = {
  id,
  kind: { enum: ['requests', 'concurrent-requests', 'content-bytes', 'queue', 'retention'] },
  documented: object({ value: count, windowMs: { type: 'integer', minimum: 1 } }, ['windowMs']),
  measured: {
    oneOf: [
      { type: 'null' },
      object(
        { lower: { type: 'number' }, upper: { type: ['number', 'null'] }, windowMs: { type: 'integer', minimum: 1 } },
        ['windowMs'],
      ),
    ],
  },
  algorithm: text,
  verdict,
} as const;

export const target = object(
  {
    kind: { enum: ['reference', 'remote'] },
    baseUrl: nullableText,
    jobBaseUrl: nullableText,
    endpoints: list(
      object({ instId: text, workersMax: { type: ['integer', 'null'] }, dedicated: { type: 'boolean' } }),
    ),
    model: nullableText,
    otherAddress: text,
    operations: list(object({ id, interface: { enum: ['inference', 'jobs'] }, methods: list(text), path: text })),
    limits: list(object({ id, kind: text, operations: list(id), value: count })),
    workloads: object({ quick: {}, slow: {}, streaming: {}, failing: {} }, [...workloadNames]),
  },
  ['operations', 'limits', 'workloads', 'otherAddress'],
);

export const counts = object({
  pass: count,
  fail: count,
  warn: count,
  observed: count,
  inconclusive: count,
  notObservable: count,
  skipped: count,
  error: count,
  known: count,
  declared: count,
  emitted: count,
});
