/**
 * The second burst of a rate probe whose first one admitted more than the limit. A fixed window whose boundary fell
 * into the first burst does so without being wrong; a burst that begins right after one is over before the next.
 */
import { decodeLedger, type Ledger, zeroOf } from '../../schemas/ledger.ts';
import { boundaryOf } from '../analysis/confirmation.ts';
import { classifier } from '../analysis/outcome.ts';
import { preparationMs } from '../plan/stages.ts';
import { burstOnly, IDLE_MARGIN_MS, shiftedBy } from '../plan/timeline.ts';
import type { Probe, RateParameters } from '../probe.ts';

export type RateProbe<P extends Probe = Probe> = P & { readonly parameters: RateParameters };

export interface FirstBurst<P extends Probe = Probe> {
  readonly probe: RateProbe<P>;
  readonly ledger: string;
  /** Wall clock when the sender was called, ms. */
  readonly launchedAtMs: number;
}

/** Whether the sender came to its end; a ledger that was cut short cannot confirm anything. */
export function isComplete(ledger: string): boolean {
  return decodeLedger(ledger).marks.some(({ mark }) => mark === 'end');
}

/**
 * The probes of the second bursts, all to be started at `nowMs` (wall clock). Each burst begins right after a boundary
 * of fixed windows, as far as the first one showed where those lie, else half a window off the first one; after an idle
 * window, and not together with another. Leaves out a probe whose first burst cannot be
 * placed on the wall clock.
 */
export function secondBursts<P extends Probe>(firsts: readonly FirstBurst<P>[], nowMs: number): RateProbe<P>[] {
  const together = firsts.map(({ probe }) => probe.parameters.operation);
  const taken: { readonly fromMs: number; readonly toMs: number }[] = [];
  return firsts.flatMap((first) => {
    const seen = placeOf(decodeLedger(first.ledger));
    if (!seen) return [];
    const { parameters } = first.probe;
    const { windowMs, operation } = parameters;
    const leastMs = windowMs + IDLE_MARGIN_MS + preparationMs(operation, together);
    const startedMs = nowMs + Math.max(0, seen.zeroMs - first.launchedAtMs);
    let atMs = nextAtPhase(startedMs + leastMs, seen.phaseMs ?? seen.burstMs + windowMs / 2, windowMs) - startedMs;
    const lasts = parameters.recovery.fromMs - parameters.burstAtMs;
    while (taken.some(({ fromMs, toMs }) => atMs < toMs && fromMs < atMs + lasts)) atMs += windowMs;
    taken.push({ fromMs: atMs, toMs: atMs + lasts });
    return [secondProbe(first.probe, atMs)];
  });
}

interface Place {
  readonly zeroMs: number;
  readonly burstMs: number;
  /** Right after a boundary, if there are such. */
  readonly phaseMs: number | undefined;
}

/** On the wall clock; undefined when the ledger does not tell where the sender's zero and its first burst were. */
function placeOf(ledger: Ledger): Place | undefined {
  const zeroMs = zeroOf(ledger);
  const burst = ledger.entries.filter(({ phase }) => phase === 'burst');
  if (zeroMs === undefined || burst.length === 0) return undefined;
  const burstMs = zeroMs + burst.reduce((least, { sentMs }) => Math.min(least, sentMs), Number.POSITIVE_INFINITY);
  return { zeroMs, burstMs, phaseMs: boundaryOf(ledger, classifier(burst))?.toMs };
}

/** The first moment at or after `fromMs` that lies a whole number of windows from `phaseMs`. */
function nextAtPhase(fromMs: number, phaseMs: number, windowMs: number): number {
  return phaseMs + Math.ceil((fromMs - phaseMs) / windowMs) * windowMs;
}

function secondProbe<P extends Probe>(probe: RateProbe<P>, burstAtMs: number): RateProbe<P> {
  const moved = shiftedBy(probe.parameters, Math.round(burstAtMs) - probe.parameters.burstAtMs);
  return {
    ...probe,
    id: `${probe.id}.second-burst`,
    title: `${probe.title}: a second burst at another phase of the window`,
    parameters: burstOnly(moved),
    estimateMs: moved.recovery.fromMs,
  };
}
