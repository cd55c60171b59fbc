/** GET /v1/models, and one model by its id. */
import type { Call } from '../call.ts';
import { inferenceError } from '../errors.ts';
import { json, type Reply } from '../reply.ts';
import { SERVED_BY, workedFor, workOf } from './balancer/lease.ts';
import { type ModelInfo, modelRecord } from './models.ts';

/** The 404 that clients map to "no such model". */
export function unknownModel(id: string): Reply {
  return inferenceError(404, {
    message: `The model '${id}' does not exist.`,
    type: 'invalid_request_error',
    param: 'model',
    code: 'model_not_found',
  });
}

export async function models(call: Call): Promise<Reply> {
  await call.arrived();
  const { options, parameters } = call;
  const show = (model: ModelInfo): object => modelRecord(model, options.maxCompletionTokens);
  const headers = { [SERVED_BY]: await workedFor(workOf(call), () => 0) };
  const id = parameters.model_id;
  if (id === undefined) return json(200, options.rules.modelList(options.models.map(show)), headers);
  const found = options.models.find((model) => model.id === id);
  return found ? json(200, show(found), headers) : unknownModel(id);
}
