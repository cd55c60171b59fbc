/**
 * Which limiter is behind a rate limit, by playing the known kinds over everything the probe sent. Only what fits is
 * named, and only where nothing else fits as well; a kind with another window than documented is looked for where none
 * with the documented one fits.
 */
import type { RateFacts } from '../../../schemas/facts.ts';
import { type Fit, type Frame, fits, type Named } from './fit.ts';
import type { Observation } from './observation.ts';

export type Explanation = Pick<RateFacts, 'algorithm' | 'couldBe' | 'fittedWindowMs'>;

export const NOTHING: Explanation = { algorithm: 'unknown', couldBe: [], fittedWindowMs: null };

/** Up to here a deviation is explained by uncertain moments. */
const NEAR = 1;
/** Of two kinds that are both near enough, one is named only when it is so much nearer, and the other not near. */
const CLEARLY_NEARER = 0.3;
const HARDLY_NEAR = 0.5;

export function explain(observation: Observation | null, limit: number, windowMs: number): Explanation {
  const frame = observation && frameOf(observation, limit, windowMs);
  if (!observation || !frame) return NOTHING;
  const { free, documented } = fits(observation, frame);
  const near = (all: readonly Fit[]) => all.filter((one) => one.distance <= NEAR).sort(byDistance);
  const [best = [], rest = []] = [near(documented), near(free)].filter((all) => all.length > 0);
  const candidates = best.length > 0 ? best : rest;
  const kinds = [...new Set(candidates.map((one) => one.algorithm))];
  const [nearest] = candidates;
  if (!nearest) return NOTHING;
  const named = kinds.length === 1 || isClear(candidates, nearest);
  if (!named) return { algorithm: 'unknown', couldBe: kinds, fittedWindowMs: null };
  return { algorithm: nearest.algorithm, couldBe: [nearest.algorithm], fittedWindowMs: nearest.windowMs };
}

const byDistance = (a: Fit, b: Fit): number => a.distance - b.distance;

function isClear(candidates: readonly Fit[], nearest: Fit): boolean {
  const isOther = (algorithm: Named) => algorithm !== nearest.algorithm;
  const next = candidates.find(({ algorithm }) => isOther(algorithm));
  if (next === undefined) return true;
  return next.distance >= HARDLY_NEAR && nearest.distance <= CLEARLY_NEARER * next.distance;
}

/** null where nothing was refused, or nothing came back. */
export function frameOf({ atMs, admitted, part }: Observation, limit: number, windowMs: number): Frame | null {
  const rows = part.map((name, index) => ({ name, atMs: atMs[index] ?? 0, admitted: admitted[index] === 1 }));
  const first = rows.filter(({ name }) => name === 'first');
  const refused = first.filter((one) => !one.admitted);
  const polls = rows.filter(({ name }) => name === 'recovery');
  const back = polls.findIndex((one) => one.admitted);
  const [begin, end] = [first[0], first.filter((one) => one.admitted).at(-1)];
  if (!begin || !end || refused.length === 0 || back === -1) return null;
  return {
    limit,
    windowMs,
    admitted: first.length - refused.length,
    beganMs: begin.atMs,
    endedMs: end.atMs,
    silentUntilMs: polls[back - 1]?.atMs ?? refused.at(-1)?.atMs ?? end.atMs,
    backMs: polls[back]?.atMs ?? end.atMs,
  };
}
