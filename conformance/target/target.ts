/**
 * The thing being judged, however it is reached. A `Target` holds what is the same for all checks of a run: where the
 * interfaces are, with which credentials, on whose clock, within which budgets and under which circumstances.
 */
import type { Dispatcher } from 'undici';
import type { Exchange } from '../../schemas/facts.ts';
import { jobIdOf, stateOf } from '../../schemas/job-answer.ts';
import { tableOf } from '../../schemas/limits.ts';
import {
  ACCEPT,
  awaitsJobs,
  type DocumentedOperationId,
  type InterfaceId,
  leavesJobs,
  mayHold,
  operation,
} from '../../schemas/operations.ts';
import type { Credentials, TargetConfig } from '../../schemas/target.ts';
import { Allowance } from './allowance.ts';
import { Budgets, type Permit } from './budget.ts';
import { type Clock, outlast } from './clock.ts';
import { AnswerLog } from './contract-log.ts';
import { type Judged, requireOwnRequest } from './contract-request.ts';
import { jobKeyOf } from './credentials.ts';
import { type Evidence, Masker } from './evidence.ts';
import { Gate } from './gate.ts';
import { type Circumstances, noLongWaits } from './long-waits.ts';
import { describe, durationOf, isOk, type Reply } from './reply.ts';
import { Inconclusive, TargetFailure } from './signals.ts';
import { Silence, Standstill } from './standstill.ts';
import { send, type WireRequest } from './transport.ts';

export const DEFAULT_TIMEOUT_MS = 10_000;
/** A completion may take long on a busy model; but one that never comes is to be found before a run ends. */
const COMPLETION_MS = 45_000;
/** They may hold their response, and clients usually request a minute and a half. */
const HELD_MS = 100_000;
const COMPLETING: readonly DocumentedOperationId[] = ['chat', 'completions'];

/**
 * `own`: the configured key as a bearer · `none`: no header · `broke`: the key without balance · `other`: the key of
 * another account · `bare`: the key without a scheme · `lower-case`: the scheme in small letters · or a header value.
 */
export type Authorization = 'own' | 'none' | 'broke' | 'other' | 'bare' | 'lower-case' | { readonly header: string };

const SCHEMES = { own: 'Bearer ', broke: 'Bearer ', other: 'Bearer ', bare: '', 'lower-case': 'bearer ' } as const;

export interface TargetRequest {
  readonly interface: InterfaceId;
  readonly method: string;
  /** Below the interface's address, with its version: `/v1/models`. May have a query. */
  readonly path: string;
  /** Whose budget it counts against; null where it reaches no operation. */
  readonly operation: DocumentedOperationId | null;
  readonly auth?: Authorization;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON with its content type; `body` is sent as it is. */
  readonly json?: unknown;
  readonly body?: string;
  /** Instead of the operation's usual timeout. A response that takes longer is then not counted as missing. */
  readonly timeoutMs?: number;
  /** The client goes away when so many pieces of the answer have come; what came is no whole answer. */
  readonly leavesAfter?: number;
  /** A 429 is an answer like any other here, not a reason to give up. */
  readonly expects429?: boolean;
  /**
   * What is wrong with the request, where that is its purpose: method, credential, body or path. Every other request
   * has to be a valid one by the schemas of the requests, or the check is at fault and not the target.
   */
  readonly breaks?: string;
  /** Sent also where the workers have stopped starting jobs, since that is what the check is there to find. */
  readonly insists?: boolean;
  /** It ends what the suite itself began, so no allowance refuses it. */
  readonly cleansUp?: true;
}

export interface TargetParts {
  readonly config: TargetConfig;
  readonly credentials: Credentials;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  /** Time passes at once; waiting costs nothing, and one thing happens after the other. */
  readonly virtual: boolean;
  /** Part of everything that is sent, so that the operator of the target can identify the run. */
  readonly runId?: string;
  readonly circumstances?: Partial<Circumstances>;
}

interface Prepared {
  readonly operation: DocumentedOperationId | null;
  readonly judged: Judged;
  /** A credential that is wrong on purpose is evidence; what in it comes from a key is masked all the same. */
  readonly madeUp: string | null;
  readonly wire: WireRequest & { readonly body?: string };
  readonly expects429: boolean;
  /** Waits for its response as long as a client of the operation would. */
  readonly isPatient: boolean;
}

/** Their responses say in which state a job is. */
const SHOWS_A_JOB: readonly DocumentedOperationId[] = ['run', 'runsync', 'status', 'status-sync', 'stream'];

export class Target {
  readonly config: TargetConfig;
  readonly clock: Clock;
  readonly virtual: boolean;
  readonly runId: string;
  readonly circumstances: Circumstances;
  readonly masker: Masker;
  readonly budgets: Budgets;
  readonly allowance = new Allowance();
  /** Opened by the checks that are sensitive to other jobs, as soon as they have ended. */
  readonly crowd = new Gate();
  readonly #silence = new Silence();
  /** What every operation was answered so far. */
  readonly standstill = new Standstill();
  readonly answers: AnswerLog;
  readonly #credentials: Credentials;
  readonly #goodKeys: readonly string[];
  readonly #jobKey: string | null;
  readonly #dispatcher: Dispatcher;

