/**
 * A job from a body whose fields are not documented: the documentation says that an id, a status and outputs are
 * returned, not their names. It tries the names in use first, then what can only mean the same; a different but correct
 * service must be readable. Pure, and bundled into k6 scripts: contract checks and load read answers alike.
 */
import { at, isObject, type JsonObject, listsIn, saysSomething, show, walk } from './json.ts';
import { isOurWord, mayBeAboutJob, unnamedOutputOf } from './our-words.ts';

/** `unfinished`: queued or running, which the answer doesn't tell apart. */
export type JobState =
  | 'queued'
  | 'running'
  | 'unfinished'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'timed-out'
  | 'unknown';

const STATES: readonly (readonly [RegExp, JobState])[] = [
  [/^((start|initiali[sz]|prepar|provision|boot|load|validat|retry|finali[sz])ing|dispatched|assigned)$/, 'unfinished'],
  [/^(in_?queue|queued|enqueued|pending|waiting|submitted|accepted|created|scheduled|received|new)$/, 'queued'],
  [
    /^(retry|retryable|requeued|rescheduled|claimed|acquired|leased|paused|suspended|deferred|restarting)$/,
    'unfinished',
  ],
  [
    /^(not_?started|delayed|prioriti[sz]ed|unassigned|available|awaiting|backlogged|blocked|on_?hold|inactive)$/,
    'queued',
  ],
  [/^(in_?progress|running|processing|executing|started|active|working|busy|ongoing)$/, 'running'],
  [/^(complete|completed|succeed|succeeded|success|successful|done|finished|ok|processed|fulfilled)$/, 'completed'],
  [/^(fail|failed|failure|error|errored|crashed|dead|discarded|rejected|exception|lost)$/, 'failed'],
  [/^(out_?of_?memory|oom|oom_?killed|node_?fail|evicted|preempted|unsuccessful)$/, 'failed'],
  [/^(cancel|cancell?ed|cancell?ing|aborted|aborting|terminated|terminating|stopped|stopping)$/, 'cancelled'],
  [/^(killed|interrupted|removed|purged|revoked|deleted|dropped|skipped|withdrawn)$/, 'cancelled'],
  [/^(time_?out|timed_?out|expired|deadline|deadline_?exceeded)$/, 'timed-out'],
];

/** A name as it is without the convention of its service: `jobId`, `job_id` and `JobID` are one. */
const bare = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const ID_KEYS = ['id', 'jobid', 'taskid', 'uuid'];
/** An id of something else than the job. */
const FOREIGN_ID = /(request|worker|instance|inst|endpoint|user|account|model|trace|span)_?ids?$/i;
/** A name alone, or a link to one of the paths with a job id (spec 4.2), stands for an id where there is none. */
const NAME_KEYS = ['job', 'task', 'ticket', 'handle', 'operation', 'name'];
const LINK = /\/(?:status|status-sync|stream|cancel)\/([\w.:~-]+)$/;
/** Often the name of one exchange, and of the job only where nothing else is. */
const EXCHANGE_KEYS = ['requestid'];
const SUBJECTS = ['', 'job', 'task', 'request', 'run', 'processing', 'current'];
/** How it ended says more than that it did. */
const STATE_KEYS = ['conclusion', 'outcome', ...SUBJECTS.flatMap((one) => [`${one}status`, `${one}state`]), 'phase'];
/** Where a state is an object, its word. */
const WORD_KEYS = ['name', 'value', 'code'];
/** Such a word may be about the request and not about the job. */
const OF_REQUEST = /^(ok|success(ful)?)$/i;
/** A `result` may be the record around the output as well, the others only where they name the job. */
const OUTPUTS_ALONE = ['output', 'outputs', 'results'];
/** Whether the job has ended, where no word says how it stands. */
const DONE_KEYS = ['done', 'finished', 'completed'];
const OUTPUT_KEYS = ['output', 'outputs', 'result', 'results'];
const ERROR_KEYS = ['error', 'errors', 'reason', 'failure', 'errormessage'];
/** How deep the record of a job may stand in an answer, as in `{"data": {"attributes": {…}}}`. */
const DEEPEST = 3;

