/**
 * What became of every job of a run, whichever check submitted it: ids given out, words in the response about a job
 * that never got them, jobs that were known and no longer are, or that a list has twice. Checks that look
 * at one job each can't see faults of this kind, and become inconclusive because of them.
 */
import type { Exchange } from '../../schemas/facts.ts';
import { isAboutRequest, type JobState, jobIdOf, stateOf } from '../../schemas/job-answer.ts';
import { at, isObject } from '../../schemas/json.ts';
import { limitFor } from '../../schemas/limits.ts';
import { type DocumentedOperationId, isSubmitting, operation, type Submitting } from '../../schemas/operations.ts';
import { isAnswer } from '../reading/answer.ts';
import { outerLists } from '../reading/listing.ts';
import type { Answered } from './contract-log.ts';
import { isOk } from './reply.ts';

export interface JobFinding {
  readonly words: string;
  /** What shows it, in the order it happened. */
  readonly exchanges: readonly Exchange[];
}

interface Job {
  readonly kind: Submitting;
  readonly submittedMs: number;
  /** How long it is kept was its client's own choice. */
  readonly ownTerms: boolean;
  /** The last answer of each route that knew it: a route that never did may be missing, and has not forgotten it. */
  readonly known: Map<string, Exchange>;
  /** A cancel or a purge may have met it: whether it is kept then is not documented. */
  met: boolean;
  /** When a response first had each state. */
  readonly reported: Map<JobState, { readonly endMs: number; readonly exchange: Exchange }>;
}

/** In this order; once at an end, a job stays there. */
const RANKS: Readonly<Partial<Record<JobState, number>>> = { queued: 0, unfinished: 0, running: 1 };
const END = 2;
const rankOf = (state: JobState): number => RANKS[state] ?? END;

const GONE: readonly number[] = [404, 410];
const READING: readonly DocumentedOperationId[] = ['runsync', 'status', 'status-sync', 'stream'];
const TELLING: readonly DocumentedOperationId[] = ['status', 'status-sync'];

export class JobLog {
  /** The first response of each kind, as an example. */
  readonly examples: Partial<Record<'ids' | 'words' | 'moves' | 'rows' | Submitting, Exchange>> = {};
  /** Ids that run gave out. */
  ids = 0;
  /** An id that run gave to a second job of the same instance. */
  twice: JobFinding | null = null;
  /** Responses about a job with a word that its input had. */
  ownWords = 0;
  /** A response about a job with a word that only the input of other jobs had. */
  foreignWord: JobFinding | null = null;
  /** Answers of status and status-sync about jobs that are documented to be there. */
  readonly requested: Record<Submitting, number> = { run: 0, runsync: 0 };
  readonly forgotten: Record<Submitting, JobFinding | null> = { run: null, runsync: null };
  /** Answers with a state of a job that was in another one before. */
  moves = 0;
  /** An answer with a state that an answer before it had left behind. */
  back: JobFinding | null = null;
  /** Rows of jobs of this run in lists of requests. */
  rows = 0;
  /** A list that has a job in two of its rows. */
  listedTwice: JobFinding | null = null;
  readonly #word: RegExp;
  readonly #jobs = new Map<string, Job>();
  readonly #given = new Map<string, Exchange>();
  readonly #owners = new Map<string, Set<string>>();
  #unnamed = 0;

  /** @param runId stands in every word of the run, which is how they are found again. */
  constructor(runId: string) {
    this.#word = new RegExp(`pl-${runId.replaceAll(/[^\w-]/g, '\\$&')}-[0-9a-f]{16}`, 'g');
  }

  add(one: Answered): void {
    if (operation(one.operation).interface !== 'jobs') return;
    this.#noteMeeting(one);
    if (one.judged.kind !== 'valid') return;
    const { inst_id: instId = '', job_id: jobId } = one.judged.parameters;
    const key = isSubmitting(one.operation) ? this.#submitted(one, one.operation, instId) : keyOf(instId, jobId ?? '');
    const isOurs = isSubmitting(one.operation) || this.#jobs.has(key);
    if (isOurs && READING.includes(one.operation)) {
      this.#observe(one, key);
      this.#follow(one, key);
    }
    if (TELLING.includes(one.operation)) this.#send(one, key);
    if (one.operation === 'requests') this.#list(one, instId);
  }

