/** The plain request of every operation, made once per run: what it answers is where many checks begin. */
import { type DocumentedOperationId, operation } from '../../schemas/operations.ts';
import { asksAboutJob } from '../../schemas/own.ts';
import type { CheckContext } from '../context.ts';
import type { Reply } from '../target/reply.ts';
import { modelList, plain } from './completions.ts';
import { purge } from './purge.ts';
import { quickJob, quickSync } from './quick.ts';

type Ask = (t: CheckContext) => Promise<Reply>;

const special: Readonly<Partial<Record<DocumentedOperationId, Ask>>> = {
  models: modelList,
  chat: (t) => plain(t, 'chat'),
  completions: (t) => plain(t, 'completions'),
  run: async (t) => (await quickJob(t)).reply,
  runsync: async (t) => (await quickSync(t)).reply,
  'purge-queue': async (t) => (await purge(t)).answer,
  health: (t) => t.once('health', (own) => own.jobs.health()),
  requests: (t) => t.once('requests-plain', (own) => own.jobs.requests()),
};

/** About a job that has ended, where it is about one. purge-queue is for exclusive endpoints, while no other check runs. */
export async function canonical(t: CheckContext, id: DocumentedOperationId): Promise<Reply> {
  const ask = special[id];
  if (ask) return ask(t);
  return asksAboutJob(operation(id))
    ? t.jobs.call(id, { jobId: (await quickJob(t)).id })
    : t.once(`canonical ${id}`, (own) => own.jobs.call(id));
}
