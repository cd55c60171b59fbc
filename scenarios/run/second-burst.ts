/**
 * The second burst of a rate probe whose first one admitted more than the limit. A fixed window whose boundary fell
 * into the first burst does so without being wrong; of two bursts at opposite phases it can meet only one.
 */
import { decodeLedger, type Ledger, zeroOf } from '../../schemas/ledger.ts';
import { boundaryOf, burstOf } from '../analysis/confirmation.ts';
import { classifier } from '../analysis/outcome.ts';
import { preparationMs } from '../plan/stagger.ts';
import { IDLE_MARGIN_MS, SECOND_IDLE_WINDOWS, secondTime, shiftedBy } from '../plan/timeline.ts';
import type { Probe, RateParameters } from '../probe.ts';

export type RateProbe<P extends Probe = Probe> = P & { readonly parameters: RateParameters };

export interface FirstBurst<P extends Probe = Probe> {
  readonly probe: RateProbe<P>;
  readonly ledger: string;
  /** Wall clock when the sender was called, ms. */
  readonly launchedAtMs: number;
  /** Whether what came back later has to be seen once more too, and not only the burst. */
  readonly whole: boolean;
}

/** Whether the sender came to its end; a ledger that was cut short cannot confirm anything. */
export function isComplete(ledger: string): boolean {
  return decodeLedger(ledger).marks.some(({ mark }) => mark === 'end');
}

/**
 * The probes of the second bursts, all to be started at `nowMs` (wall clock): each at another phase than its first one
 * (see `placeOf`), after idle windows, and not together with another. Leaves out a probe whose first burst cannot be
 * placed on the wall clock.
 */
export function secondBursts<P extends Probe>(firsts: readonly FirstBurst<P>[], nowMs: number): RateProbe<P>[] {
  const together = firsts.map(({ probe }) => probe.parameters.operation);
  const taken: { readonly fromMs: number; readonly toMs: number }[] = [];
  return firsts.flatMap((first) => {
    const { parameters } = first.probe;
    const { windowMs, operation } = parameters;
    const seen = placeOf(decodeLedger(first.ledger), windowMs);
    if (!seen) return [];
    const leastMs = SECOND_IDLE_WINDOWS * windowMs + IDLE_MARGIN_MS + preparationMs(operation, together);
    const startedMs = nowMs + Math.max(0, seen.zeroMs - first.launchedAtMs);
    let atMs = nextAtPhase(startedMs + leastMs, seen.phaseMs, windowMs) - startedMs;
    const lasts = parameters.recovery.fromMs - parameters.burstAtMs;
    while (taken.some(({ fromMs, toMs }) => atMs < toMs && fromMs < atMs + lasts)) atMs += windowMs;
    taken.push({ fromMs: atMs, toMs: atMs + lasts });
    return [secondProbe(first, atMs, startedMs)];
  });
}

interface Place {
  readonly zeroMs: number;
  /** The second one is to begin a whole number of windows from here. */
  readonly phaseMs: number;
}

/** A burst that takes up no more of its window can't overlap with one half a window off, and leaves time to be late. */
const SHORT_SHARE = 0.4;

/**
 * A third of a window, and a little more: a log that forgets in steps of the clock is to be met at another phase of
 * those. Windows whose boundary was in the first burst are no longer than what came back shows, but may be shorter by as
 * much as it took, so that later than this a boundary of theirs would meet the second one too; see `excludeBoundaries`.
 */
const OFF_WINDOWS = 0.337;
/** Of bursts that take longer no two are apart so. */
const OFF_SHARE = 0.3;
const FAR_OFF_WINDOWS = 0.537;

/**
 * On the wall clock; undefined when the ledger does not tell where the sender's zero and its first burst were. Far enough
 * off the first burst in its window, so that no boundary can be in both; where they are too long for that, right behind a
 * boundary, as far as the first one showed where that lies.
 */
export function placeOf(ledger: Ledger, windowMs: number): Place | undefined {
  const zeroMs = zeroOf(ledger);
  const classify = classifier(ledger.entries.filter(({ phase }) => phase === 'burst'));
  const burst = burstOf(ledger, ledger.entries, classify);
  if (zeroMs === undefined || !burst) return undefined;
  const share = (burst.toMs - burst.fromMs) / windowMs;
  const behindMs = share < SHORT_SHARE ? undefined : boundaryOf(ledger, classify)?.toMs;
  const offWindows = share < OFF_SHARE ? OFF_WINDOWS : FAR_OFF_WINDOWS;
  return { zeroMs, phaseMs: behindMs ?? burst.fromMs + offWindows * windowMs };
}

/** The first moment at or after `fromMs` that lies a whole number of windows from `phaseMs`. */
function nextAtPhase(fromMs: number, phaseMs: number, windowMs: number): number {
  return phaseMs + Math.ceil((fromMs - phaseMs) / windowMs) * windowMs;
}

function secondProbe<P extends Probe>(
  { probe, whole }: FirstBurst<P>,
  burstAtMs: number,
  zeroAtMs: number,
): RateProbe<P> {
  const laterMs = Math.round(burstAtMs) - probe.parameters.burstAtMs;
  const moved = shiftedBy(probe.parameters, laterMs);
  return {
    ...probe,
    id: `${probe.id}.second-burst`,
    title: `${probe.title}: ${whole ? 'once more' : 'a second burst'} at another phase of the window`,
    parameters: { ...secondTime(moved, whole), zeroAtMs },
    estimateMs: whole ? probe.estimateMs + laterMs : moved.recovery.fromMs,
  };
}
