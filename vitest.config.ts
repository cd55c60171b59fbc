import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: { name: 'unit', include: ['**/*.test.ts'], exclude: ['**/*.e2e.test.ts', 'node_modules/**', 'dist/**'] },
      },
      {
        test: {
          name: 'e2e',
          include: ['**/*.e2e.test.ts'],
          exclude: ['node_modules/**', 'dist/**'],
          fileParallelism: false,
          testTimeout: 180_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
