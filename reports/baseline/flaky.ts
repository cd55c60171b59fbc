/**
 * Which checks may be listed as flaky: those whose answer hangs on concurrency or timing, and no others. A shape or a
 * status that is wrong only sometimes is a fault of the service, not of the hour.
 */
import { limits } from '../../schemas/limits.ts';
import { loadChecks } from '../../schemas/load-checks.ts';

/** Words of a contract check's id, after its subject, that say it is about concurrency or timing. */
export const timingWords: readonly string[] = [
  'apart',
  'asynchronous',
  'crowd',
  'incremental',
  'lost',
  'prompt',
  'retention',
  'waits',
];

/** A load check other than of a body's size, or a contract check with one of the words above in its id. */
export function mayBeFlaky(checkId: string): boolean {
  const load = loadChecks.find((one) => one.id === checkId);
  if (load) return limits.find((limit) => limit.id === load.limitId)?.kind !== 'content-bytes';
  const words = checkId.split('.').slice(1).join('-').split('-');
  return words.some((word) => timingWords.includes(word));
}
