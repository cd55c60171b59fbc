/** Small data for the report's pictures, thinned so that a page of them stays light. */
import type { ArrivalsPicture, InFlightPicture } from '../../schemas/facts.ts';
import type { LedgerRow, Many } from '../../schemas/ledger-rows.ts';
import { leastOf } from './column.ts';
import type { Classify } from './outcome.ts';
import { surelyWithin } from './windows.ts';

const BINS = 300;
const STEPS = 400;

/** Arrivals per bin over the whole probe, by send time. */
export function arrivalsPicture(
  entries: Many<LedgerRow>,
  classify: Classify,
  limit: { readonly value: number; readonly windowMs: number },
): ArrivalsPicture {
  const lastMs = Math.max(0, -leastOf(entries, ({ sentMs }) => -sentMs));
  const binMs = Math.max(50, Math.ceil(lastMs / BINS / 50) * 50);
  const bins = Math.floor(lastMs / binMs) + 1;
  const admitted = new Array<number>(bins).fill(0);
  const refused = new Array<number>(bins).fill(0);
  entries.forEach((entry) => {
    const outcome = classify(entry);
    if (outcome === 'neither') return;
    const row = outcome === 'admitted' ? admitted : refused;
    const bin = Math.floor(entry.sentMs / binMs);
    row[bin] = (row[bin] ?? 0) + 1;
  });
  const { value, windowMs } = limit;
  const inWindow = inWindowByBin(
    entries.filter((entry) => classify(entry) === 'admitted'),
    { binMs, bins, windowMs },
  );
  return { kind: 'arrivals', binMs, windowMs, limit: value, admitted, refused, inWindow };
}

interface Binning {
  readonly binMs: number;
  readonly bins: number;
  readonly windowMs: number;
}

/** The fullest of the windows that end with its beginning or with an answer in it. */
function inWindowByBin(admitted: Many<LedgerRow>, { binMs, bins, windowMs }: Binning): number[] {
  const within = surelyWithin(admitted, windowMs);
  const most = Array.from({ length: bins }, (_, bin) => within(bin * binMs));
  admitted.forEach(({ firstByteMs }) => {
    const bin = Math.min(bins - 1, Math.floor(firstByteMs / binMs));
    most[bin] = Math.max(most[bin] ?? 0, within(firstByteMs));
  });
  return most;
}

/** Requests in flight after each send or answer, with refusals so far. */
export function inFlightPicture(entries: readonly LedgerRow[], classify: Classify, limit: number): InFlightPicture {
  const events = entries.flatMap((entry) => [
    { atMs: entry.sentMs, step: 1, refusal: 0 },
    { atMs: entry.firstByteMs, step: -1, refusal: classify(entry) === 'refused' ? 1 : 0 },
  ]);
  events.sort((a, b) => a.atMs - b.atMs || a.step - b.step);
  let inFlight = 0;
  let refused = 0;
  const steps = events.map((event) => {
    inFlight += event.step;
    refused += event.refusal;
    return { atMs: Math.round(event.atMs), inFlight, refused };
  });
  const every = Math.max(1, Math.ceil(steps.length / STEPS));
  const top = steps.reduce((best, step, index) => (step.inFlight > (steps[best]?.inFlight ?? 0) ? index : best), 0);
  const kept = steps.filter((_, index) => index % every === 0 || index === top || index === steps.length - 1);
  return { kind: 'in-flight', limit, steps: kept };
}
