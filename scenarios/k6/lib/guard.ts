/**
 * k6 only logs an exception of an iteration, goes on and ends with exit code 0. Here it ends the test with another
 * code, so that the executor leaves the ledger without its `end` mark.
 */
import { test } from 'k6/execution';

export function guarded<A extends readonly unknown[]>(iteration: (...args: A) => void): (...args: A) => void {
  return (...args) => {
    try {
      iteration(...args);
    } catch (error) {
      test.abort(`an iteration failed: ${error}`);
    }
  };
}

/** The same for an iteration that waits for promises. */
export function guardedAsync<A extends readonly unknown[]>(
  iteration: (...args: A) => Promise<void>,
): (...args: A) => Promise<void> {
  return async (...args) => {
    try {
      await iteration(...args);
    } catch (error) {
      test.abort(`an iteration failed: ${error}`);
    }
  };
}
