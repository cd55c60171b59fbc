/** Every response of the service by name, each in its documented and its conventional layer. */
import * as errors from './errors.ts';
import * as inference from './inference.ts';
import * as jobs from './jobs.ts';
import type { ResponseSchema } from './schema.ts';

export type { JsonSchema, ResponseSchema } from './schema.ts';

export const responses = {
  models: inference.models,
  model: inference.model,
  chat: inference.chat,
  'chat-chunk': inference.chatChunk,
  completions: inference.completion,
  'completions-chunk': inference.completionChunk,
  run: jobs.run,
  runsync: jobs.runsync,
  status: jobs.status,
  'status-complete': jobs.statusComplete,
  'status-sync': jobs.status,
  stream: jobs.stream,
  cancel: jobs.cancel,
  'purge-queue': jobs.purgeQueue,
  health: jobs.health,
  requests: jobs.requests,
  'inference-error': errors.inferenceError,
  'jobs-error': errors.jobsError,
} satisfies Record<string, ResponseSchema>;

export type ResponseName = keyof typeof responses;
