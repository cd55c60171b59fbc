/** A run within GitHub Actions, which its environment shows: annotations, and the summary on the job's page. */
import { randomUUID } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { annotations, withoutCommands } from '../../reports/github.ts';
import type { Results } from '../../schemas/results.ts';
import type { Host } from '../host.ts';

type Stream = Pick<NodeJS.WriteStream, 'write'>;

export interface Job {
  /** Annotates what broke, and adds the summary to the page of the job; nothing elsewhere than in GitHub Actions. */
  tell(results: Results, summaryPath: string): Promise<void>;
  /** Commands work again. To be called in any case; more than once does no harm. */
  close(): void;
}

const nowhere: Job = { tell: async () => {}, close: () => {} };

/** @param stream the one that the run's lines go to, on which from now on nothing that a target sends is a command */
export function githubJob({ env, stderr }: Pick<Host, 'env' | 'stderr'>, stream: Stream): Job {
  if (env.GITHUB_ACTIONS !== 'true') return nowhere;
  const { begin, end } = withoutCommands(randomUUID());
  stream.write(`${begin}\n`);
  let isOpen = true;
  const close = (): void => {
    if (isOpen) stream.write(`${end}\n`);
    isOpen = false;
  };
  return {
    close,
    tell: async (results, summaryPath) => {
      close();
      for (const line of annotations(results)) stream.write(`${line}\n`);
      const page = env.GITHUB_STEP_SUMMARY;
      if (page === undefined || page === '') return;
      try {
        await appendFile(page, `${await readFile(summaryPath, 'utf8')}\n`);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        stderr.write(`proofload: the job summary could not be written (${why})\n`);
      }
    },
  };
}
