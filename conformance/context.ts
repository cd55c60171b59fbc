/**
 * What a check works with: clients for both interfaces, the clock, and methods that record what it saw. All that it
 * sends becomes evidence.
 */
import { randomBytes } from 'node:crypto';
import type { Expectation } from '../schemas/facts.ts';
import { limitFor } from '../schemas/limits.ts';
import { needsModel } from '../schemas/missing-option.ts';
import { type DocumentedBudgetId, type DocumentedOperationId, operation } from '../schemas/operations.ts';
import { isAboutJob } from '../schemas/own.ts';
import type { ResponseName } from '../schemas/responses/index.ts';
import type { RetentionFacts } from '../schemas/retention.ts';
import { BAD_CONTENT, NO_OPERATION } from '../schemas/status.ts';
import type { EndpointConfig } from '../schemas/target.ts';
import { type CleanUp, cleanUpAll } from './clean-up.ts';
import { isAnswer, responsesOf } from './reading/answer.ts';
import { breakOf } from './reading/schema.ts';
import type { Sender } from './target/allowance.ts';
import type { Clock } from './target/clock.ts';
import { Evidence } from './target/evidence.ts';
import { InferenceClient } from './target/inference.ts';
import { JobsClient } from './target/jobs.ts';
import { describe, isOk, type Reply } from './target/reply.ts';
import { Inconclusive, NotObservable, RequirementFailed, TargetFailure } from './target/signals.ts';
import type { Target } from './target/target.ts';

/** A result that several checks use is made once per run; its exchanges are evidence of each of them. */
interface Shared {
  /** When it was ready, which is never too long ago while it is still being made. */
  atMs: number;
  readonly value: Promise<unknown>;
  readonly evidence: Evidence;
}

/** What a failed requirement means for the check, and the method of the context that states it. */
export type Weight = 'assertion' | 'precondition';

export const ELSEWHERE = 'see the checks of this operation';

/**
 * Most shared results are about jobs, and a finished job expires: after half of its retention the result is made again.
 * Only a run that waits for retention lasts so long.
 */
const FRESH_MS = (limitFor('retention', 'run')?.value ?? 0) / 2;

const sharedByTarget = new WeakMap<Target, Map<string, Shared>>();

/** The endpoint that ordinary checks use: the first whose workers are not known to be none. */
export function workingEndpoint(target: Target): EndpointConfig | null {
  const { endpoints } = target.config;
  return endpoints.find((one) => one.workersMax !== 0) ?? endpoints[0] ?? null;
}

export class CheckContext {
  readonly target: Target;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly endpoint: EndpointConfig;
  readonly inference: InferenceClient;
  readonly jobs: JobsClient;
  readonly evidence: Evidence;
  readonly expectations: Expectation[] = [];
  /** How long jobs stayed, where the check watched that. */
  retention: RetentionFacts | null = null;
  readonly #cleanUps: CleanUp[] = [];
  readonly #leftBehind: string[] = [];

  /** @param owner the check that sends with it, and the name of the shared result that it makes, if any */
  constructor(target: Target, signal: AbortSignal, owner?: Sender) {
    this.target = target;
    this.evidence = new Evidence(owner);
    this.clock = target.clock;
    this.signal = signal;
    this.endpoint = workingEndpoint(target) ?? { instId: '', workersMax: null, dedicated: false };
    const exchange: InferenceExchange = (one) => target.exchange(one, this.evidence, signal);
    this.inference = new InferenceClient(exchange);
    this.jobs = new JobsClient(exchange, this.endpoint.instId, target.config, target.runId);
  }

  /** The model that requests name. @throws NotObservable where none is listed and none was given */
  get model(): string {
    return this.target.config.model || this.notObservable(needsModel.needs);
  }

  /** The prompt of completions; it names the run. */
  get prompt(): string {
    return `Count from one to ten in words. (${this.target.runId})`;
  }

  /** The same as a conversation. */
  get messages(): readonly [{ readonly role: 'user'; readonly content: string }] {
    return [{ role: 'user', content: this.prompt }];
  }

  /** A word that no other client can have sent and that names the run: an output with it is ours. */
  word(): string {
    return `pl-${this.target.runId}-${randomBytes(8).toString('hex')}`;
  }

  /** Records one thing that was expected and what was seen. Returns whether it holds. */
  expect(what: string, expected: string, observed: string, holds: boolean): boolean {
    this.expectations.push({ what, expected, observed, holds });
    return holds;
  }

  /** Records something the documentation leaves open. */
  note(what: string, observed: string): void {
    this.expect(what, 'not promised', observed, true);
  }

  expectOk(reply: Reply): boolean {
    return this.expect(`${reply.request} succeeds`, 'a status 2xx', describe(reply), isOk(reply));
  }

  expectStatus(reply: Reply, ...statuses: readonly number[]): boolean {
    const expected = `status ${statuses.join(' or ')}`;
    return this.expect(`${reply.request} gets a response`, expected, describe(reply), statuses.includes(reply.status));
  }

  /** The body has the shape that is documented, or that clients read. */
  expectShape(
    reply: Reply,
    name: ResponseName,
    layer: 'documented' | 'convention',
    body: unknown = reply.json,
  ): boolean {
    const found = breakOf(name, layer, body);
    const expected = layer === 'documented' ? 'the documented content' : 'the conventional fields';
    const what = `the body of ${reply.request}`;
    if (found === null) return this.expect(what, expected, describe(reply), true);
    const { words, schemaPath } = found;
    this.expectations.push({ what, expected, observed: words, holds: false, schemaPath });
    return false;
  }

  /** A requirement that the check is about. @throws RequirementFailed when it doesn't hold */
  assertion(what: string, expected: string, observed: string, holds: boolean): void {
    if (!holds) throw new RequirementFailed({ what, expected, observed });
    this.expect(what, expected, observed, true);
  }

