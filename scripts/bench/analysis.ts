/**
 * How long the analysis of a ledger of a million lines takes, and how much memory, in a process of its own: from its text
 * to the facts of a rate probe with all that belongs to them.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../package.ts';
import { writeLedger } from './long-ledger.ts';
import type { Report } from './quality.ts';

export async function measureAnalysis(report: Report): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'proofload-bench-'));
  try {
    const file = join(dir, 'ledger');
    writeLedger(file);
    const child = fork(join(packageRoot(), 'dist', 'scripts', 'bench', 'analysis-main.js'), [file]);
    const [told]: unknown[] = await once(child, 'message');
    if (typeof told !== 'object' || told === null || !('seconds' in told) || !('megabytes' in told)) {
      throw new Error('the analysis told nothing');
    }
    report('analysis of 1,000,000 ledger lines', `${Number(told.seconds).toFixed(1)} s`, 'below 5 s');
    report('  most memory of its process', `${Math.round(Number(told.megabytes))} MB`, 'below 350 MB');
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
