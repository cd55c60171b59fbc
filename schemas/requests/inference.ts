/** Requests of interface A. The documentation shows model and messages; the other fields are what clients send. */
import { list, nonEmptyText, object, text } from '../responses/schema.ts';
import { model, sampling, streamOptionsNeedStream } from './common.ts';
import { message } from './message.ts';
import { convention, documented, flag, integer, oneOf, optional, type RequestSchema, where } from './request.ts';

const name = { type: 'string', pattern: '^[a-zA-Z0-9_-]{1,64}$' };
const note = optional({ type: 'string' });

const tool = object({
  type: { const: 'function' },
  function: object({ name }, { description: note, parameters: optional({ type: 'object' }), strict: flag }),
});

/** Distinguished by type, since an `anyOf` would say of a wrong word that it must be an object. */
const toolChoice = {
  type: ['string', 'object', 'null'],
  if: { type: 'object' },
  // biome-ignore lint/suspicious/noThenProperty: it is the keyword's name
  then: object({ type: { const: 'function' }, function: object({ name: text }) }),
  else: oneOf('none', 'auto', 'required'),
};

const responseFormat = {
  ...object({ type: { enum: ['text', 'json_object', 'json_schema'] } }),
  type: ['object', 'null'],
  ...where('type', 'json_schema', {
    required: ['json_schema'],
    properties: { json_schema: object({ name, schema: object({}) }, { description: note, strict: flag }) },
  }),
};

export const chatBody = {
  ...object(
    { model, messages: documented(list(message, 1), 'The conversation so far.') },
    {
      ...sampling,
      max_tokens: convention(integer(1), 'the longest answer, in tokens; the older name.'),
      max_completion_tokens: convention(integer(1), 'the longest answer, in tokens.'),
      logprobs: convention(flag, 'whether to return how likely each token was.'),
      top_logprobs: convention(integer(0, 20), 'how many other tokens to return; only with logprobs.'),
      response_format: convention(responseFormat, 'the form of the answer.'),
      tools: convention(optional({ type: 'array', items: tool, maxItems: 128 }), 'what the model may call.'),
      tool_choice: convention(toolChoice, 'which of the tools it must call.'),
      parallel_tool_calls: convention(flag, 'whether it may call several at once.'),
      reasoning_effort: convention(
        oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh'),
        'how much to think before.',
      ),
      service_tier: convention(oneOf('auto', 'default', 'flex', 'scale', 'priority'), 'how it is served and billed.'),
      store: convention(flag, 'whether the answer is kept.'),
      metadata: convention(
        optional({
          type: 'object',
          maxProperties: 16,
          propertyNames: { maxLength: 64 },
          additionalProperties: { type: 'string', maxLength: 512 },
        }),
        'notes of the client.',
      ),
    },
  ),
  ...streamOptionsNeedStream,
};

const token = { type: 'integer', minimum: 0 };
const prompt = { anyOf: [{ type: 'string' }, list({ type: 'string' }, 1), list(token, 1), list(list(token, 1), 1)] };

export const completionBody = {
  ...object(
    { model, prompt: documented(prompt, 'The text to go on from. Convention: or several, or tokens.') },
    {
      ...sampling,
      // None at all is a way to have the prompt itself judged: with echo and logprobs.
      max_tokens: convention(integer(0), 'the longest text, in tokens.'),
      best_of: convention(integer(0, 20), 'how many texts to choose from.'),
      echo: convention(flag, 'whether the prompt is part of the text.'),
      suffix: convention(note, 'what follows the text.'),
      logprobs: convention(integer(0, 5), 'how many other tokens to return.'),
    },
  ),
  ...streamOptionsNeedStream,
};

export const models: RequestSchema = { path: {}, query: {}, body: null };

export const oneModel: RequestSchema = {
  path: { model: convention(nonEmptyText, 'the identifier of a listed model, whose slash stays one.') },
  query: {},
  body: null,
};

export const chat: RequestSchema = { path: {}, query: {}, body: { required: true, schema: chatBody } };

export const completions: RequestSchema = { path: {}, query: {}, body: { required: true, schema: completionBody } };
