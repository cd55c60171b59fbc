/**
 * What a runner says of itself in its ledger, when several send the same probe together: which one it is, when all were to
 * start, and how its clock stands to the one that they have in common. A ledger of several is one after the other.
 */
import type { LedgerMark } from './ledger.ts';

export interface Runner {
  /** From 0. */
  readonly index: number;
  readonly count: number;
  readonly runId: string;
  /** When all of them start, by the common clock, ms. */
  readonly startAtMs: number;
  /** Common clock minus own clock, and how far that may be off, ms. */
  readonly offsetMs: number;
  readonly errorMs: number;
}

/** A runner's part of a ledger. */
export interface RunnerPart extends Runner {
  rows: number;
  /** False when it has no last line. */
  complete: boolean;
  /** From the common start to when its script began, ms; negative where it was there before. */
  readonly beganMs: number;
}

export const encodeRunner = (runner: Runner): string => JSON.stringify({ runner });

/** The parsed line's content; undefined when it is another kind of line. */
export function runnerOf(value: unknown): Runner | undefined {
  if (typeof value !== 'object' || value === null || !('runner' in value)) return undefined;
  return isRunner(value.runner) ? value.runner : undefined;
}

function isRunner(value: unknown): value is Runner {
  if (typeof value !== 'object' || value === null) return false;
  const entries = new Map(Object.entries(value));
  const isNumbered = ['index', 'count', 'startAtMs', 'offsetMs', 'errorMs'].every((name) =>
    Number.isFinite(entries.get(name)),
  );
  return isNumbered && typeof entries.get('runId') === 'string';
}

/** From a runner's own times to the common ones, which are 0 at the common start. */
export const shiftOf = ({ startAtMs, offsetMs }: Runner, { wallMs, monotonicMs }: LedgerMark): number =>
  wallMs - monotonicMs + offsetMs - startAtMs;
