/**
 * The results of a run, as JSON Schema (2020-12) and as types. `results.json` holds them with each exchange stored once
 * (reports/stored.ts). Scripts rely on that file: objects are open, so a later version may add fields, while a change that
 * removes or renames one needs a new version.
 */
import { expectable } from './baseline.ts';
import { exchange, expectation } from './evidence.ts';
import { generator, health } from './generator.ts';
import { history } from './history.ts';
import { achieved, latency, streams } from './latency.ts';
import type { OperationId } from './operations.ts';
import { picture } from './pictures.ts';
import { counts, limitMay, limitMust, outcome, runSelection } from './results-parts.ts';
import {
  as,
  atLeastZero,
  choice,
  count,
  day,
  flag,
  id,
  instant,
  list,
  map,
  nullableText,
  object,
  orNull,
  type TypeOf,
  text,
} from './schema-words.ts';
import { profiles, target } from './target.ts';
import { checkDeclaration, verdict, verdicts } from './verdicts.ts';

export const RESULTS_SCHEMA_VERSION = 2;

/** What the reference answered to the same check. */
const referenceAnswer = object(
  { verdict, observed: text },
  {
    /** From an earlier run of the reference under load, kept as data; else it ran in this run. */
    recorded: flag,
    /** What the target did differently, a sentence each; of many the first, and how many more. */
    differences: list(text),
  },
);

const known = object(
  { verdict: choice(...expectable), reason: text },
  {
    ticket: text,
    /** Last day on which it is excused, UTC. */
    expires: day,
    flaky: flag,
  },
);

/** @param exchanges how each exchange of its evidence is written */
const checkWith = <const E>(exchanges: E) =>
  object(
    { ...checkDeclaration, verdict, expected: text, observed: text },
    {
      /** Why it isn't a plain pass or fail, and what would make it conclusive. */
      reason: text,
      /** For a check that was not judged for want of an option: such options, as they are written. */
      missing: list(text),
      /** For a check that was retried: why the first time was inconclusive. */
      firstTime: text,
      /**
       * Absent where the reference did not run, or where it has the same verdict, nothing is broken and nothing
       * differs.
       */
      reference: referenceAnswer,
      /** For a check that is `known`: what it would be without the baseline, and what the baseline says of it. */
      known,
      /** What the check could not clean up after itself, one text each; it changes no verdict. */
      leftBehind: list(text),
      evidence: object({}, { expectations: list(expectation), exchanges: list(exchanges) }),
    },
  );
const check = checkWith(exchange);
/** Of the file: indices into its list `exchanges`. */
const storedCheck = checkWith(count);

/** One thing that the target does differently, wherever it showed. */
const difference = object({
  /** Null where no operation was reached. */
  operation: as<OperationId | null>(nullableText),
  /** `POST run`; empty where it is about no single request. */
  request: text,
  text,
  /** `spec`, `convention`: it goes with a broken check of that level · `different`: nothing is wrong with it. */
  kind: choice('spec', 'convention', 'different'),
  /** Ids of the checks in which it showed. */
  checks: list(id),
});

/** How the target was compared with the reference. */
const reference = object(
  {
    /** `asked`: in this run · `itself`: the target is the reference · `missing`: it did not run, or broke. */
    contract: choice('asked', 'itself', 'missing'),
    differences: list(difference),
    /** How many more there are than are listed. */
    more: count,
  },
  {
    /** Why it is missing. */
    why: text,
  },
);

/** An entry of the baseline that is not true any more, or whose time is over: it fails the run. */
const outdated = object({
  check: id,
  /** `FILE:LINE` */
  at: text,
  /** As the entry names it. */
  target: text,
  why: text,
  remedy: text,
});

