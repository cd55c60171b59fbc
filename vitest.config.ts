/**
 * Two projects: `unit` runs side by side and needs nothing but Node; `e2e` follows, one file at a time, because what
 * it measures or spawns must not share the machine. The last line of the output is made for a script to read.
 */
import { defineConfig } from 'vitest/config';

const exclude = ['node_modules/**', 'dist/**', 'proofload-report/**'];

export default defineConfig({
  test: {
    reporters: ['default', './test/setup/last-line.ts'],
    projects: [
      {
        test: { name: 'unit', include: ['**/*.test.ts'], exclude: ['**/*.e2e.test.ts', ...exclude] },
      },
      {
        test: {
          name: 'e2e',
          include: ['**/*.e2e.test.ts'],
          exclude,
          globalSetup: './test/setup/e2e.ts',
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
