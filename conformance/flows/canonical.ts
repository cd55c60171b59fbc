/** The plain request of every operation, made once per run: what it answers is where many checks begin. */
import type { DocumentedOperationId } from '../../schemas/operations.ts';
import type { CheckContext } from '../context.ts';
import type { Reply } from '../target/reply.ts';
import { modelList, plainChat, plainCompletion } from './completions.ts';
import { purge } from './purge.ts';
import { quickJob, quickSync } from './quick.ts';

type Ask = (t: CheckContext) => Promise<Reply>;

/** purge-queue is for endpoints that nobody else uses, while no other check runs. */
export const canonical: Readonly<Record<DocumentedOperationId, Ask>> = {
  models: modelList,
  chat: plainChat,
  completions: plainCompletion,
  run: async (t) => (await quickJob(t)).reply,
  runsync: async (t) => (await quickSync(t)).reply,
  status: async (t) => t.jobs.status((await quickJob(t)).id),
  'status-sync': async (t) => t.jobs.statusSync((await quickJob(t)).id),
  stream: async (t) => t.jobs.stream((await quickJob(t)).id),
  cancel: async (t) => t.jobs.cancel((await quickJob(t)).id),
  'purge-queue': async (t) => (await purge(t)).answer,
  health: (t) => t.once('health', (own) => own.jobs.health()),
  requests: (t) => t.once('requests-plain', (own) => own.jobs.requests()),
};
