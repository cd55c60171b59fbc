/** From a checked request to the texts it gets: which model, how long, until what. */
import { type Call, readJson } from '../call.ts';
import { inferenceError, invalidField, Refusal } from '../errors.ts';
import type { ModelInfo } from './models.ts';
import { unknownModel } from './models-operation.ts';
import type { CommonRequest } from './request.ts';
import { type Generated, generate } from './text.ts';
import { countTokens } from './tokens.ts';

/** JSON, or the type that fetch sets by itself for a text. */
const READABLE = /^\s*(?:application\/(?:[\w.-]+\+)?json|text\/plain)\s*(?:;|$)/i;

/**
 * The body as JSON, as the rules understand it.
 * @throws Refusal: 400 for what isn't JSON or says that it isn't, 413 (or as set) for its size.
 */
export async function bodyOf(call: Call, operation: 'chat' | 'completions'): Promise<unknown> {
  const type = call.request.headers.get('content-type');
  if (type && !READABLE.test(type))
    throw invalidField(`The body must be application/json and not ${type}.`, null, null);
  const { inferencePayloadBytes, oversizeStatus, rules } = call.options;
  return rules.understood(operation, await readJson(call, 'inference', inferencePayloadBytes, oversizeStatus));
}

/** @throws Refusal with 404 for a model that isn't offered. */
export function modelOf(call: Call, id: string): ModelInfo {
  const found = call.options.models.find((model) => model.id === id);
  if (!found) throw new Refusal(unknownModel(id));
  return found;
}

/** Prompts times texts for each: more would take memory for as long as they are sent. */
const MOST_CHOICES = 2048;

/** The length of a request, in tokens. */
export interface Room {
  readonly promptTokens: number;
  /** Exact length of a text; null where none was named. */
  readonly maxTokens: number | null;
  /** Most tokens of one text. */
  readonly cap: number;
}

/**
 * How much room the prompts take together, and what they leave for each text.
 * @throws Refusal with 400 when one of them and its text are longer than the model's context, or when there are too
 * many; `param` names the field.
 */
export function roomFor(
  call: Call,
  model: ModelInfo,
  prompts: readonly string[],
  length: { maxTokens: number | null; otherwise: number; param: string; choices: number },
): Room {
  const { maxTokens, otherwise, param, choices } = length;
  if (prompts.length * choices > MOST_CHOICES) {
    throw invalidField(`No more than ${MOST_CHOICES} texts are made for one request.`, param, 'invalid_value');
  }
  const counts = prompts.map(countTokens);
  const longest = Math.max(...counts);
  const wanted = maxTokens ?? 1;
  const { contextLength } = model;
  if (longest + wanted > contextLength) {
    const message =
      `This model's maximum context length is ${contextLength} tokens, but ${longest + wanted} were requested: ` +
      `${longest} in the ${param}, ${wanted} to be generated.`;
    const error = { message, type: 'invalid_request_error', param, code: 'context_length_exceeded' };
    throw new Refusal(inferenceError(400, error));
  }
  const cap = Math.min(maxTokens ?? otherwise, call.options.maxCompletionTokens, contextLength - longest);
  return { promptTokens: counts.reduce((sum, count) => sum + count, 0), maxTokens, cap };
}

/** So many texts for one prompt, all different, in the room there is; `fixed` is one to use instead of words. */
export function texts(
  requested: CommonRequest,
  prompt: string,
  { maxTokens, cap }: Room,
  count: number,
  fixed?: string,
): Generated[] {
  const stop = typeof requested.stop === 'string' ? [requested.stop] : (requested.stop ?? []);
  const { model, seed } = requested;
  return Array.from({ length: count }, (_, index) =>
    generate({ model, prompt, seed: seed ?? 0, index, stop, maxTokens, cap, fixed }),
  );
}
