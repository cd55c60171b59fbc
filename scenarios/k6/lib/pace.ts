/** A steady load on an absolute schedule: exact in number, and never a burst. */
import type { OperationId } from '../../../schemas/operations.ts';
import { type Addresses, inTurn, outgoing } from '../../execute/requests.ts';
import { sleepUntil } from './clock.ts';
import { prepare, sendPrepared } from './http.ts';
import { type Span, slotAt } from './schedule.ts';

export interface Pace {
  readonly span: Span;
  /** A slot that is later than this is left out. */
  readonly latestMs: number;
  readonly vus: number;
  /** Taken in turn, each with its methods in turn. */
  readonly operations: readonly OperationId[];
  readonly jobId?: string | undefined;
  /** Whether the number of requests that the server gets has to be known. */
  readonly exact?: boolean;
  /** Whether an answer may be a refusal in spite of its status. */
  readonly keepBody?: boolean;
}

/** Waits for this slot and sends it. `baseMs` shifts the schedule. */
export function sendSlot(addresses: Addresses, pace: Pace, slot: number, baseMs: number): void {
  const dueMs = baseMs + slotAt(pace.span, slot);
  const { id, method } = inTurn(pace.operations, slot, addresses.operations);
  // Made ready before its moment, not late at it.
  const request = prepare(outgoing(addresses, id, { method, jobId: pace.jobId }), {
    phase: 'pace',
    exact: pace.exact ?? false,
    keepBody: pace.keepBody ?? false,
  });
  const late = sleepUntil(dueMs);
  if (late <= pace.latestMs) sendPrepared(request, dueMs);
}