  /** A requirement without which the check can't assert anything. @throws Inconclusive when it doesn't hold */
  precondition(what: string, expected: string, observed: string, holds: boolean, remedy = ELSEWHERE): void {
    if (!holds) throw new Inconclusive(`${what}: expected ${expected}, observed ${observed}`, remedy);
  }

  /** A request that must have succeeded for the rest to mean anything. */
  requireOk(reply: Reply, as: Weight = 'precondition'): void {
    this[as](`${reply.request} succeeds`, 'a status 2xx', describe(reply), isOk(reply));
  }

  /**
   * Asserts a success, with a readable body as precondition: another check asserts what is in the body, but without one
   * nothing shows that the target understood the operation.
   */
  expectAnswered(id: DocumentedOperationId, reply: Reply): void {
    this.requireOk(reply, 'assertion');
    this.requireAnswer(id, reply);
  }

  /** The body can be meant as a response of the operation. */
  expectContent(id: DocumentedOperationId, reply: Reply): void {
    this.expect(`the body of ${reply.request}`, responsesOf[id].words, describe(reply), isAnswer(id, reply));
  }

  /** Precondition of checks on the details of a response. */
  requireAnswer(id: DocumentedOperationId, reply: Reply): void {
    this.requireServed(id, reply);
    const what = `${reply.request} has a response that can be read`;
    this.precondition(what, responsesOf[id].words, describe(reply), isAnswer(id, reply));
  }

  /** Precondition: a target that refuses a request for its content doesn't have what the check needs. */
  requireTaken(reply: Reply, needs: string): void {
    if (BAD_CONTENT.includes(reply.status)) this.notObservable(needs);
    this.requireOk(reply);
  }

  /** That an operation is there is what its checks of the route are about; without it there is nothing to see. */
  requireServed(id: DocumentedOperationId, reply: Reply): void {
    const { status, request } = reply;
    const isAbsent = NO_OPERATION.includes(status) && !isAboutJob(operation(id));
    if (isAbsent && !this.target.answers.of(id).understood)
      this.notObservable(`${request}, which was answered with ${status}`);
    this.requireOk(reply);
  }

  inconclusive(reason: string, remedy: string): never {
    throw new Inconclusive(reason, remedy);
  }

  notObservable(needs: string): never {
    throw new NotObservable(needs);
  }

  /** Precondition of all that waits for a job to run: on an endpoint without workers none ever does. */
  needWorkers(instId: string = this.endpoint.instId): void {
    const endpoint = this.target.config.endpoints.find((one) => one.instId === instId);
    if (endpoint?.workersMax === 0) this.notObservable('an endpoint with workers (--inst-id, --workers-max)');
  }

  sleep(ms: number): Promise<void> {
    return this.clock.sleep(ms, this.signal);
  }

  /** Waits until this many requests of a tight budget can be sent without a pause between them. */
  room(budget: DocumentedBudgetId, count: number): Promise<void> {
    return this.target.budgets.room(budget, count, this.signal);
  }

  /**
   * Runs after the check, whatever happens, also when the check timed out. A failure of it is no finding. The client it
   * gets leaves no evidence and outlives the check.
   */
  defer(cleanUp: CleanUp): void {
    this.#cleanUps.push(cleanUp);
  }

  /**
   * Ends what the check started. Returns what could not be ended, one text each, also of shared results that it made.
   */
  async cleanUp(): Promise<readonly string[]> {
    const { instId } = this.endpoint;
    const own = await cleanUpAll(this.target, instId, this.#cleanUps.splice(0), this.evidence.owner);
    return [...this.#leftBehind.splice(0), ...own];
  }

  /**
   * Makes something once per run and target; later callers get the same, with the same evidence. Where the target
   * prevents it, a check with `assertion` fails, and one with `precondition` is inconclusive.
   */
  async shared<T>(key: string, make: (t: CheckContext) => Promise<T>, as: Weight = 'assertion'): Promise<T> {
    const all = sharedByTarget.get(this.target) ?? new Map<string, Shared>();
    sharedByTarget.set(this.target, all);
    let found = all.get(key);
    const now = this.clock.now();
    if (!found || now - found.atMs > FRESH_MS) {
      const context = new CheckContext(this.target, this.signal, { ...this.evidence.owner, shared: key });
      // The first caller has it made, and reports what of it could not be cleaned up.
      const tidy = async (): Promise<unknown> => this.#leftBehind.push(...(await context.cleanUp()));
      const ready = (): Promise<unknown> => {
        made.atMs = this.clock.now();
        return tidy();
      };
      const value = Promise.resolve(context).then(make).finally(ready);
      const made: Shared = { atMs: Number.POSITIVE_INFINITY, value, evidence: context.evidence };
      found = made;
      all.set(key, made);
    }
    try {
      // The map holds what `make` of this very key returned, so the type is the caller's.
      return (await found.value) as T;
    } catch (error) {
      const isFact = error instanceof RequirementFailed || error instanceof TargetFailure;
      throw isFact && as === 'precondition' ? new Inconclusive(error.message, ELSEWHERE) : error;
    } finally {
      for (const exchange of found.evidence.list()) this.evidence.add(exchange);
    }
  }
}

/** A situation that several checks use, made once per run for each value of `which` (see `shared`). */
export const fixture =
  <T, W extends readonly string[]>(key: string, as: Weight, make: (t: CheckContext, ...which: W) => Promise<T>) =>
  (t: CheckContext, ...which: W): Promise<T> =>
    t.shared([key, ...which].join(' '), (own) => make(own, ...which), as);

type InferenceExchange = ConstructorParameters<typeof InferenceClient>[0];
