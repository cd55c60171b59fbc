/** Every response of the service by name, each in its documented and its conventional layer. */
import * as errors from './errors.ts';
import * as inference from './inference.ts';
import { jobs } from './jobs.ts';
import type { ResponseSchema } from './schema.ts';

export type { JsonSchema, ResponseSchema } from './schema.ts';

export const responses = {
  models: inference.models,
  model: inference.model,
  chat: inference.chat,
  'chat-chunk': inference.chatChunk,
  completions: inference.completion,
  'completions-chunk': inference.completionChunk,
  ...jobs,
  'inference-error': errors.inferenceError,
  'jobs-error': errors.jobsError,
} satisfies Record<string, ResponseSchema>;

export type ResponseName = keyof typeof responses;