/** What became of the baseline in a run that had one. */
const baseline = object(
  {
    file: text,
    /** Entries that speak of this target, and of others. */
    entries: count,
    elsewhere: count,
    /** Checks that are `known`, and the next day on which one of their entries expires. */
    known: count,
    nextExpires: orNull(day),
    stale: list(outdated),
    expired: list(outdated),
    /** Entries about which this run says nothing, with the verdict of their check; null where it did not run. */
    unobserved: list(object({ check: id, verdict: choice(...verdicts, null) })),
    /** Flaky checks that passed this time. */
    quiet: list(id),
    /** Known checks that have no reason as yet. */
    unexplained: list(id),
  },
  {
    /**
     * What `--update-baseline` wrote, as check ids; absent where the file was not to be written. `seen`: entries whose
     * dates or expected verdict were brought up to date.
     */
    updated: object({ added: list(id), removed: list(id), seen: list(id) }),
  },
);

const limit = object(
  {
    ...limitMust,
    operations: list(as<OperationId>(id)),
    /** Ids of its checks. */
    checks: list(id),
  },
  {
    ...limitMay,
    /** `configuration`: it is promised there, and not in the spec. */
    promisedBy: choice('configuration'),
    /** Of a rate, what its limiter counts; absent where that makes no difference, or is not known. */
    counts: choice('admitted', 'all'),
    pictures: list(picture),
    health,
  },
);

/** `bytes` are those of request bodies; where the load announces them, with a share for header fields. */
const amount = object({ requests: count, bytes: count });

/** What each part of a run announced and sent; a part that did not take place is absent. */
const traffic = object(
  {},
  {
    wiring: object({ announced: amount, sent: amount }),
    contract: object({ announced: amount, sent: amount }),
    load: object({ announced: amount, sent: object({ requests: count }) }),
  },
);

const merged = object({
  /** By the time at which they began. */
  runs: list(object({ id: text, startedAt: instant, durationMs: atLeastZero })),
  /** A sentence each. */
  notes: list(text),
});

const must = {
  schemaVersion: { const: RESULTS_SCHEMA_VERSION },
  ...outcome,
  run: object(
    {
      id: text,
      startedAt: instant,
      finishedAt: instant,
      profile: choice(...profiles),
      suiteVersion: text,
      k6Version: nullableText,
      nodeVersion: text,
      durationMs: atLeastZero,
      floorMs: atLeastZero,
    },
    {
      traffic,
      /** Its selection; absent in the results of an earlier version. */
      asked: runSelection,
      /** Path of its configuration file, as it was given; absent where it had none. */
      config: text,
      /** How well the load generator did; absent where no load was sent. */
      generator,
      /** For several runs in one: which, and what of them could not be put together. */
      merged,
      /** Why it is not complete. */
      interrupted: text,
    },
  ),
  target,
  counts,
  limits: list(limit),
  coverage: object({ clauses: count, observable: count, checked: count, byClause: map(list(text)) }),
} as const;

const may = {
  /** Latency of the paced load, by operation and status class; absent where none was sent. */
  latency: list(latency),
  /** Each paced phase: what it was to send, and what it did. */
  achieved: list(achieved),
  streams: list(streams),
  reference,
  /** Absent where the run had no baseline. */
  baseline,
  /** Absent where no history was kept. */
  history,
} as const;

const results = object({ ...must, checks: list(check) }, may);

/** Of the file. */
export const resultsSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'results.json of a proofload run',
  ...object({ ...must, checks: list(storedCheck), exchanges: list(exchange) }, may),
} as const;

export type ReferenceAnswer = TypeOf<typeof referenceAnswer>;
export type KnownDeviation = TypeOf<typeof known>;
export type ResultCheck = TypeOf<typeof check>;
export type ResultDifference = TypeOf<typeof difference>;
export type ReferenceReport = TypeOf<typeof reference>;
export type OutdatedEntry = TypeOf<typeof outdated>;
export type BaselineReport = TypeOf<typeof baseline>;
export type ResultLimit = TypeOf<typeof limit>;
export type Amount = TypeOf<typeof amount>;
export type Traffic = TypeOf<typeof traffic>;
export type MergedRuns = TypeOf<typeof merged>;
export type Results = TypeOf<typeof results>;
/** As in the file. */
export type StoredResults = TypeOf<typeof resultsSchema>;
