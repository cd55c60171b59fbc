/**
 * The whole service without a framework: one request in, one answer out, on an injected clock and random source.
 *
 * Order of decisions: route and method, key, endpoint, rate, concurrency, then what the operation itself decides (size,
 * body, job, queue). A slot is taken when the headers are here and given back exactly once: when the answer is complete
 * or when the client is gone.
 */
import { type OperationId, operations } from '../schemas/operations.ts';
import { refuseCaller } from './auth.ts';
import { discard } from './body.ts';
import type { Call, JobCall, Perform, ServiceRequest } from './call.ts';
import type { Clock } from './clock.ts';
import { jobError, methodNotAllowed, notFound, Refusal } from './errors.ts';
import { hex } from './ids.ts';
import { Balancer, type Instances } from './inference/balancer/balancer.ts';
import { control } from './inference/balancer/control.ts';
import { chat } from './inference/chat.ts';
import { completions } from './inference/completions.ts';
import { models } from './inference/models-operation.ts';
import { Endpoint } from './jobs/endpoint.ts';
import { workloadHandler } from './jobs/handler.ts';
import { Admission } from './limiters/admission.ts';
import { retentionOf } from './limiters/effective.ts';
import { withFields } from './limiters/rate-limit-fields.ts';
import { cancel } from './operations/cancel.ts';
import { health, purgeQueue, requests } from './operations/endpoint-wide.ts';
import { run } from './operations/run.ts';
import { runsync } from './operations/runsync.ts';
import { status, statusSync } from './operations/status.ts';
import { stream } from './operations/stream.ts';
import type { ReferenceOptions } from './options.ts';
import { type Reply, toResponse, withHeader } from './reply.ts';
import { type Route, routeOf, sideOf } from './routes.ts';
import type { Outgoing } from './rules.ts';
import { holdWhileStreaming, unlessAborted } from './slot.ts';

export interface CallContext {
  /** The client's address; interface A counts by it. */
  readonly address: string;
  /** Names the client's connection where there is one. */
  readonly connection?: string;
  /** Resolves when all of the request's body was read; only where `request.body` doesn't tell (a GET with a body). */
  readonly received?: Promise<void>;
}

export interface Service {
  /** The answer as plain values; rejects when the client went away before there was one. */
  reply(request: ServiceRequest, context: CallContext): Promise<Reply>;
  /** The same for standard Request and Response. */
  handle(request: Request, context: CallContext): Promise<Response>;
  /** Requests that are being answered, and the slots they hold; both 0 when nobody is there any more. */
  inFlight(): { readonly requests: number; readonly slots: number };
  /** Stops all jobs. */
  close(): void;
}

const inferenceOperations: Partial<Record<OperationId, Perform<Call>>> = { models, chat, completions };

const jobOperations: Partial<Record<OperationId, Perform<JobCall>>> = {
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

function endpointsOf(options: ReferenceOptions, clock: Clock, random: () => number): Map<string, Endpoint> {
  const settings = {
    retentionMs: { run: retentionOf(options, 'run'), runsync: retentionOf(options, 'runsync') },
    ttlWhileRunning: options.ttlWhileRunning,
    purgedJobs: options.purgedJobs,
  };
  return new Map(
    options.instances.map(({ instId, workersMax }) => [
      instId,
      new Endpoint({ ...settings, workersMax }, { clock, random, handler: options.rules.handler(workloadHandler) }),
    ]),
  );
}

/** @throws Error when an operation of the table has no implementation, which only a programming error can cause. */
function perform(id: OperationId, call: Call, endpoint: Endpoint | undefined): Promise<Reply> {
  const onJobs = jobOperations[id];
  if (onJobs && endpoint) return onJobs({ ...call, endpoint });
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
  const endpoints = endpointsOf(options, clock, random);
  const admission = new Admission(options);
  const { inferenceInstances, replaceMs } = options;
  const balancer = new Balancer({ instances: inferenceInstances, replaceMs }, clock);
  let inFlight = 0;

  async function admitted(route: Route, endpoint: Endpoint | undefined, call: Call): Promise<Reply> {
    const reply = await perform(route.operation.id, call, endpoint);
    if (options.latencyMs > 0) await clock.sleep(options.latencyMs, call.signal);
    return reply;
  }

  async function decide(request: ServiceRequest, context: CallContext): Promise<Reply> {
    const { pathname, searchParams } = new URL(request.url);
    const switched = options.control ? control(balancer, request.method, pathname) : null;
    if (switched) return switched;
    const route = routeOf(pathname);
    const instId = route?.parameters.inst_id ?? '';
    const authorization = request.headers.get('authorization') ?? '';
    const { address, connection = '' } = context;
    const caller = { instId, address, authorization, connection };
    const changed = async (reply: Reply, refusedBy: Outgoing['refusedBy'] = null): Promise<Reply> => {
      const { outgoing } = options.rules;
      if (!outgoing) return reply;
      const { method, headers } = request;
      const [asked, parameters] = [route?.operation.id ?? null, route?.parameters ?? {}];
      const about = { id: asked, method, parameters, query: searchParams, headers, caller, refusedBy, inFlight, clock };
      return outgoing(reply, about);
    };
    if (!route) return changed(notFound(sideOf(pathname), request.method, pathname));
    const { id, interface: side, methods } = route.operation;
    if (!methods.some((one) => one === request.method)) {
      return changed(methodNotAllowed(side, request.method, pathname, methods));
    }
    const credential = options.rules.credential(id, request.headers.get('authorization'));
    const stranger = refuseCaller(id, side, credential, options);
    if (stranger) return changed(stranger);
    const endpoint = endpoints.get(instId);
    if (side === 'jobs' && !endpoint) return changed(jobError(404, 'endpoint not found'));

    const entry = admission.admit(id, caller, clock.now());
    const told = (reply: Reply): Reply => withFields(reply, entry.fields, clock.now());
    if ('refused' in entry) return changed(told(entry.refused), entry.by);
    const { signal } = request;
    inFlight += 1;
    let left = false;
    const leave = (): void => {
      if (!left) inFlight -= 1;
      left = true;
      if (options.rules.freesSlot(id, signal.aborted)) entry.slot.free();
    };
    const arrived = async (): Promise<void> => {
      await discard(request.body);
      await context.received;
    };
    const call: Call = {
      request,
      query: searchParams,
      parameters: route.parameters,
      signal,
      options,
      clock,
      random,
      balancer,
      arrived,
    };
    try {
      const reply = await unlessAborted(admitted(route, endpoint, call), signal);
      return holdWhileStreaming(await changed(told(reply)), signal, leave);
    } catch (error) {
      try {
        if (error instanceof Refusal) return await changed(told(error.reply), error.by);
      } finally {
        leave();
      }
      throw error;
    }
  }

  async function reply(request: ServiceRequest, context: CallContext): Promise<Reply> {
    return withHeader(await decide(request, context), 'x-request-id', `req_${hex(random, 24)}`);
  }

  return {
    reply,
    handle: async (request, context) => toResponse(await reply(request, context)),
    inFlight: () => ({ requests: inFlight, slots: admission.taken() }),
    instances: balancer,
    close() {
      balancer.close();
      for (const endpoint of endpoints.values()) endpoint.close();
    },
  };
}

/** Every operation this service implements; a test compares it with the table. */
export const implemented: readonly OperationId[] = operations
  .map(({ id }) => id)
  .filter((id) => id in inferenceOperations || id in jobOperations);
