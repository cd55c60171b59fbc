/**
 * What all scripts set alike. Tags and metrics are cut down because the ledger is the only result; the waits are long
 * because k6 forgets a request that is still in flight when its time is up.
 */
import http from 'k6/http';
import type { Options, Scenario } from 'k6/options';
import { type Addresses, userAgentOf } from '../../execute/requests.ts';

/** Milliseconds a request may still take after the last one of a script was started. */
export const DRAIN_MS = 60_000;

/** @param totalMs when the last request of any scenario is started, at the latest */
export function scriptOptions(
  scenarios: Record<string, Scenario>,
  totalMs: number,
  addresses: Pick<Addresses, 'runId'>,
): Options {
  http.setResponseCallback(null as unknown as ReturnType<typeof http.expectedStatuses>);
  return {
    scenarios,
    // By default a batch to one host goes six at a time.
    batchPerHost: 20,
    systemTags: [],
    discardResponseBodies: true,
    maxRedirects: 0,
    userAgent: userAgentOf(addresses),
    setupTimeout: `${Math.ceil(totalMs + DRAIN_MS)}ms`,
    teardownTimeout: '30s',
  } as Options;
}

/** `vus` VUs that call `exec` once each, started at once. */
export function onePerVu(exec: string, vus: number, totalMs: number): Scenario {
  return { executor: 'per-vu-iterations', exec, vus, iterations: 1, ...durations(totalMs) };
}

/** `iterations` calls of `exec`, each by whichever of the `vus` VUs is free first. */
export function byFreeVu(exec: string, vus: number, iterations: number, totalMs: number): Scenario {
  return {
    executor: 'shared-iterations',
    exec,
    vus: Math.min(vus, iterations),
    iterations,
    ...durations(totalMs),
  };
}

function durations(totalMs: number) {
  return { maxDuration: `${Math.ceil(totalMs + DRAIN_MS)}ms`, gracefulStop: `${DRAIN_MS}ms` };
}
