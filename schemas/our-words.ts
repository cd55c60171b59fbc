/**
 * Outputs under undocumented names. A word of the suite in the response about a job that is neither waiting nor running
 * is the output of its handler, wherever it stands, unless it stands under a name that only the request or an error can
 * have. A service that sends requests back must not pass for one that ran them.
 */
import { at, isObject, mentions, show } from './json.ts';

/** The forms of the words that checks and probes send; what stands between names the run. */
const OURS = /pl-[\w-]+-[0-9a-f]{16}|proofload [\w-]+/;
const SENT = /^(inputs?|(job_?)?requests?|params|parameters|args|arguments|prompt|messages)$/i;
const TROUBLE = /^(errors?|reason|failure|error_?message|exception|traceback|stack|stderr)$/i;
const STATUS = /^(job_?)?(status|state)$/i;
const NAME = /^((job|request|task)_?)?id$|^uuid$/i;

export const isOurWord = (text: string): boolean => OURS.test(text);

function holdsOurs(value: unknown): boolean {
  if (typeof value === 'string') return isOurWord(value);
  if (Array.isArray(value)) return value.some(holdsOurs);
  return (
    isObject(value) && Object.entries(value).some(([key, one]) => isOurWord(key) || (!SENT.test(key) && holdsOurs(one)))
  );
}

/** A layer around the output, not the output. */
const isRecord = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).some((key) => STATUS.test(key) || NAME.test(key));

/** The value that holds a word of ours where only an output can stand, or undefined. */
export function unnamedOutputOf(body: unknown): unknown {
  if (!isObject(body)) return holdsOurs(body) ? body : undefined;
  for (const [key, value] of Object.entries(body)) {
    if (SENT.test(key) || TROUBLE.test(key) || STATUS.test(key) || NAME.test(key) || !holdsOurs(value)) continue;
    return isRecord(value) ? unnamedOutputOf(value) : value;
  }
  return undefined;
}

/** The body without the request, where it stands next to the output or a layer above. */
export function withoutSent(body: unknown, layers = 2): unknown {
  if (!isObject(body) || layers === 0) return body;
  const kept = Object.entries(body).filter(([key]) => !SENT.test(key));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, isRecord(value) ? withoutSent(value, layers - 1) : value]),
  );
}

/** Whether a value holds a word of this run: only a handler that returns its input can have put it there. */
export const mentionsRun = (value: unknown, runId: string): boolean => mentions(value, `pl-${runId}-`);

const TIMES =
  /[tT]ime|[dD]ate|(^|_)at$|At$|[mM]s$|seconds|duration|elapsed|created|updated|submitted|started|finished|ended/;
const OTHER = /worker|instance|endpoint|version|url|href|links?$|retries|attempts|position/i;

/** Whether what stands under this name can be about the job: neither the request nor an error nor something else. */
export const mayBeAboutJob = (key: string): boolean => ![SENT, TROUBLE, OTHER].some((one) => one.test(key));

/**
 * A field whose value differs before a job's end and after it, as text, or null. The output is no status, and neither
 * are times and ids.
 */
export function changeBetween(before: unknown, after: unknown): string | null {
  for (const key of new Set([before, after].flatMap((one) => (isObject(one) ? Object.keys(one) : [])))) {
    if ([SENT, TROUBLE, NAME, TIMES, OTHER].some((one) => one.test(key))) continue;
    const [was, is] = [at(before, key), at(after, key)];
    if (isObject(was) && isObject(is)) {
      const inside = changeBetween(was, is);
      if (inside !== null) return inside;
    } else if (isReported(is) && JSON.stringify(was) !== JSON.stringify(is))
      return `${key}: ${show(was)}, then ${show(is)}`;
  }
  return null;
}

/** Something short that is no output of ours. */
const isReported = (value: unknown): boolean =>
  typeof value === 'boolean' || typeof value === 'number' || (typeof value === 'string' && !isOurWord(value));