  constructor(parts: TargetParts) {
    this.config = parts.config;
    this.clock = parts.clock;
    this.virtual = parts.virtual;
    this.runId = parts.runId ?? 'local';
    this.circumstances = { table: tableOf(parts.config), longWaits: noLongWaits(), ...parts.circumstances };
    this.#credentials = parts.credentials;
    this.#goodKeys = Object.values(parts.credentials).filter((key) => key !== null);
    this.#jobKey = jobKeyOf(parts.credentials, parts.config);
    this.#dispatcher = parts.dispatcher;
    this.masker = new Masker(Object.values(parts.credentials));
    this.budgets = new Budgets(parts.clock, this.circumstances.table);
    this.answers = new AnswerLog(parts.config.endpoints, parts.config.model, this.runId);
  }

  get hasBrokeKey(): boolean {
    return this.#credentials.brokeKey !== null;
  }

  get hasOtherKey(): boolean {
    return this.#credentials.otherKey !== null;
  }

  hasKey(side: InterfaceId): boolean {
    return this.#key(side) !== null;
  }

  address(side: InterfaceId): string | null {
    const address = side === 'inference' ? this.config.baseUrl : this.config.jobBaseUrl;
    return address?.replace(/\/+$/, '') ?? null;
  }

  /**
   * A credential made out of the key of an interface, such as the same with one letter changed. It is masked like the
   * key itself, since it says nearly as much. Null where there is no key, or where nothing can be made of it.
   */
  credentialLike(side: InterfaceId, make: (key: string) => string | null): { readonly header: string } | null {
    const key = this.#key(side);
    const header = key === null ? null : make(key);
    if (header === null) return null;
    this.masker.learn(/^\S+ +(.*)$/.exec(header)?.[1] ?? '');
    return { header };
  }

  close(): Promise<void> {
    return this.#dispatcher.destroy();
  }

  /**
   * One exchange, recorded. Waits for its budget first.
   *
   * @throws TargetFailure when there was no HTTP response; Inconclusive when a limit refused it (the suite keeps within
   * all of them, so other traffic may be the cause), when it would be more than was announced, and when the operation
   * no longer responds, or the workers no longer start jobs.
   */
  async exchange(one: TargetRequest, evidence: Evidence, signal: AbortSignal): Promise<Reply> {
    const prepared = this.#prepare(one);
    if (one.operation !== null && !one.cleansUp) {
      this.#silence.requireVoice(one.operation);
      this.answers.requireServed(one.operation);
    }
    const { inst_id: instId = '', job_id: jobId = '' } =
      prepared.judged.kind === 'valid' ? prepared.judged.parameters : {};
    const standstill =
      one.operation === null || one.cleansUp || one.insists
        ? null
        : this.standstill.requireMove(one.operation, { instId, jobId }, this.clock.now());
    const ends = standstill ? AbortSignal.any([signal, standstill]) : signal;
    const permit = await this.#permit(one.operation, signal);
    try {
      this.allowance.take(Buffer.byteLength(prepared.wire.body ?? ''), evidence.owner, one.cleansUp === true);
      const reply = await this.#send(prepared, evidence, leavesJobs(one.operation) ? outlast(ends) : ends);
      if (one.operation !== null) this.#silence.answered(one.operation);
      if (one.operation !== null && SHOWS_A_JOB.includes(one.operation) && isOk(reply))
        this.standstill.see(
          { instId, jobId: jobId || (jobIdOf(reply.json) ?? '') },
          stateOf(reply.json),
          reply.endMs,
          awaitsJobs(one.operation) ? reply.sentMs : reply.endMs,
        );
      if (reply.status === 429 && !one.expects429) {
        throw new Inconclusive(
          `${reply.request} was refused (${describe(reply)}) although the suite keeps within the documented limits`,
          'run it without other users on the endpoint, or see the verdicts on the limits',
        );
      }
      return reply;
    } catch (error) {
      const isSilence = error instanceof TargetFailure && one.breaks === undefined && one.timeoutMs === undefined;
      if (one.operation !== null && isSilence) this.#silence.unanswered(one.operation);
      throw error;
    } finally {
      permit?.done();
    }
  }

