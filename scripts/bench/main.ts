/**
 * `npm run bench`: how long the analysis of a ledger of a million lines takes, and how much memory, in a process of its
 * own: from its text to the facts of a rate probe with all that belongs to them.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { analysed } from './analysis.ts';
import { LIMIT, parameters, writeLedger } from './long-ledger.ts';

const dir = await mkdtemp(join(tmpdir(), 'proofload-bench-'));
try {
  const file = join(dir, 'ledger');
  writeLedger(file);
  const { analysed: cost, burst } = await analysed(dir, parameters, [file]);
  if (burst !== LIMIT) throw new Error('the analysis has lost requests');
  const told = [cost.seconds.toFixed(1), Math.round(cost.megabytes)];
  console.log(`analysis of 1,000,000 ledger lines: ${told[0]} s (wanted: below 3), ${told[1]} MB (below 300)`);
} finally {
  await rm(dir, { recursive: true, force: true });
}
