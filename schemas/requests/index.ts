/** Every request of the service by name: one for each operation, and the reading of a single model. */
import type { DocumentedOperationId } from '../operations.ts';
import * as inference from './inference.ts';
import { jobs } from './jobs.ts';
import type { RequestSchema } from './request.ts';

export type { Fields, RequestSchema } from './request.ts';

export type RequestName = DocumentedOperationId | 'model';

export const requests: Readonly<Record<RequestName, RequestSchema>> = {
  models: inference.models,
  model: inference.oneModel,
  chat: inference.chat,
  completions: inference.completions,
  ...jobs,
};
