/** Jobs that many checks look at, made once per run: one asynchronous, one synchronous. */
import { lacks, takes, type WorkloadName } from '../../schemas/workloads.ts';
import type { CheckContext, Weight } from '../context.ts';
import { outputOf } from '../reading/job.ts';
import { mentions } from '../reading/json.ts';
import type { Reply } from '../target/reply.ts';
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

/** Whether the deployed handler puts out what it was given to echo; null when neither job shows it. */
export async function echoes(t: CheckContext): Promise<boolean> {
  const sync = await quickSync(t, 'ground');
  if (mentions(outputOf(sync.reply.json), sync.word)) return true;
  const job = await quickJob(t);
  return mentions(outputOf(job.seen.reply.json), job.word);
}

/** @throws Inconclusive where the handler does not echo, so that results can't be told apart. */
export async function requireEcho(t: CheckContext, name: WorkloadName = 'quick'): Promise<void> {
  const { workloads } = t.target.config;
  if (!lacks(workloads, name) && !takes(workloads, name, 'echo')) {
    const without = `workloads.${name} has no {{echo}}, so results cannot be told apart`;
    t.inconclusive(without, 'add it where the handler puts out what it is given');
  }
  if (await echoes(t)) return;
  t.inconclusive(
    'the deployed handler does not put out the echo of its input, so results cannot be told apart',
    'deploy a handler that returns input.echo',
  );
}
