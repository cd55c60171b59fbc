/**
 * The whole service without a framework: one request in, one answer out, on an injected clock and random source.
 *
 * Order of decisions: route and method, key, endpoint, rate, concurrency, then what the operation itself decides (size,
 * body, job, queue). A slot is taken when the headers are here and given back exactly once: when the answer is complete
 * or when the client is gone.
 */
import { type DocumentedOperationId, operations } from '../schemas/operations.ts';
import { ActiveCall, type Surroundings } from './active-call.ts';
import { noEndpoint, refuseCaller } from './auth.ts';
import type { Call, JobCall, Perform, ServiceRequest } from './call.ts';
import { type Client, clientOf } from './client.ts';
import type { Clock } from './clock.ts';
import { methodNotAllowed, notFound, Refusal } from './errors.ts';
import { numbered } from './ids.ts';
import { Balancer, control, type Instances } from './inference/balancer/balancer.ts';
import { chat } from './inference/chat.ts';
import { completions } from './inference/completions.ts';
import { addConvention } from './inference/headers.ts';
import { models } from './inference/models-operation.ts';
import { Endpoint, type EndpointEnv } from './jobs/endpoint.ts';
import { workloadHandler } from './jobs/handler.ts';
import { Admission } from './limiters/admission.ts';
import { retentionOf } from './limiters/effective.ts';
import {
  cancel,
  health,
  purgeQueue,
  requests,
  run,
  runsync,
  status,
  statusSync,
  stream,
} from './operations/operations.ts';
import type { ReferenceOptions } from './options.ts';
import { type Reply, toResponse } from './reply.ts';
import { type Address, addressOf, routeOf, sideOf } from './routes.ts';
import type { Outgoing } from './rules.ts';
import { giveUp, unlessAborted, untilRead } from './slot.ts';

export interface CallContext {
  /** The client's address; interface A counts by it. */
  readonly address: string;
  /** Names the client's connection where there is one. */
  readonly connection?: string;
  /**
   * Resolves when all of the request's body was read; only where `request.body` doesn't show it (a GET with a body).
   */
  readonly received?: Promise<void>;
}

export interface Service {
  /** The answer as plain values. One that was given up for lack of a client rejects, or never comes. */
  reply(request: ServiceRequest, context: CallContext): Promise<Reply>;
  /** The same for standard Request and Response. */
  handle(request: Request, context: CallContext): Promise<Response>;
  /** Requests that are being answered, and the slots they hold; both 0 when there are none. */
  inFlight(): { readonly requests: number; readonly slots: number };
  /** Stops all jobs. */
  close(): void;
}

const inferenceOperations: Partial<Record<DocumentedOperationId, Perform<Call>>> = { models, chat, completions };

const jobOperations: Partial<Record<DocumentedOperationId, Perform<JobCall>>> = {
  run,
  runsync,
  status,
  'status-sync': statusSync,
  stream,
  cancel,
  'purge-queue': purgeQueue,
  health,
  requests,
};

function endpointsOf(options: ReferenceOptions, env: Omit<EndpointEnv, 'handler'>): Map<string, Endpoint> {
  const settings = {
    retentionMs: { run: retentionOf(options, 'run'), runsync: retentionOf(options, 'runsync') },
    ttlWhileRunning: options.ttlWhileRunning,
    purgedJobs: options.purgedJobs,
    failureDetail: options.failureDetail,
    streamChunkBytes: options.streamChunkBytes,
  };
  const { jobId: named, handler: run, jobsAtOnce } = options.rules;
  const handler = run(workloadHandler);
  return new Map(
    options.instances.map(({ instId, workersMax }) => [
      instId,
      new Endpoint({ ...settings, workersMax, jobsAtOnce: () => jobsAtOnce(workersMax) }, { ...env, handler, named }),
    ]),
  );
}

/** @throws Error when an operation of the table has no implementation, which only a programming error can cause. */
function perform(id: DocumentedOperationId, call: ActiveCall): Promise<Reply> {
  const onJobs = jobOperations[id];
  if (onJobs && call.isOnJobs()) return onJobs(call);
  const onModels = inferenceOperations[id];
  if (onModels) return onModels(call);
  throw new Error(`operation '${id}' is not implemented`);
}

/** A service of this package: other implementations need not have instances. */
export interface ReferenceService extends Service {
  /** Those of interface A. */
  readonly instances: Instances;
}