/** The one item of a list of one; anything else as it is. */
const alone = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value);

/** The objects of an answer that may be the record of the job, the outermost first. */
function layers(body: unknown): readonly JsonObject[] {
  const found: JsonObject[] = [];
  let level = [alone(body)].filter(isObject);
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth += 1) {
    found.push(...level);
    const inside = level.flatMap((one) => Object.entries(one).filter(([key]) => mayBeAboutJob(key)));
    level = inside
      .map(([key, value]) => [key, alone(value)] as const)
      .filter(([key, one]) => !OUTPUTS_ALONE.includes(bare(key)) || namesJob(one))
      .flatMap(([, one]) => (isObject(one) ? [one] : []));
  }
  return found;
}

const namesJob = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).some((key) => ['jobid', 'taskid'].includes(bare(key)));

/** The values under such names in the record of the job, the outermost first, in the order of the names. */
function all<T>(body: unknown, names: readonly string[], fits: (value: unknown) => value is T): T[] {
  return layers(body).flatMap((layer) => {
    const values = new Map(Object.entries(layer).map(([key, value]) => [bare(key), value]));
    return names.map((name) => values.get(name)).filter(fits);
  });
}

const first: <T>(...of: Parameters<typeof all<T>>) => T | undefined = (...of) => all(...of)[0];

const isThere = (value: unknown): value is unknown => value !== undefined && value !== null;
const isSaid = (value: unknown): value is unknown => isThere(value) && value !== '';
const isTruth = (value: unknown): value is boolean => typeof value === 'boolean';
const isId = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '') || (typeof value === 'number' && Number.isFinite(value));

const isName = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w.:-]{3,}$/.test(value) && !isOurWord(value);

/** The job id in an answer, wherever it stands, or null. */
export function jobIdOf(body: unknown): string | null {
  if (isName(body)) return body;
  if (typeof body === 'string') return LINK.exec(body)?.[1] ?? null;
  const id = first(body, ID_KEYS, isId);
  if (id !== undefined) return String(id);
  for (const { key, value, depth } of walk(body)) {
    const given = alone(value);
    if (depth <= 3 && /ids?$/i.test(key) && !FOREIGN_ID.test(key) && isId(given)) return String(given);
    const [, linked] = (typeof value === 'string' && LINK.exec(value)) || [];
    if (linked) return linked;
  }
  return first(body, NAME_KEYS, isName) ?? first(body, EXCHANGE_KEYS, isId)?.toString() ?? null;
}

/** The name under which a response has the job id, without its convention; null where it has it elsewhere. */
export function idKeyOf(body: unknown): string | null {
  const id = jobIdOf(body);
  return [...ID_KEYS, ...NAME_KEYS, ...EXCHANGE_KEYS].find((name) => String(first(body, [name], isId)) === id) ?? null;
}

/** The word an answer has for the job's state, as it stands there, or null. */
export function stateWordOf(body: unknown): string | null {
  const said = all(body, STATE_KEYS, isSaid).map((one) => (isObject(one) ? WORD_KEYS.map((key) => at(one, key)) : one));
  const words = said.flat().filter((one) => typeof one === 'string');
  return words.find((one) => !OF_REQUEST.test(one)) ?? words[0] ?? null;
}

/** Whether it may say of the request alone, not of the job, that it succeeded. */
export const isAboutRequest = (body: unknown): boolean => OF_REQUEST.test(stateWordOf(body) ?? '');

const plain = (word: string): string => word.toLowerCase().replaceAll(/[\s.-]+/g, '_');
/** As some enumerations have it: `JOB_STATE_RUNNING`. */
const PREFIX = /^(job_|task_|run_)?(state_|status_)?/;

export function stateOf(body: unknown): JobState {
  const word = stateWordOf(body);
  const done = word === null ? first(body, DONE_KEYS, isTruth) : undefined;
  if (done !== undefined) return done ? endOf(errorOf(body)) : 'unfinished';
  return STATES.find(([pattern]) => pattern.test(plain(word ?? '').replace(PREFIX, '')))?.[1] ?? 'unknown';
}

