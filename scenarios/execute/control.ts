/**
 * Control requests: sent when the last request of both waves was sent, one after the other and each on a connection of
 * its own. A connection made later is accepted later, so an answer shows that the target had got round to everything
 * sent before, which a request without an answer can't show of itself: a target that is kept from running reads it
 * only when the others are over. Shared by both senders, the plan that announces them and the analysis.
 */
import type { OperationId } from '../../schemas/operations.ts';
import { operationIn } from '../../schemas/own.ts';
import { type Addresses, type OutgoingRequest, outgoing } from './requests.ts';

export const CONTROL_PHASE = 'control';
/** The same request at other times: how long an answer takes, and whether what was sent before was accepted. */
export const TIMING_PHASE = 'timing';
/** One might be read in the same turn as what was sent before it. */
export const CONTROL_REQUESTS = 3;

/**
 * The request that disturbs least on the interface of these operations. `models` counts against the same limit as
 * they do, so where the slots are taken it is refused; that is an answer like any other. `health` has no limit.
 */
export function controlRequest(addresses: Addresses, operations: readonly OperationId[]): OutgoingRequest {
  const ofJobs = operationIn(addresses.operations, operations[0] ?? 'health').interface === 'jobs';
  return outgoing(addresses, ofJobs ? 'health' : 'models');
}
