/** From a checked request to the texts it gets: which model, how long, until what. */
import type { Call } from '../call.ts';
import { inferenceError, Refusal } from '../errors.ts';
import type { ModelInfo } from './models.ts';
import { unknownModel } from './models-operation.ts';
import { type Generated, generate } from './text.ts';
import { countTokens } from './tokens.ts';
import type { CommonRequest } from './validate.ts';

/** @throws Refusal with 404 for a model that isn't offered. */
export function modelOf(call: Call, id: string): ModelInfo {
  const found = call.options.models.find((model) => model.id === id);
  if (!found) throw new Refusal(unknownModel(id));
  return found;
}

/**
 * Tokens of the prompts together.
 * @throws Refusal with 400 when one is longer than the model's context; `param` names the field.
 */
export function promptTokens(prompts: readonly string[], model: ModelInfo, param: string): number {
  const counts = prompts.map(countTokens);
  const longest = Math.max(...counts);
  if (longest > model.contextLength) {
    const message = `The prompt has ${longest} tokens; this model's context length is ${model.contextLength} tokens.`;
    const error = { message, type: 'invalid_request_error', param, code: 'context_length_exceeded' };
    throw new Refusal(inferenceError(400, error));
  }
  return counts.reduce((sum, count) => sum + count, 0);
}

/** `n` texts for one prompt; the first has index `from`. */
export function texts(
  call: Call,
  asked: CommonRequest,
  prompt: string,
  length: { maxTokens: number | null; cap: number; fixed?: string },
): Generated[] {
  const stop = typeof asked.stop === 'string' ? [asked.stop] : (asked.stop ?? []);
  const cap = Math.min(length.cap, call.options.maxCompletionTokens);
  return Array.from({ length: asked.n ?? 1 }, (_, index) =>
    generate({ model: asked.model, prompt, seed: asked.seed ?? 0, index, stop, ...length, cap }),
  );
}
