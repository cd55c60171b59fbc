/** Analysing ledgers in a process of its own: how long it takes, how much memory, and what comes of it. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RateParameters } from '../../scenarios/probe.ts';
import type { GeneratorHealth, RateSurvivor } from '../../schemas/facts.ts';
import { packageRoot } from '../package.ts';

/** Since its beginning, and at most at once. */
export interface Cost {
  readonly seconds: number;
  readonly megabytes: number;
}

export interface Analysis {
  /** Until all was read. */
  readonly merged: Cost;
  /** Until its facts were there. */
  readonly analysed: Cost;
  /** Requests of its burst. */
  readonly burst: number;
  readonly refusedWithin: number;
  readonly survivors: readonly RateSurvivor[];
  readonly health: GeneratorHealth;
}

/** Rejects when it ends without a result. @param files ledgers of one probe, of one runner each */
export async function analysed(
  directory: string,
  parameters: RateParameters,
  files: readonly string[],
): Promise<Analysis> {
  const file = join(directory, 'parameters.json');
  writeFileSync(file, JSON.stringify(parameters));
  const child = fork(join(packageRoot(), 'dist', 'scripts', 'bench', 'analysis-main.js'), [file, ...files]);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the analysis ended with ${code} without a result`);
  });
  const [reported]: unknown[] = await Promise.race([once(child, 'message'), ended]);
  return reported as Analysis;
}
