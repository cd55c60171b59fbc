/**
 * Four projects. `unit` and `unit-apart` need nothing but Node: the files of the first share a process with others, those
 * of the second change it, as their own text tells (test/setup/apart.ts). Then `e2e`, which spawns processes, k6 and a
 * browser, and `alone`, full runs and windows of a second or two, whose exact measurements want the machine for
 * themselves. The last line of the output is made for a script to read.
 */
import { defineConfig } from 'vitest/config';
import { testsApart } from './test/setup/apart.ts';
import { aloneByCase, leftOut, long } from './test/setup/sweeps.ts';

const elsewhere = ['node_modules/**', 'dist/**', 'proofload-report/**', ...leftOut()];
const e2e = '**/*.e2e.test.ts';
/** With several k6 at the same time. */
const many = ['test/distribute.e2e.test.ts', 'scenarios/execute/runners.e2e.test.ts'];
/** It sends a quarter of a second before a job's time is over. */
const punctual = 'conformance/run/long-waits.e2e.test.ts';
const alone = ['test/verify.e2e.test.ts', punctual, ...many, ...aloneByCase, ...long];
const apart = testsApart(import.meta.dirname).filter((one) => !leftOut().includes(one));
/** Of sweeps a part. */
const setupFiles = ['./test/setup/share.ts'];
const patient = { testTimeout: 120_000, hookTimeout: 60_000, setupFiles };
/** Nothing there waits; but a test of arithmetic may well get a tenth of a busy machine. */
const unhurried = { testTimeout: 30_000, setupFiles };

export default defineConfig({
  test: {
    reporters: ['default', './test/setup/last-line.ts'],
    // What is transformed is kept from run to run: a third of the time of the quick tests.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          ...unhurried,
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: [e2e, ...apart, ...elsewhere],
          isolate: false,
          maxWorkers: 2,
        },
      },
      { test: { ...unhurried, name: 'unit-apart', include: apart, maxWorkers: 2 } },
      {
        test: {
          ...patient,
          name: 'e2e',
          include: [e2e],
          exclude: [...alone, ...elsewhere],
          globalSetup: './test/setup/e2e.ts',
          // What they start waits more than it works; and each cleans up, so that none needs a process of its own.
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...patient,
          name: 'alone',
          include: alone.filter((one) => !leftOut().includes(one)),
          globalSetup: './test/setup/e2e.ts',
          isolate: false,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
