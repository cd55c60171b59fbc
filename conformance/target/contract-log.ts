/**
 * What each operation responded during a run, to all checks: how many responses were checked, and the first of each
 * kind that breaks the contract, with its exchange. The checks of every response read it when all others have ended.
 */
import type { Exchange } from '../../schemas/facts.ts';
import { isFinal, jobIdOf, stateOf } from '../../schemas/job-answer.ts';
import { at } from '../../schemas/json.ts';
import { isSmall, limitFor, limitsOf } from '../../schemas/limits.ts';
import { type DocumentedOperationId, type InterfaceId, isSubmitting, operation } from '../../schemas/operations.ts';
import { isAboutJob } from '../../schemas/own.ts';
import type { EndpointConfig } from '../../schemas/target.ts';
import { isAnswer, isFailedJob } from '../reading/answer.ts';
import { modelIdsOf } from '../reading/models.ts';
import type { Break } from '../reading/schema.ts';
import {
  broken,
  conventionBreak,
  documentedBreak,
  errorBreak,
  requestsStream,
  streamBreak,
  typeBreak,
} from './contract-answer.ts';
import type { Judged, Parameters } from './contract-request.ts';
import { JobLog } from './job-log.ts';
import { describe, isOk, type Reply } from './reply.ts';
import { Inconclusive } from './signals.ts';

export interface Finding extends Break {
  readonly exchange: Exchange;
}

/** Answers of one kind. `first`: the first of them, as an example. */
export class Tally {
  answers = 0;
  first: Exchange | null = null;
  broken = 0;
  worst: Finding | null = null;

  add(found: Break | null, exchange: Exchange): void {
    this.answers += 1;
    this.first ??= exchange;
    if (found === null) return;
    this.broken += 1;
    this.worst ??= { ...found, exchange };
  }
}

export class OperationLog {
  /** Whether some successful answer can be meant as one. */
  understood = false;
  readonly documented = new Tally();
  readonly fields = new Tally();
  readonly types = new Tally();
  readonly errors = new Tally();
  readonly streams = new Tally();
  /** Ids of completions, whole and in streams. */
  readonly ids = new Tally();
  readonly #requestOf = new Map<string, string>();
  readonly #isServed = new Map<string, boolean>();
  /** Requests within the documentation and its limits, about what is there, and those of them that were not served. */
  readonly served = new Tally();
  /** The same, and those of them that were refused as too many. */
  readonly tooMany = new Tally();
  /** All other requests, and those of them that were neither refused nor served. */
  readonly others = new Tally();
  /** Of the last ones all those that were not served, one after the other. */
  unservedInARow = 0;
  /** Events of all streams. */
  events = 0;
  /** Requests that were lost with a connection that an earlier response had left open, and were sent again. */
  lostWithConnection = 0;

  addId(id: unknown, request: string, exchange: Exchange): void {
    this.ids.add(this.#idBreak(id, request), exchange);
  }

  /** A cache may give the same request the same response again; two different ones never have one id. */
  #idBreak(id: unknown, request: string): Break | null {
    if (typeof id !== 'string') return broken('no id');
    const first = this.#requestOf.get(id) ?? request;
    this.#requestOf.set(id, first);
    return first === request ? null : broken(`${id}, which another request got too`);
  }

  /** A request that was refused for good at one time and served at another had no fault of its own. */
  unlikeBefore(request: string, isServed: boolean): boolean {
    const before = this.#isServed.get(request) ?? isServed;
    this.#isServed.set(request, before);
    return before !== isServed;
  }

  addServed(found: Break | null, exchange: Exchange): void {
    this.served.add(found, exchange);
    this.unservedInARow = found === null ? 0 : this.unservedInARow + 1;
  }
}

export interface Answered {
  readonly operation: DocumentedOperationId;
  readonly judged: Judged;
  readonly reply: Reply;
  readonly exchange: Exchange;
  readonly requestBody: string;
  readonly expects429: boolean;
}

export interface Failed {
  readonly operation: DocumentedOperationId;
  readonly judged: Judged;
  readonly exchange: Exchange;
  readonly words: string;
  readonly endMs: number;
}

type Valid = Extract<Judged, { kind: 'valid' }>;

interface KnownJob {
  readonly instId: string;
  /** As long as it is promised to stay even if it ended at once: ms on the run's clock. */
  readonly keptUntilMs: number;
  /** Cancelled or purged before it was seen to have ended: whether it is kept then is not documented. */
  stopped: boolean;
  ended: boolean;
}

