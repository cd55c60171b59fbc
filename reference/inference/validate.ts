/** Request bodies of interface A against the convention's bounds; the first fault becomes the error clients know. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { inferenceError, Refusal } from '../errors.ts';

const optional = (schema: object): object => ({ anyOf: [{ type: 'null' }, schema] });
const integer = (minimum: number, maximum?: number): object =>
  optional({ type: 'integer', minimum, ...(maximum === undefined ? {} : { maximum }) });
const number = (minimum: number, maximum: number): object => optional({ type: 'number', minimum, maximum });
const text = { type: 'string' };

const common = {
  model: { type: 'string', minLength: 1 },
  n: integer(1, 128),
  max_tokens: integer(1),
  temperature: number(0, 2),
  top_p: number(0, 1),
  presence_penalty: number(-2, 2),
  frequency_penalty: number(-2, 2),
  stop: optional({ anyOf: [text, { type: 'array', items: text, minItems: 1, maxItems: 4 }] }),
  stream: optional({ type: 'boolean' }),
  stream_options: optional({ type: 'object', properties: { include_usage: { type: 'boolean' } } }),
  seed: optional({ type: 'integer' }),
};

const part = { type: 'object', required: ['type'], properties: { type: text } };

const message = {
  type: 'object',
  required: ['role'],
  properties: {
    role: { enum: ['developer', 'system', 'user', 'assistant', 'tool', 'function'] },
    content: { anyOf: [{ type: 'null' }, text, { type: 'array', items: part }] },
  },
  // Only an assistant's message may have no content: it may hold tool calls instead.
  if: { properties: { role: { const: 'assistant' } } },
  else: { required: ['content'], properties: { content: { not: { type: 'null' } } } },
};

const tool = {
  type: 'object',
  required: ['type', 'function'],
  properties: { type: { const: 'function' }, function: { type: 'object', required: ['name'] } },
};

const chatSchema = {
  type: 'object',
  required: ['model', 'messages'],
  properties: {
    ...common,
    messages: { type: 'array', minItems: 1, items: message },
    max_completion_tokens: integer(1),
    logprobs: optional({ type: 'boolean' }),
    top_logprobs: integer(0, 20),
    response_format: optional({
      type: 'object',
      required: ['type'],
      properties: { type: { enum: ['text', 'json_object', 'json_schema'] } },
    }),
    tools: optional({ type: 'array', items: tool }),
  },
};

const prompt = {
  anyOf: [
    text,
    { type: 'array', minItems: 1, items: text },
    { type: 'array', minItems: 1, items: { type: 'integer' } },
    { type: 'array', minItems: 1, items: { type: 'array', items: { type: 'integer' } } },
  ],
};

const completionSchema = {
  type: 'object',
  required: ['model', 'prompt'],
  properties: { ...common, prompt, logprobs: integer(0, 5), echo: optional({ type: 'boolean' }) },
};

const ajv = new Ajv2020({ strict: false });

export interface CommonRequest {
  readonly model: string;
  readonly n?: number | null;
  readonly max_tokens?: number | null;
  readonly stop?: string | readonly string[] | null;
  readonly stream?: boolean | null;
  readonly stream_options?: { readonly include_usage?: boolean } | null;
  readonly seed?: number | null;
}

export interface ChatMessage {
  readonly role: string;
  readonly content?: string | readonly { readonly type: string; readonly text?: unknown }[] | null;
}

export interface ChatRequest extends CommonRequest {
  readonly messages: readonly ChatMessage[];
  readonly max_completion_tokens?: number | null;
  readonly logprobs?: boolean | null;
  readonly top_logprobs?: number | null;
  readonly response_format?: { readonly type: string; readonly json_schema?: { readonly schema?: unknown } } | null;
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters?: unknown } }[] | null;
  readonly tool_choice?: unknown;
}

export interface CompletionRequest extends CommonRequest {
  readonly prompt: string | readonly string[] | readonly number[] | readonly (readonly number[])[];
  readonly logprobs?: number | null;
  readonly echo?: boolean | null;
}

const isChat: ValidateFunction<ChatRequest> = ajv.compile<ChatRequest>(chatSchema);
const isCompletion: ValidateFunction<CompletionRequest> = ajv.compile<CompletionRequest>(completionSchema);

function invalid(messageText: string, param: string | null, code: string): Refusal {
  return new Refusal(inferenceError(400, { message: messageText, type: 'invalid_request_error', param, code }));
}

function check<T extends CommonRequest>(validate: ValidateFunction<T>, body: unknown): T {
  if (!validate(body)) {
    const [fault] = validate.errors ?? [];
    const path = (fault?.instancePath ?? '').split('/').filter(Boolean);
    if (fault?.keyword === 'required') path.push(String(fault.params.missingProperty));
    const param = path.length > 0 ? path.join('.') : null;
    const code = fault?.keyword === 'required' ? 'missing_required_parameter' : 'invalid_value';
    throw invalid(`Invalid request: ${param ?? 'the body'} ${fault?.message ?? 'is not valid'}.`, param, code);
  }
  if (body.stream_options && !body.stream) {
    throw invalid('stream_options may be given only with stream.', 'stream_options', 'invalid_value');
  }
  return body;
}

/** @throws Refusal with 400 and the field at fault. */
export const asChatRequest = (body: unknown): ChatRequest => check(isChat, body);

/** @throws Refusal with 400 and the field at fault. */
export const asCompletionRequest = (body: unknown): CompletionRequest => check(isCompletion, body);