/** How a job ended that has no state but an error, if any. */
function endOf(error: unknown): JobState {
  if (!isSaid(error)) return 'completed';
  return /\bcancell?ed\b/i.test(JSON.stringify(error)) ? 'cancelled' : 'failed';
}

/** Nothing more will happen to a job in this state. */
export const isFinal = (state: JobState): boolean =>
  state === 'completed' || state === 'failed' || state === 'cancelled' || state === 'timed-out';

/**
 * The job's output, or undefined: the value under a usual name, or else what holds a word of ours in the record of a
 * job that may have completed.
 */
export function outputOf(body: unknown): unknown {
  const named = first(body, OUTPUT_KEYS, (value): value is unknown => isThere(value) && !namesJob(value));
  if (named !== undefined) return named;
  const state = stateOf(body);
  return state === 'completed' || state === 'unknown' ? unnamedOutputOf(body) : undefined;
}

/** Whether there is an output. */
export const hasOutput = (body: unknown): boolean => saysSomething(outputOf(body));

/** The words for a state that stands there but has no meaning to us, or null. */
export function notUnderstood(body: unknown): string | null {
  if (stateOf(body) !== 'unknown') return null;
  const value = first(body, STATE_KEYS, isSaid);
  return value === undefined ? null : `unknown state ${show(value)}`;
}

/** Why the job failed, in any form, or undefined. */
export const errorOf = (body: unknown): unknown => first(body, ERROR_KEYS, isSaid);

/** How long the job waited and ran, from the fields that clients read, where the record has them; milliseconds. */
export function timesOf(body: unknown): { readonly delayTime: unknown; readonly executionTime: unknown } {
  return { delayTime: at(body, 'delayTime'), executionTime: at(body, 'executionTime') };
}

/** Names of counts that say how many jobs are in a state now or have ended so; such as `created` say another thing. */
const COUNTS = {
  queued: /^(in_?queue|queued|enqueued|pending|waiting|inactive|backlog|queue)(_(size|length|depth|count))?$/,
  running: /^(in_?progress|running|processing|executing|active|working|in_?flight)(_count)?$/,
  completed: /^(completed?|succeeded|success|finished|done)(_count)?$/,
  failed: /^(failed|errored|errors?)(_count)?$/,
} as const;

export type CountedState = keyof typeof COUNTS;

const ABOUT_JOBS = /^(jobs|requests|tasks)_|_(jobs|requests|tasks)$/;

/** How many jobs are in that state by an answer of health, or null where it doesn't say so. */
export function countedJobs(health: unknown, state: CountedState): number | null {
  const inside = (value: unknown, under: string): number | null => {
    const entries = Object.entries(isObject(value) ? value : {}).filter(([key]) => !/worker/i.test(key));
    for (const [key, one] of entries) {
      const name = plain(key.replaceAll(/([a-z])([A-Z])/g, '$1_$2')).replace(ABOUT_JOBS, '');
      const named = COUNTS[state].test(name) || (under === 'queue' && COUNTS[state].test(`queue_${name}`));
      if (named && typeof one === 'number' && one >= 0) return one;
    }
    for (const [key, one] of entries) {
      const found = inside(one, plain(key));
      if (found !== null) return found;
    }
    return null;
  };
  return inside(health, '');
}

/** How many jobs there are and were, by all counts that health has; null where it has none. */
export function countedInAll(health: unknown): number | null {
  const counts = Object.keys(COUNTS).flatMap((state) => countedJobs(health, state as CountedState) ?? []);
  return counts.length > 0 ? counts.reduce((sum, one) => sum + one, 0) : null;
}

/** The ids of the longest list in a body whose rows are all of jobs; null where there is none. */
export function listedIds(body: unknown): readonly string[] | null {
  const lists = listsIn(body).flatMap((rows) => {
    const ids = rows.flatMap((row) => (isObject(row) ? (jobIdOf(row) ?? []) : []));
    return ids.length === rows.length ? [ids] : [];
  });
  return lists.sort((a, b) => b.length - a.length)[0] ?? null;
}