const TOO_MANY = 429;
const BREAKDOWN = 500;
/** Also for a good request: a client with such a response drops a good key, or sends the same again. */
export const UNSERVED: Readonly<Record<InterfaceId, readonly number[]>> = {
  inference: [401, 408, 409, TOO_MANY],
  jobs: [401, TOO_MANY],
};
/** What HTTP has for a method that a server does not know (RFC 9110, 15.6.2). */
const NOT_IMPLEMENTED = 501;
/** Refusals of a credential on interface B: how it is authenticated is not documented, and no client reads them. */
const JOB_CREDENTIAL: readonly number[] = [401, 403];

/** A job may well be polled through a moment of such responses. */
const GIVEN_UP_AFTER = 20;

export class AnswerLog {
  /** What became of every job. */
  readonly jobs: JobLog;
  readonly #operations = new Map<DocumentedOperationId, OperationLog>();
  readonly #instances: ReadonlySet<string>;
  readonly #exclusive: ReadonlySet<string>;
  readonly #models: Set<string>;
  /** Whether a single model can be read at all: where it can't, its absence is no refusal. */
  #readsModels = false;
  /** When the first request of the run was sent. */
  #fromMs = Number.POSITIVE_INFINITY;
  readonly #jobs = new Map<string, KnownJob>();

  constructor(endpoints: readonly EndpointConfig[], model: string | null, runId: string) {
    this.jobs = new JobLog(runId);
    this.#exclusive = new Set(endpoints.filter((one) => one.dedicated).map((one) => one.instId));
    this.#instances = new Set(endpoints.map((one) => one.instId));
    this.#models = new Set(model === null ? [] : [model]);
  }

  of(id: DocumentedOperationId): OperationLog {
    const known = this.#operations.get(id) ?? new OperationLog();
    this.#operations.set(id, known);
    return known;
  }

  /** Whether a job of ours was seen in a state that nothing follows. */
  hasEnded(judged: Judged): boolean {
    return judged.kind === 'valid' && this.#jobs.get(jobKey(judged.parameters))?.ended === true;
  }

  /** @throws Inconclusive when an operation has responded with nothing else than errors for long enough. */
  requireServed(id: DocumentedOperationId): void {
    const { unservedInARow } = this.of(id);
    if (unservedInARow < GIVEN_UP_AFTER) return;
    throw new Inconclusive(
      `${id} served none of ${unservedInARow} requests in a row, so no more were sent`,
      `see ${id}.answers.served`,
    );
  }

