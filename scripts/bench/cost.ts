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

/** The question; `collect` for a heap without what is no longer in use. */
export interface CostQuestion {
  readonly tell: 'cost';
  readonly collect: boolean;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

export function asksForCost(message: unknown): message is CostQuestion {
  return isObject(message) && 'tell' in message && message.tell === 'cost';
}

export function isCost(message: unknown): message is Cost {
  return isObject(message) && 'cpuMs' in message && 'rssBytes' in message && 'inFlight' in message;
}
