/** What is found by runners that may have addresses of their own. */
import type { GeneratorHealth, StatusCounts } from './facts.ts';

/** What several runners got that each sent what one address may have at once, and a few more. */
export interface AddressesFacts {
  readonly kind: 'addresses';
  readonly limitId: string;
  readonly limit: number;
  readonly parts: readonly {
    /** From 1. */
    readonly runner: number;
    readonly admitted: number;
    readonly refused: number;
    readonly statuses: StatusCounts;
  }[];
  /** Most of what was served that surely was in flight at one moment. */
  readonly together: number;
  readonly health: GeneratorHealth;
}
