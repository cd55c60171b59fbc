/**
 * A request on its way through the service. Parts that most operations never use, such as the query or a signal of the
 * client's disconnect, are made on first use.
 */
import { discard } from './body.ts';
import type { Call, JobCall, ServiceRequest } from './call.ts';
import type { Clock } from './clock.ts';
import type { Balancer } from './inference/balancer/balancer.ts';
import type { Endpoint } from './jobs/endpoint.ts';
import type { ReferenceOptions } from './options.ts';

/** What all calls of a service have in common. */
export interface Surroundings {
  readonly options: ReferenceOptions;
  readonly clock: Clock;
  readonly random: () => number;
  readonly balancer: Balancer;
}

export class ActiveCall implements Call {
  readonly request: ServiceRequest;
  readonly parameters: Readonly<Record<string, string>>;
  readonly endpoint: Endpoint | undefined;
  readonly options: ReferenceOptions;
  readonly clock: Clock;
  readonly random: () => number;
  readonly balancer: Balancer;
  readonly #search: string;
  readonly #received: Promise<void> | undefined;
  #query: URLSearchParams | null = null;

  constructor(
    request: ServiceRequest,
    parameters: Readonly<Record<string, string>>,
    search: string,
    endpoint: Endpoint | undefined,
    received: Promise<void> | undefined,
    { options, clock, random, balancer }: Surroundings,
  ) {
    this.request = request;
    this.parameters = parameters;
    this.endpoint = endpoint;
    this.options = options;
    this.clock = clock;
    this.random = random;
    this.balancer = balancer;
    this.#search = search;
    this.#received = received;
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#search);
    return this.#query;
  }

  get signal(): AbortSignal {
    return this.request.client.signal;
  }

  async arrived(): Promise<void> {
    if (this.request.body) await discard(this.request.body);
    if (this.#received) await this.#received;
  }

  isOnJobs(): this is ActiveCall & JobCall {
    return this.endpoint !== undefined;
  }
}