  add(one: Answered): void {
    this.jobs.add(one);
    const { operation: id, judged, reply, exchange, expects429 } = one;
    this.#fromMs = Math.min(this.#fromMs, reply.sentMs);
    if (this.#isServable(judged, reply.endMs)) {
      const isRefused = reply.status === TOO_MANY;
      if (!expects429) this.of(id).tooMany.add(isRefused ? broken(describe(reply)) : null, exchange);
      if (!isRefused || !(expects429 || this.#isShared(judged.parameters) || this.#isEarly(id, reply)))
        this.of(id).addServed(this.#unserved(one, `${exchange.url} ${one.requestBody}`), exchange);
    } else {
      const brokeDown = reply.status >= BREAKDOWN && reply.status !== NOT_IMPLEMENTED && !isFailedJob(reply);
      this.of(id).others.add(brokeDown ? broken(describe(reply)) : null, exchange);
    }
    if (isOk(one.reply)) this.#addAnswer(one);
    else this.#addRefusal(one);
  }

  #unserved({ operation: id, reply }: Answered, request: string): Break | null {
    const { status } = reply;
    const row = operation(id);
    // The handler's doing, which is reported with whatever status the service has for it.
    if (isFailedJob(reply)) return null;
    if (status >= BREAKDOWN || UNSERVED[row.interface].includes(status)) return broken(describe(reply));
    // What is said about a job depends on how far the job is.
    if (isAboutJob(row) || !this.of(id).unlikeBefore(request, isOk(reply))) return null;
    return broken(`${describe(reply)}; the same request was ${isOk(reply) ? 'refused' : 'served'} before`);
  }

  /** A request without a complete response. `words`: what came instead. */
  addFailure({ operation: id, judged, exchange, words, endMs }: Failed): void {
    const log = this.of(id);
    if (this.#isServable(judged, endMs)) log.addServed(broken(words), exchange);
    else log.others.add(broken(words), exchange);
  }

  /** Other clients may use up the limits of an endpoint that is not exclusive. */
  #isShared({ inst_id: instId }: Parameters): boolean {
    return instId !== undefined && !this.#exclusive.has(instId);
  }

  /** The last requests of an earlier run may have used up a small limit. */
  #isEarly(id: DocumentedOperationId, { sentMs }: Reply): boolean {
    const rate = limitsOf('requests').find(({ operations }) => operations.includes(id));
    return rate !== undefined && isSmall(rate) && sentMs - this.#fromMs < rate.windowMs;
  }

  #isServable(judged: Judged, endMs: number): judged is Valid {
    if (judged.kind !== 'valid' || (judged.name === 'model' && !this.#readsModels)) return false;
    return this.#isThere(judged.parameters, this.#jobs.get(jobKey(judged.parameters)), endMs);
  }

  #addAnswer({ operation: id, judged, reply, exchange, requestBody }: Answered): void {
    if (judged.kind !== 'valid') return;
    const { name, parameters } = judged;
    const job = this.#jobs.get(jobKey(parameters));
    if (!this.#isThere(parameters, job, reply.endMs)) return;
    const log = this.of(id);
    const isCompletion = name === 'chat' || name === 'completions';
    if (isCompletion && requestsStream(requestBody)) {
      const { events, id: streamId, found } = streamBreak(name, reply);
      if (streamId !== undefined) log.addId(streamId, requestBody, exchange);
      log.events += events;
      log.streams.add(found, exchange);
      return;
    }
    if (isCompletion) log.addId(at(reply.json, 'id'), requestBody, exchange);
    if (name === 'model') this.#readsModels = true;
    log.understood ||= name === id && isAnswer(id, reply);
    if (job?.stopped !== true) log.documented.add(documentedBreak(name, reply, requestBody), exchange);
    log.fields.add(conventionBreak(name, reply), exchange);
    log.types.add(typeBreak(name, reply), exchange);
    this.#learn(id, parameters, reply);
  }

  /** Only what a client could have sent by mistake, and what the service itself has refused. */
  #addRefusal({ operation: id, judged, reply, exchange }: Answered): void {
    const { status } = reply;
    if (status < 400 || status === TOO_MANY || status >= BREAKDOWN) return;
    if (judged.kind === 'valid' ? judged.name === 'model' && !this.#readsModels : judged.part === 'route') return;
    if (operation(id).interface === 'jobs' && JOB_CREDENTIAL.includes(status)) return;
    this.of(id).errors.add(errorBreak(id, reply), exchange);
  }

  /** Whether what a request is about certainly exists: an instance of ours, a job of ours that is still kept. */
  #isThere({ inst_id: instId, job_id: jobId, model }: Parameters, job: KnownJob | undefined, endMs: number): boolean {
    if (model !== undefined && !this.#models.has(model)) return false;
    if (instId !== undefined && !this.#instances.has(instId)) return false;
    return jobId === undefined || (job !== undefined && endMs < job.keptUntilMs);
  }

  #learn(id: DocumentedOperationId, parameters: Parameters, reply: Reply): void {
    const { inst_id: instId = '' } = parameters;
    if (id === 'models') for (const model of modelIdsOf(reply.json)) this.#models.add(model);
    const job = this.#jobs.get(jobKey(parameters));
    if (job && (id === 'status' || id === 'status-sync')) job.ended ||= isFinal(stateOf(reply.json));
    if (id === 'cancel' || id === 'purge-queue') {
      const hit = id === 'cancel' ? [job] : [...this.#jobs.values()].filter((one) => one.instId === instId);
      for (const one of hit) if (one) one.stopped ||= !one.ended;
    }
    const retention = isSubmitting(id) ? limitFor('retention', id) : undefined;
    const jobId = retention === undefined ? null : jobIdOf(reply.json);
    if (retention === undefined || jobId === null) return;
    const keptUntilMs = reply.sentMs + retention.value;
    this.#jobs.set(jobKey({ inst_id: instId, job_id: jobId }), { instId, keptUntilMs, stopped: false, ended: false });
  }
}

const jobKey = ({ inst_id: instId = '', job_id: jobId = '' }: Parameters): string => `${instId} ${jobId}`;