  /**
   * What will be sent, once it is known to be what the check declares.
   *
   * @throws Error where it isn't: the fault is ours then, and nothing is sent.
   */
  #prepare(one: TargetRequest): Prepared {
    const address = this.address(one.interface);
    if (address === null)
      throw new Error(`a check sent a request to interface ${one.interface}, which is not configured`);
    const text = one.json === undefined ? one.body : JSON.stringify(one.json);
    const body = text === undefined ? {} : { body: text };
    const headers: Record<string, string> = {
      accept: ACCEPT,
      'user-agent': `proofload (run ${this.runId})`,
      ...(one.json === undefined ? {} : { 'content-type': 'application/json' }),
      ...this.#authorization(one.interface, one.auth ?? 'own'),
      ...one.headers,
    };
    const ownAuthorization = this.#authorization(one.interface, 'own').authorization ?? null;
    const judged = requireOwnRequest({ ...one, ...body, headers, ownAuthorization, goodKeys: this.#goodKeys });
    const leaves = one.leavesAfter === undefined ? {} : { leavesAfter: one.leavesAfter };
    const wire = { method: one.method, url: `${address}${one.path}`, headers, ...body, ...leaves };
    const madeUp = typeof one.auth === 'object' ? one.auth.header : null;
    return {
      operation: one.operation,
      judged,
      madeUp,
      expects429: one.expects429 === true,
      wire: { ...wire, timeoutMs: one.timeoutMs ?? this.#timeoutOf(one.operation, judged) },
      isPatient: one.timeoutMs === undefined && one.leavesAfter === undefined,
    };
  }

  /** A request that was lost with a kept connection is sent again, over a new one, as clients do. */
  async #send(prepared: Prepared, evidence: Evidence, signal: AbortSignal): Promise<Reply> {
    try {
      return await this.#sendOnce(prepared, evidence, signal);
    } catch (error) {
      if (!(error instanceof TargetFailure && error.onKept)) throw error;
      if (prepared.operation !== null) this.answers.of(prepared.operation).lostWithConnection += 1;
      return this.#sendOnce(prepared, evidence, signal);
    }
  }

  async #sendOnce(
    { operation: id, judged, madeUp, wire, expects429, isPatient }: Prepared,
    evidence: Evidence,
    signal: AbortSignal,
  ): Promise<Reply> {
    const { method, url, headers: requestHeaders, body } = wire;
    const common = { method, url, requestHeaders, ...(body === undefined ? {} : { requestBody: body }) };
    const masked = (raw: Exchange): Exchange => this.masker.exchange(raw, madeUp);
    const startedMs = this.clock.now();
    try {
      const reply = await send({ dispatcher: this.#dispatcher, clock: this.clock }, wire, signal).catch((error) => {
        const waitedMs = this.clock.now() - startedMs;
        throw (signal.aborted && isPatient && id !== null && this.#heldTooLong(id, judged, waitedMs)) || error;
      });
      const { status, headers: responseHeaders, text: responseBody } = reply;
      const durationMs = durationOf(reply);
      const exchange = masked({ ...common, status, responseHeaders, responseBody, durationMs });
      evidence.add(exchange);
      if (id !== null && wire.leavesAfter === undefined)
        this.answers.add({ operation: id, judged, reply, exchange, requestBody: body ?? '', expects429 });
      return reply;
    } catch (error) {
      if (error instanceof TargetFailure) {
        error.operation = id;
        const endMs = this.clock.now();
        const exchange = masked({ ...common, durationMs: endMs - startedMs, error: error.fact.observed });
        evidence.add(exchange);
        if (id !== null && isPatient && !error.onKept)
          this.answers.addFailure({ operation: id, judged, exchange, words: error.fact.observed, endMs });
      }
      throw error;
    }
  }

  /** A response about a job that has ended need not be held. */
  #timeoutOf(id: DocumentedOperationId | null, judged: Judged): number {
    if (id !== null && COMPLETING.includes(id)) return COMPLETION_MS;
    return mayHold(id) && !this.answers.hasEnded(judged) ? HELD_MS : DEFAULT_TIMEOUT_MS;
  }

  /** What a response that was waited for until the end of the run says all the same: other jobs took far less. */
  #heldTooLong(id: DocumentedOperationId, judged: Judged, waitedMs: number): TargetFailure | null {
    if (judged.kind !== 'valid') return null;
    const mostMs = this.standstill.holdsAtMostMs(id, judged.parameters.inst_id ?? '');
    if (waitedMs < mostMs) return null;
    const [most, waited] = [mostMs, waitedMs].map((ms) => `${Math.round(ms / 1000)} s`);
    return new TargetFailure({
      what: `a request to ${id} gets a response`,
      expected: `one within ${most}, since other jobs start and end during the run`,
      observed: `none after ${waited}, when the run ended`,
    });
  }

  #permit(id: DocumentedOperationId | null, signal: AbortSignal): Promise<Permit> | null {
    const budget = id === null ? null : operation(id).budget;
    return budget === null ? null : this.budgets.take(budget, signal);
  }

  #key(side: InterfaceId): string | null {
    return side === 'inference' ? this.#credentials.accessKey : this.#jobKey;
  }

  #authorization(side: InterfaceId, auth: Authorization): Record<string, string> {
    if (auth === 'none') return {};
    if (typeof auth === 'object') return { authorization: auth.header };
    const { brokeKey, otherKey } = this.#credentials;
    const key = auth === 'broke' ? brokeKey : auth === 'other' ? otherKey : this.#key(side);
    return key === null ? {} : { authorization: `${SCHEMES[auth]}${key}` };
  }
}
