/** Responses of interface A: the list of models, chat completions and text completions, whole and in pieces. */
import {
  anything,
  count,
  holdsList,
  type JsonSchema,
  list,
  nonEmptyText,
  nullable,
  object,
  type ResponseSchema,
  saysSomething,
  text,
} from './schema.ts';

const usage: JsonSchema = object({ prompt_tokens: count, completion_tokens: count, total_tokens: count });

const toolCall: JsonSchema = object({ id: text, type: text, function: object({ name: text, arguments: text }) });

const finishReason: JsonSchema = { enum: ['stop', 'length', 'tool_calls', 'content_filter', 'function_call'] };

const message: JsonSchema = object(
  { role: { const: 'assistant' }, content: nullable(text) },
  { tool_calls: nullable(list(toolCall)), refusal: nullable(text) },
);

export const model: ResponseSchema = {
  documented: saysSomething,
  convention: object({ id: nonEmptyText, object: { const: 'model' } }, { created: { type: 'number' }, owned_by: text }),
};

export const models: ResponseSchema = {
  documented: holdsList,
  convention: object({ object: { const: 'list' }, data: list(model.convention, 1) }),
};

export const chat: ResponseSchema = {
  documented: object({ choices: list(object({ message: { type: 'object' } }), 1) }),
  convention: object({
    id: nonEmptyText,
    object: { const: 'chat.completion' },
    created: { type: 'integer' },
    model: nonEmptyText,
    choices: list(object({ index: count, message, finish_reason: finishReason }), 1),
    usage,
  }),
};

const delta: JsonSchema = {
  type: 'object',
  properties: {
    role: nullable({ enum: ['assistant', ''] }),
    content: nullable(text),
    // By it clients join the pieces of a call.
    tool_calls: nullable(list(object({ index: count }))),
  },
};

export const chatChunk: ResponseSchema = {
  documented: saysSomething,
  convention: object(
    {
      id: text,
      object: { const: 'chat.completion.chunk' },
      created: { type: 'integer' },
      model: text,
      choices: list(object({ index: count, delta }, { finish_reason: nullable(finishReason) })),
    },
    { usage: nullable(usage) },
  ),
};

export const completion: ResponseSchema = {
  documented: object({ choices: list(object({ text }), 1) }),
  convention: object({
    id: nonEmptyText,
    object: { const: 'text_completion' },
    created: { type: 'integer' },
    model: nonEmptyText,
    choices: list(object({ index: count, text, finish_reason: finishReason }, { logprobs: anything }), 1),
    usage,
  }),
};

export const completionChunk: ResponseSchema = {
  documented: saysSomething,
  convention: object(
    {
      id: text,
      object: { const: 'text_completion' },
      created: { type: 'integer' },
      model: text,
      choices: list(object({ index: count, text }, { finish_reason: nullable(finishReason) })),
    },
    { usage: nullable(usage) },
  ),
};
