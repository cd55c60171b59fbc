/** The body of POST /v1/chat/completions. */
import { lazyValidator } from '../../ajv.ts';
import { schemaFault } from '../schema/instance.ts';
import { type CommonRequest, check, commonProperties, flag, integer, invalid, oneOf, optional } from './common.ts';
import { type ChatMessage, messageSchema } from './message.ts';

const name = { type: 'string', pattern: '^[a-zA-Z0-9_-]{1,64}$' };
const text = { type: ['string', 'null'] };

const tool = {
  type: 'object',
  required: ['type', 'function'],
  properties: {
    type: { const: 'function' },
    function: {
      type: 'object',
      required: ['name'],
      properties: { name, description: text, parameters: { type: ['object', 'null'] }, strict: flag },
    },
  },
};

const namedTool = {
  type: ['string', 'object', 'null'],
  if: { type: 'object' },
  // biome-ignore lint/suspicious/noThenProperty: it is the keyword's name
  then: {
    required: ['type', 'function'],
    properties: {
      type: { const: 'function' },
      function: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    },
  },
  else: oneOf('none', 'auto', 'required'),
};

const responseFormat = optional({
  type: 'object',
  required: ['type'],
  properties: { type: { enum: ['text', 'json_object', 'json_schema'] } },
  if: { required: ['type'], properties: { type: { const: 'json_schema' } } },
  // biome-ignore lint/suspicious/noThenProperty: it is the keyword's name
  then: {
    required: ['json_schema'],
    properties: {
      json_schema: {
        type: 'object',
        required: ['name', 'schema'],
        properties: { name, description: text, schema: { type: 'object' }, strict: flag },
      },
    },
  },
});

export const chatSchema = {
  type: 'object',
  required: ['model', 'messages'],
  properties: {
    ...commonProperties,
    messages: { type: 'array', minItems: 1, items: messageSchema },
    max_tokens: integer(1),
    max_completion_tokens: integer(1),
    logprobs: flag,
    top_logprobs: integer(0, 20),
    response_format: responseFormat,
    tools: optional({ type: 'array', maxItems: 128, items: tool }),
    tool_choice: namedTool,
    parallel_tool_calls: flag,
    reasoning_effort: oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh'),
    service_tier: oneOf('auto', 'default', 'flex', 'scale', 'priority'),
    store: flag,
    metadata: optional({
      type: 'object',
      maxProperties: 16,
      propertyNames: { maxLength: 64 },
      additionalProperties: { type: 'string', maxLength: 512 },
    }),
  },
};

export interface Tool {
  readonly function: { readonly name: string; readonly parameters?: unknown };
}

export interface ChatRequest extends CommonRequest {
  readonly messages: readonly ChatMessage[];
  readonly max_completion_tokens?: number | null;
  readonly logprobs?: boolean | null;
  readonly top_logprobs?: number | null;
  readonly response_format?: { readonly type: string; readonly json_schema?: { readonly schema: unknown } } | null;
  readonly tools?: readonly Tool[] | null;
  readonly tool_choice?: string | { readonly function: { readonly name: string } } | null;
  readonly parallel_tool_calls?: boolean | null;
}

const chatValidator = lazyValidator<ChatRequest>(chatSchema, { strict: false });

function checkTools({ tools, tool_choice: choice }: ChatRequest): void {
  tools?.forEach((tool, at) => {
    const { parameters } = tool.function;
    const fault = parameters === undefined || parameters === null ? null : schemaFault(parameters);
    if (fault !== null) throw invalid(`The tool's parameters: ${fault}.`, `tools.${at}.function.parameters`);
  });
  const offered = (tools ?? []).map((tool) => tool.function.name);
  if (typeof choice === 'object' && choice !== null) {
    const wanted = choice.function.name;
    if (!offered.includes(wanted)) throw invalid(`There is no tool '${wanted}' among the tools.`, 'tool_choice');
  }
  if (choice === 'required' && offered.length === 0)
    throw invalid('A tool is required, but there is none.', 'tool_choice');
}

/** @throws Refusal with 400 and the field at fault. */
export function asChatRequest(body: unknown): ChatRequest {
  const asked = check(chatValidator(), body);
  if (asked.top_logprobs && !asked.logprobs) throw invalid('top_logprobs needs logprobs to be true.', 'top_logprobs');
  checkTools(asked);
  const schema = asked.response_format?.json_schema?.schema;
  const fault = asked.response_format?.type === 'json_schema' ? schemaFault(schema) : null;
  if (fault !== null) throw invalid(`The schema of the response ${fault}.`, 'response_format.json_schema.schema');
  return asked;
}
