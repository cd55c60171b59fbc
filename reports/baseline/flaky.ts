/**
 * Which checks may be listed as flaky: those whose answer hangs on concurrency or timing, and no others. A shape or a
 * status that is wrong only sometimes is a fault of the service, not of the hour.
 */
import { limits } from '../../schemas/limits.ts';
import { loadChecks } from '../../schemas/load-checks.ts';
import { matchesOnly } from '../../schemas/only.ts';
import { isOwnName } from '../../schemas/own.ts';

/** The contract checks among them, by globs on their ids; docs/baseline.md shows the same list. */
export const aboutTime = {
  /** Many at the same time. */
  concurrency: [
    '*.at-once',
    '*.burst',
    '*.apart',
    '*-apart',
    '*-crowd',
    '*.none-lost',
    '*.while-others-wait',
    'health.{counts-*,agrees-with-status,workers-busy}',
  ],
  /** When something is answered, and for how long it is there. */
  timing: [
    '*.asynchronous',
    '*.incremental',
    '*.late',
    '*.follows',
    '*.answers.forward',
    '*.wait',
    '*.waits',
    '*.waits.*',
    '*.wakes.*',
    '{status-sync,cancel}.prompt',
    'status-sync.prompt.*',
    '*.unknown-job.prompt',
    'status.times.{possible,ran,waited}',
    'runsync.times',
    '*.retention.*',
    '*.expired.*',
  ],
} as const;

const patterns: readonly string[] = [...aboutTime.concurrency, ...aboutTime.timing];

/** A configuration's own limits are on requests, in a window or at once; undeclared ids are refused elsewhere. */
function isOfOwnLimit(checkId: string): boolean {
  const [name = '', ending = ''] = checkId.split('.');
  return isOwnName(name) && ['rate', 'concurrency'].includes(ending);
}

/** A load check other than of a body's size, or a contract check of the list above. */
export function mayBeFlaky(checkId: string): boolean {
  const load = loadChecks.find((one) => one.id === checkId);
  if (load) return limits.find((limit) => limit.id === load.limitId)?.kind !== 'content-bytes';
  return isOfOwnLimit(checkId) || matchesOnly(patterns, checkId);
}
