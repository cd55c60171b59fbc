/**
 * `npm run bench`: how long the analysis of a ledger of a million lines takes, and how much memory, in a process of its
 * own: from its text to the facts of a rate probe with all that belongs to them.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../package.ts';
import { writeLedger } from './long-ledger.ts';

const dir = await mkdtemp(join(tmpdir(), 'proofload-bench-'));
try {
  const file = join(dir, 'ledger');
  writeLedger(file);
  const child = fork(join(packageRoot(), 'dist', 'scripts', 'bench', 'analysis-main.js'), [file]);
  const [told]: unknown[] = await once(child, 'message');
  if (typeof told !== 'object' || told === null || !('seconds' in told) || !('megabytes' in told)) {
    throw new Error('the analysis told nothing');
  }
  const [seconds, megabytes] = [Number(told.seconds).toFixed(1), Math.round(Number(told.megabytes))];
  console.log(`analysis of 1,000,000 ledger lines: ${seconds} s (wanted: below 3), ${megabytes} MB (below 300)`);
} finally {
  await rm(dir, { recursive: true, force: true });
}
