/**
 * A vitest reporter whose one line is the very last of the output: `N passed, N failed`, and `, N skipped` when there
 * are any. Failures that are no tests (a file that doesn't load, an uncaught error) count as failed, so that the line
 * and the exit code never disagree.
 */
import { writeSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function lastLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Counts the tests of all files, and the errors outside of tests. */
export function tally(modules: readonly TestModule[], unhandled: number): Tally {
  const counts = { passed: 0, failed: unhandled, skipped: 0 };
  for (const module of modules) {
    let failedHere = 0;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') counts.passed += 1;
      else if (state === 'skipped') counts.skipped += 1;
      else failedHere += 1;
    }
    // A hook or an import that failed leaves no failed test behind, only a failed file.
    counts.failed += failedHere === 0 && module.state() === 'failed' ? 1 : failedHere;
  }
  return counts;
}

export default class LastLine implements Reporter {
  /** Stands when the run breaks off before its end, for instance because a setup failed. */
  private line = lastLine({ passed: 0, failed: 1, skipped: 0 });

  onInit(): void {
    // Other reporters and vitest itself still print after the run's last event.
    process.once('exit', () => writeSync(1, `${this.line}\n`));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    this.line = lastLine(tally(modules, unhandled.length));
  }
}
