/**
 * Lines of a ledger that are no request and no mark: what the machine that sent it had left, and how many lines could
 * not be written. The executor adds them, so that a ledger file says of itself how good an evidence it is.
 */
import type { LostLines, MachineLoad } from './generator.ts';

const THOUSANDTHS = 1000;
const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * THOUSANDTHS) / THOUSANDTHS;

export function encodeMachine(load: MachineLoad): string {
  const { idleShare, leastIdleShare, loopLagMs, peakBytes } = load;
  const machine: MachineLoad = {
    idleShare: rounded(idleShare),
    leastIdleShare: rounded(leastIdleShare),
    loopLagMs: rounded(loopLagMs),
    peakBytes,
  };
  return JSON.stringify({ machine });
}

/** The parsed line's content; undefined when it is another kind of line. */
export function machineOf(value: unknown): MachineLoad | undefined {
  if (typeof value !== 'object' || value === null || !('machine' in value)) return undefined;
  return isMachine(value.machine) ? value.machine : undefined;
}

function isMachine(value: unknown): value is MachineLoad {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const known = ['idleShare', 'leastIdleShare', 'loopLagMs', 'peakBytes'];
  return known.every((name) => entries.some(([key, of]) => key === name && (of === null || typeof of === 'number')));
}

export function encodeLost(lost: LostLines): string {
  return JSON.stringify({ lost });
}

/** The parsed line's content; undefined when it is another kind of line. */
export function lostOf(value: unknown): LostLines | undefined {
  if (typeof value !== 'object' || value === null || !('lost' in value)) return undefined;
  return isLost(value.lost) ? value.lost : undefined;
}

function isLost(value: unknown): value is LostLines {
  if (typeof value !== 'object' || value === null || !('lines' in value) || !('why' in value)) return false;
  return typeof value.lines === 'number' && typeof value.why === 'string';
}
