/**
 * What outlives a run: one line of the history file, newline-delimited JSON. It holds what a trend and the next run's
 * comparison need, and the parameters without which two runs must not be compared; the evidence stays in the run's own
 * directory. Objects are open, as those of results.json are: the file outlives the versions of proofload that append to
 * it.
 */
import { percentiles } from './latency.ts';
import { counts, limitMay, limitMust, outcome, runSelection } from './results-parts.ts';
import {
  atLeastZero,
  choice,
  count,
  flag,
  id,
  instant,
  list,
  nullableText,
  object,
  orNull,
  type TypeOf,
  text,
} from './schema-words.ts';
import { profiles, target } from './target.ts';
import { verdicts } from './verdicts.ts';

export const HISTORY_VERSION = 1;

/** All that makes two runs incomparable. Versions are not among them: they are printed with a comparison. */
const parameters = object({
  profile: choice(...profiles),
  target,
  /** Null where the run did not write it down. */
  asked: orNull(runSelection),
});

/** What was seen of a check, with or without the excuse of a baseline, where it is more than that nothing is wrong. */
export const notableVerdicts = ['fail', 'error', 'warn', 'inconclusive'] as const;
const notable = choice(...notableVerdicts);

const historyLimit = object(limitMust, limitMay);

/** Of the answers with 2xx; for streams, to the first token. */
const historyLatency = object({ operation: text, requests: count, latency: percentiles });

/** A run as far as another one can be compared with it. */
const past = {
  run: object({
    id: text,
    startedAt: instant,
    durationMs: atLeastZero,
    suiteVersion: text,
    k6Version: nullableText,
    nodeVersion: text,
  }),
  ...outcome,
  counts,
  /** Checks with something to report; every other one had no finding. */
  checks: { type: 'object', propertyNames: id, additionalProperties: notable },
  /** Those of them that the baseline excuses. */
  known: list(id),
  limits: list(historyLimit),
  latency: list(historyLatency),
  firstToken: list(historyLatency),
} as const;
const pastRun = object(past);

/** One line of the history file. */
export const historyLineSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'a line of the history file of proofload',
  ...object({ schemaVersion: { const: HISTORY_VERSION }, ...past, parameters }),
} as const;

/**
 * What became of a check from one run to the next. `broken`: seen wrong now, and not (or not as badly) before ·
 * `still`: both times · `fixed`: before, and now seen right · `lost`: before, and unknown now · `doubtful`: not decided
 * now, and nothing wrong was known of it · `settled`: not decided before, and now seen right.
 */
export const changeKinds = ['broken', 'still', 'fixed', 'lost', 'doubtful', 'settled'] as const;

/** `fine`: nothing wrong was seen, which is all that a history keeps of it · `absent`: it did not run. */
const standing = choice(...verdicts, 'fine', 'absent');

const checkChange = object(
  { id, kind: choice(...changeKinds), before: standing, now: standing },
  {
    /** The baseline of the later run excuses it. */
    known: flag,
  },
);

/** A limit that is another than it was: the two measurements have no value in common, or another algorithm is named. */
const limitChange = object({ id, before: historyLimit, now: historyLimit });

const changesMust = { checks: list(checkChange), limits: list(limitChange) } as const;
const changesMay = {
  /** Of how many checks something was seen, or left open, each time: a run that tests less finds less. */
  looked: object({ before: count, now: count }),
} as const;
const changes = object(changesMust, changesMay);

/** The run that another is compared with. */
const earlier = object({ id: text, startedAt: instant, suiteVersion: text });

/** What the history says of a run, in its results. */
export const history = object(
  {
    file: text,
    /** Lines that are none of ours. */
    unreadable: count,
    /** The newest runs before this one that it can be compared with, oldest first. */
    runs: list(pastRun),
    /** How many more there are, older ones. */
    earlier: count,
    /** Runs that it can't be compared with, by the reason. */
    leftOut: list(object({ why: text, runs: count })),
  },
  {
    /** Why nothing could be read there, or not written. */
    problem: text,
    /** Since the last of them; absent where there is none. */
    since: object({ run: earlier, ...changesMust }, changesMay),
  },
);

export type RunParameters = TypeOf<typeof parameters>;
export type NotableVerdict = (typeof notableVerdicts)[number];
export type HistoryLimit = TypeOf<typeof historyLimit>;
export type HistoryLatency = TypeOf<typeof historyLatency>;
export type PastRun = TypeOf<typeof pastRun>;
export type HistoryLine = TypeOf<typeof historyLineSchema>;
export type ChangeKind = (typeof changeKinds)[number];
export type Standing = TypeOf<typeof standing>;
export type CheckChange = TypeOf<typeof checkChange>;
export type LimitChange = TypeOf<typeof limitChange>;
export type Changes = TypeOf<typeof changes>;
export type Earlier = TypeOf<typeof earlier>;
export type HistoryReport = TypeOf<typeof history>;
