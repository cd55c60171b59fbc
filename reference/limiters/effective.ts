/** The limits as this service enforces them: the table of the spec, with the overrides of the options laid over it. */
import { type LimitKind, limitFor, type QueueLimit } from '../../schemas/limits.ts';
import type { DocumentedBudgetId, DocumentedOperationId } from '../../schemas/operations.ts';
import type { ReferenceOptions } from '../options.ts';
import { fixedWindow } from './fixed-window.ts';
import { type RateLimiter, unlimited } from './rate-limiter.ts';
import { slidingCounter } from './sliding-counter.ts';
import { slidingLog } from './sliding-log.ts';
import { tokenBucket } from './token-bucket.ts';

/** A limit's value: the override, else the table's; Infinity where there is none or it is switched off. */
function effectiveValue(options: ReferenceOptions, kind: LimitKind, budget: DocumentedBudgetId | null): number {
  const limit = budget === null ? undefined : limitFor(kind, budget);
  if (!limit) return Number.POSITIVE_INFINITY;
  const override = options.limits[limit.id];
  return override === 'off' ? Number.POSITIVE_INFINITY : (override ?? limit.value);
}

/** Requests at once. */
export function concurrencyOf(options: ReferenceOptions, budget: DocumentedBudgetId | null): number {
  return effectiveValue(options, 'concurrent-requests', budget);
}

/** Milliseconds a finished job is kept. */
export function retentionOf(options: ReferenceOptions, budget: DocumentedBudgetId): number {
  return effectiveValue(options, 'retention', budget);
}

/** Largest accepted body, bytes. */
export function payloadOf(options: ReferenceOptions, budget: DocumentedBudgetId): number {
  const limit = limitFor('content-bytes', budget);
  const untouched = limit && options.limits[limit.id] === undefined;
  if (untouched && options.payloadReading === 'binary') return limit.upperReading;
  return effectiveValue(options, 'content-bytes', budget);
}

/** The queue rule of a submission, null when it is switched off. */
export function queueLimitOf(options: ReferenceOptions, budget: DocumentedBudgetId): QueueLimit | null {
  const limit = limitFor('queue', budget);
  const value = effectiveValue(options, 'queue', budget);
  if (!limit || !Number.isFinite(value)) return null;
  return { ...limit, value, perWorker: options.queuePerWorker ?? limit.perWorker };
}

/** A fresh limiter for what this operation counts against. */
export function rateLimiterFor(
  options: ReferenceOptions,
  id: DocumentedOperationId,
  budget: DocumentedBudgetId | null,
): RateLimiter {
  const limit = budget === null ? undefined : limitFor('requests', budget);
  const extra = options.rules.extraRate(id);
  const value = limit ? effectiveValue(options, 'requests', budget) : (extra?.value ?? Number.POSITIVE_INFINITY);
  const windowMs = (limit && options.windows[limit.id]) ?? limit?.windowMs ?? extra?.windowMs;
  if (!Number.isFinite(value) || windowMs === undefined) return unlimited;
  switch (options.limiter) {
    case 'sliding':
      return slidingLog(value, windowMs);
    case 'fixed':
      return fixedWindow(value, windowMs, options.windowPhaseMs);
    case 'counter':
      return slidingCounter(value, windowMs, options.windowPhaseMs);
    case 'token':
      return tokenBucket(value, windowMs);
    case 'off':
      return unlimited;
  }
}
