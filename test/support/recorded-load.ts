/**
 * The reference under load as data (reports/differences/reference-load.json), made from the results of a full run. No two
 * runs count the same, so a text that only differs in its numbers is kept as it was recorded; verdicts and measured
 * values are exact.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import {
  type RecordedCheck,
  type RecordedLimit,
  recordedChecks,
  recordedLimits,
} from '../../reports/differences/index.ts';
import { loadChecks } from '../../schemas/load-checks.ts';
import type { ResultLimit, Results } from '../../schemas/results.ts';
import { packageRoot } from '../../scripts/package.ts';

export const RECORD = join(packageRoot(), 'reports', 'differences', 'reference-load.json');

const withoutNumbers = (text: string): string => text.replaceAll(/\d[\d,.]*/g, '#');

function checkOf(id: string, verdict: RecordedCheck['verdict'], observed: string): RecordedCheck {
  const before = recordedChecks[id];
  // Whether a request happens to be sent just when a refusal has said that it may be is a matter of milliseconds.
  if (id.endsWith('.rate.retry-after') && verdict === 'observed' && before?.verdict === 'pass') return before;
  const same = before?.verdict === verdict && withoutNumbers(before.observed) === withoutNumbers(observed);
  return same ? before : { verdict, observed };
}

/** A fingerprint that a busy machine could not take says nothing against the recorded one. */
function algorithmOf({ id, algorithm }: ResultLimit): string | undefined {
  return algorithm === 'unknown' ? recordedLimits[id]?.algorithm : algorithm;
}

function limitOf(limit: ResultLimit): [string, RecordedLimit][] {
  if (!limit.measured) return [];
  const algorithm = algorithmOf(limit);
  const value = { documented: limit.documented.value, ...limit.measured, ...(algorithm ? { algorithm } : {}) };
  return [[limit.id, value]];
}

/** The file's text as it should stand on disk. */
export function recordedLoad(results: Results): string {
  const byId = new Map(results.checks.map((one) => [one.id, one]));
  const checks = loadChecks.flatMap(({ id }) => {
    const check = byId.get(id);
    return check ? [[id, checkOf(id, check.verdict, check.observed)] as const] : [];
  });
  const limits = results.limits.flatMap(limitOf);
  const text = JSON.stringify({ checks: Object.fromEntries(checks), limits: Object.fromEntries(limits) });
  const biome = join(packageRoot(), 'node_modules', '.bin', 'biome');
  const input = { input: text, cwd: packageRoot(), encoding: 'utf8' } as const;
  return execFileSync(biome, ['format', `--stdin-file-path=${RECORD}`], input);
}
