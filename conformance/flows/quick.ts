/** Jobs that many checks look at, made once per run: one asynchronous, one synchronous. */
import { lacks, takes, type WorkloadName } from '../../schemas/workloads.ts';
import type { CheckContext, Weight } from '../context.ts';
import { resultsOf } from '../reading/answer.ts';
import { hasOutput, outputOf } from '../reading/job.ts';
import { saysSomething } from '../reading/json.ts';
import { mayHoldOutput, mentionsRun } from '../reading/ours.ts';
import { describe, type Reply } from '../target/reply.ts';
import { finish, type Seen, type Submitted, submit } from './submit.ts';

export interface QuickJob extends Submitted {
  readonly word: string;
  /** The record once it had ended. */
  readonly seen: Seen;
}

/** A job that put its word out and has ended. */
export function quickJob(t: CheckContext, as: Weight = 'ground'): Promise<QuickJob> {
  const make = async (own: CheckContext): Promise<QuickJob> => {
    const word = t.word();
    const job = await submit(own, { echo: word });
    return { ...job, word, seen: await finish(own, job, 'finding') };
  };
  return t.once('quick-job', make, as);
}

export interface QuickSync {
  readonly word: string;
  readonly reply: Reply;
}

/** The answer to a synchronous submission. */
export function quickSync(t: CheckContext, as: Weight = 'finding'): Promise<QuickSync> {
  const make = async (own: CheckContext): Promise<QuickSync> => {
    own.needWorkers();
    const word = t.word();
    return { word, reply: await own.jobs.runsync({ echo: word }) };
  };
  return t.once('quick-sync', make, as);
}

/**
 * Whether the deployed handler puts out what it was given to echo. The word of another job shows it as well: that
 * results are mixed up is for the checks to find that ask for this.
 */
export async function echoes(t: CheckContext): Promise<boolean> {
  const sync = await quickSync(t, 'ground');
  if (mentionsRun(resultsOf(sync.reply), t.target.runId)) return true;
  const job = await quickJob(t);
  return mentionsRun(outputOf(job.seen.reply.json), t.target.runId);
}

/** @throws Inconclusive where the handler does not echo, so that results can't be told apart. */
export async function requireEcho(t: CheckContext, name: WorkloadName = 'quick'): Promise<void> {
  const { workloads } = t.target.config;
  if (!lacks(workloads, name) && !takes(workloads, name, 'echo')) {
    const without = `workloads.${name} has no {{echo}}, so results cannot be assigned to jobs`;
    t.inconclusive(without, 'add it to the part of the input that the handler returns');
  }
  if (await echoes(t)) return;
  t.inconclusive(
    'the deployed handler does not return its input, so results cannot be assigned to jobs',
    'deploy a handler that returns input.echo',
  );
}

/** An answer that should hold an output, and whether it does. */
export const describeOutput = (reply: Reply): string =>
  hasOutput(reply.json) ? describe(reply) : `no output in ${describe(reply)}`;

/**
 * The record of a quick job shows what it put out. One under a name that we can't know is seen by the word that the job
 * was given; of a handler that never gives it back nothing is known, as long as anything is there that might be one.
 */
export async function expectOutput(t: CheckContext, what: string): Promise<void> {
  const { seen } = await quickJob(t, 'finding');
  const { reply } = seen;
  const holds = hasOutput(reply.json);
  if (!holds && mayHoldOutput(reply.json) && !saysSomething(resultsOf((await quickSync(t, 'ground')).reply))) {
    t.inconclusive(
      `the field of the output is not known: ${describe(reply)}`,
      'deploy a handler that returns input.echo',
    );
  }
  t.expect(what, 'an output', describeOutput(reply), holds);
}
