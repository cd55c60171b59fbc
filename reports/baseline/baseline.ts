/** A baseline as it was read: its entries, each with the place that messages name, and the text they stand in. */
import type { BaselineEntry } from '../../schemas/baseline.ts';

export interface ReadEntry extends BaselineEntry {
  /** `FILE:LINE`, with the file as it was given. */
  readonly at: string;
}

export interface Baseline {
  /** The path as it was given. */
  readonly file: string;
  /** null where the file does not exist yet. */
  readonly text: string | null;
  readonly entries: readonly ReadEntry[];
}

/** What `--update-baseline` writes as the reason of a new entry; it warns until it is replaced. */
export const PLACEHOLDER = 'TODO: say why this is expected';

export const isPlaceholder = (reason: string): boolean => /^\s*TODO\b/i.test(reason);