export function createService(
  options: ReferenceOptions,
  env: { clock: Clock; random: () => number },
): ReferenceService {
  const { clock, random } = env;
  const endpoints = endpointsOf(options, env);
  const admission = new Admission(options);
  const { inferenceInstances, replaceMs } = options;
  const balancer = new Balancer({ instances: inferenceInstances, replaceMs }, clock);
  const surroundings: Surroundings = { options, clock, random, balancer };
  const requestId = numbered('req_', random);
  // Held here, because the signal of a Request that was garbage-collected no longer fires.
  const present = new Set<Client>();

  async function decide(request: ServiceRequest, context: CallContext, requested: Address): Promise<Reply> {
    const { pathname, search } = requested;
    const switched = options.control ? control(balancer, request.method, pathname) : null;
    if (switched) return switched;
    const route = routeOf(pathname);
    const instId = route?.parameters.inst_id ?? '';
    const authorization = request.headers.get('authorization');
    const { address, connection = '' } = context;
    const { method } = request;
    const caller = { instId, address, authorization: authorization ?? '', connection, method };
    const changed = (reply: Reply, refusedBy: Outgoing['refusedBy'] = null): Reply | Promise<Reply> => {
      const { outgoing } = options.rules;
      if (!outgoing) return reply;
      const { headers } = request;
      const query = new URLSearchParams(search);
      const inFlight = present.size;
      const [operationId, parameters] = [route?.operation.id ?? null, route?.parameters ?? {}];
      const about = { id: operationId, method, parameters, query, headers, caller, refusedBy, inFlight, clock };
      return outgoing(reply, about);
    };
    if (!route) return changed(notFound(sideOf(pathname), request.method, pathname));
    const { id, interface: side, methods } = route.operation;
    if (!methods.some((one) => one === request.method)) {
      return changed(methodNotAllowed(side, request.method, pathname, methods));
    }
    const credential = options.rules.credential(id, authorization);
    const refusal = refuseCaller(id, side, credential, options);
    if (refusal) return changed(refusal);
    const endpoint = endpoints.get(instId);
    if (side === 'jobs' && !endpoint) return changed(noEndpoint());

    const entry = admission.admit(id, caller, clock.now());
    const reported = (reply: Reply): Reply => {
      entry.fields?.(reply.headers, clock.now());
      return reply;
    };
    if ('refused' in entry) return changed(reported(entry.refused), entry.by);
    const { client } = request;
    present.add(client);
    let held = true;
    const leave = (): void => {
      if (!held) return;
      held = false;
      present.delete(client);
      if (options.rules.freesSlot(id, client.gone)) entry.slot.free();
    };
    const stay = client.onGone(leave);
    const over = (): void => {
      stay();
      leave();
    };
    const call = new ActiveCall(request, route.parameters, search, endpoint, context.received, surroundings);
    let streams = false;
    try {
      const whole = await perform(id, call);
      if (options.latencyMs > 0) await clock.sleep(options.latencyMs, call.signal);
      const altered = changed(reported(whole));
      const sent = altered instanceof Promise ? await altered : altered;
      streams = typeof sent.body !== 'string';
      return streams ? untilRead(sent, over) : sent;
    } catch (error) {
      if (error instanceof Refusal) return await changed(reported(error.reply), error.by);
      throw error;
    } finally {
      if (!streams) over();
    }
  }

  async function reply(request: ServiceRequest, context: CallContext): Promise<Reply> {
    const [requested, sinceMs] = [addressOf(request.url), clock.now()];
    const decided = await decide(request, context, requested);
    decided.headers['x-request-id'] = requestId();
    if (sideOf(requested.pathname) === 'inference') addConvention(decided.headers, clock.now() - sinceMs);
    return decided;
  }

  return {
    reply,
    async handle(request, context) {
      const { method, url, headers, body, signal } = request;
      const answer = reply({ method, url, headers, body, client: clientOf(request) }, context);
      try {
        return toResponse(await unlessAborted(answer, signal));
      } catch (error) {
        answer.then(giveUp, () => undefined);
        throw error;
      }
    },
    inFlight: () => ({ requests: present.size, slots: admission.taken() }),
    instances: balancer,
    close() {
      balancer.close();
      for (const endpoint of endpoints.values()) endpoint.close();
    },
  };
}

/** Every operation this service implements; a test compares it with the table. */
export const implemented: readonly DocumentedOperationId[] = operations
  .map(({ id }) => id)
  .filter((id) => id in inferenceOperations || id in jobOperations);
