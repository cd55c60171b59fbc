/** Every response of the service by name, each in its documented and its conventional layer. */
import * as inference from './inference.ts';
import { jobs } from './jobs.ts';
import { anything, nonEmptyText, nullable, object, type ResponseSchema, saysSomething, text } from './schema.ts';

const inferenceError: ResponseSchema = {
  documented: saysSomething,
  convention: object({
    error: object(
      { message: nonEmptyText, type: nullable(text) },
      { param: anything, code: { type: ['string', 'number', 'null'] } },
    ),
  }),
};

const jobsError: ResponseSchema = {
  documented: saysSomething,
  convention: object({ error: nonEmptyText }),
};

export type { JsonSchema, ResponseSchema } from './schema.ts';

export const responses = {
  models: inference.models,
  model: inference.model,
  chat: inference.chat,
  'chat-chunk': inference.chatChunk,
  completions: inference.completion,
  'completions-chunk': inference.completionChunk,
  ...jobs,
  'inference-error': inferenceError,
  'jobs-error': jobsError,
} satisfies Record<string, ResponseSchema>;

export type ResponseName = keyof typeof responses;
