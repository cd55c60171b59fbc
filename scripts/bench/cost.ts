/** What a benchmark's server has cost so far, as it tells its parent. */

export interface Cost {
  /** Processor time, user and system. */
  readonly cpuMs: number;
  readonly rssBytes: number;
  /** In use on the heap and beside it. */
  readonly heapBytes: number;
  /** Requests being answered. */
  readonly inFlight: number;
}

export const COST_PLEASE = { tell: 'cost' };

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

export function asksForCost(message: unknown): boolean {
  return isObject(message) && 'tell' in message && message.tell === COST_PLEASE.tell;
}

export function isCost(message: unknown): message is Cost {
  return isObject(message) && 'cpuMs' in message && 'rssBytes' in message && 'inFlight' in message;
}