  /** The run jobs of an instance that were seen to have ended by themselves: they are kept for a long time. */
  ended(instId: string): readonly string[] {
    const ofInstance = keyOf(instId, '');
    return [...this.#jobs].flatMap(([key, { kind, ownTerms, reported }]) => {
      const ended = kind === 'run' && !ownTerms && (reported.has('completed') || reported.has('failed'));
      return ended && key.startsWith(ofInstance) ? [key.slice(ofInstance.length)] : [];
    });
  }

  /** Whether no response has known this job yet, and no cancel or purge may have met it. */
  isNew(instId: string, jobId: string): boolean {
    const job = this.#jobs.get(keyOf(instId, jobId));
    return job !== undefined && !job.met && job.known.size === 0;
  }

  /** The first job of an instance that GET status found, and that no cancel or purge may have met; null where none is. */
  found(instId: string, kind: Submitting): string | null {
    const ofInstance = keyOf(instId, '');
    for (const [key, job] of this.#jobs) {
      const isIt = key.startsWith(ofInstance) && job.kind === kind && !job.met && job.known.has('GET status');
      if (isIt) return key.slice(ofInstance.length);
    }
    return null;
  }

  /** Any attempt counts, also one that should be refused. */
  #noteMeeting({ operation: id, exchange }: Answered): void {
    if (id !== 'cancel' && id !== 'purge-queue') return;
    const [, inst = '', job = ''] = /\/([^/]+)\/(?:cancel\/([^/?]+)|purge-queue)(?:\?.*)?$/.exec(exchange.url) ?? [];
    const [instId, jobId] = [plain(inst), plain(job)];
    if (id === 'cancel') {
      const cancelled = this.#jobs.get(keyOf(instId, jobId));
      if (cancelled) cancelled.met = true;
      return;
    }
    for (const [key, one] of this.#jobs) if (key.startsWith(`${instId} `)) one.met = true;
  }

  #submitted({ reply, exchange, requestBody }: Answered, kind: Submitting, instId: string): string {
    const jobId = isOk(reply) ? jobIdOf(reply.json) : null;
    this.#unnamed += 1;
    const key = jobId === null ? `${instId} (${this.#unnamed})` : keyOf(instId, jobId);
    if (!isOk(reply)) return key;
    for (const word of this.#wordsIn(requestBody)) {
      this.#owners.set(word, (this.#owners.get(word) ?? new Set()).add(key));
    }
    if (jobId === null) return key;
    if (kind === 'run') {
      const before = this.#given.get(key);
      this.ids += 1;
      this.examples.ids ??= exchange;
      if (before) this.twice ??= { words: `${jobId} was given to two jobs`, exchanges: [before, exchange] };
      this.#given.set(key, exchange);
    }
    const ownTerms = requestBody.includes('"policy"');
    this.#jobs.set(key, {
      kind,
      submittedMs: reply.sentMs,
      ownTerms,
      known: new Map(),
      met: false,
      reported: new Map(),
    });
    return key;
  }

  /**
   * A response that only repeats the request says nothing about a job; malformed ids are the subject of other checks.
   */
  #observe({ operation: id, reply, exchange }: Answered, key: string): void {
    if (!isAnswer(id, reply)) return;
    for (const word of this.#wordsIn(reply.text)) {
      const owners = this.#owners.get(word);
      if (!owners) continue;
      if (owners.has(key)) {
        this.ownWords += 1;
        this.examples.words ??= exchange;
      } else
        this.foreignWord ??= { words: `${word} in an answer about a job that was not given it`, exchanges: [exchange] };
    }
  }

  /** A job whose worker was lost may start again, where the response says so. */
  #follow({ reply, exchange }: Answered, key: string): void {
    const job = this.#jobs.get(key);
    const state = stateOf(reply.json);
    const isReported = isOk(reply) && state !== 'unknown' && !isAboutRequest(reply.json);
    if (!job || !isReported || Number(at(reply.json, 'retries')) > 0) return;
    for (const [before, { endMs, exchange: first }] of job.reported) {
      if (before === state || endMs > reply.sentMs) continue;
      this.moves += 1;
      this.examples.moves ??= exchange;
      if (rankOf(before) < rankOf(state) || (state === 'unfinished' && rankOf(before) < END)) continue;
      this.back ??= { words: `a job was ${before}, and ${state} in a later answer`, exchanges: [first, exchange] };
    }
    if (!job.reported.has(state)) job.reported.set(state, { endMs: reply.endMs, exchange });
  }

  #send({ operation: id, reply, exchange }: Answered, key: string): void {
    const job = this.#jobs.get(key);
    if (!job || job.met || job.ownTerms || exchange.url.includes('ttl=')) return;
    // It ended after it was submitted, so it has to be there at least until then.
    const keptUntilMs = job.submittedMs + (limitFor('retention', job.kind)?.value ?? 0);
    if (reply.endMs >= keptUntilMs) return;
    const route = `${exchange.method} ${id}`;
    if (isOk(reply)) {
      this.requested[job.kind] += 1;
      this.examples[job.kind] ??= exchange;
      job.known.set(route, exchange);
      return;
    }
    const known = job.known.get(route);
    if (GONE.includes(reply.status) && known) {
      const seconds = Math.round((reply.endMs - job.submittedMs) / 100) / 10;
      const words = `${exchange.method} ${exchange.url} answered ${reply.status}, ${seconds} s after the job was submitted, and had known it before`;
      this.forgotten[job.kind] ??= { words, exchanges: [known, exchange] };
    }
  }

  #list({ reply, exchange }: Answered, instId: string): void {
    for (const list of isOk(reply) ? outerLists(reply.json) : []) {
      const ids = list.flatMap((row) => (isObject(row) ? (jobIdOf(row) ?? []) : []));
      const ours = ids.filter((id) => this.#jobs.has(keyOf(instId, id)));
      if (ours.length === 0) continue;
      this.rows += ours.length;
      this.examples.rows ??= exchange;
      const twice = ours.find((id, index) => ours.indexOf(id) !== index);
      if (twice !== undefined) this.listedTwice ??= { words: `a list has ${twice} twice`, exchanges: [exchange] };
    }
  }

  #wordsIn(text: string): readonly string[] {
    return text.includes('pl-') ? [...new Set(text.match(this.#word) ?? [])] : [];
  }
}

const keyOf = (instId: string, jobId: string): string => `${instId} ${jobId}`;

function plain(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
