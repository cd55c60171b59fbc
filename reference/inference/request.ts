/**
 * Bodies of POST /v1/chat/completions and /v1/completions: held against the schemas of the requests, then the rules that
 * two fields keep together. `null` stands for "not given" everywhere. What is known but makes no difference is checked
 * all the same; what is unknown is ignored.
 */
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { chatBody, completionBody } from '../../schemas/requests/inference.ts';
import { lazyValidator } from '../ajv.ts';
import { invalidField } from '../errors.ts';
import { schemaFault } from './schema/instance.ts';

export interface CommonRequest {
  readonly model: string;
  readonly n?: number | null;
  readonly max_tokens?: number | null;
  readonly stop?: string | readonly string[] | null;
  readonly stream?: boolean | null;
  readonly stream_options?: { readonly include_usage?: boolean | null } | null;
  readonly seed?: number | null;
}

interface ChatMessage {
  readonly role: string;
  readonly content?: string | readonly { readonly type: string; readonly text?: unknown }[] | null;
  readonly tool_calls?: readonly object[] | null;
}

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

export interface CompletionRequest extends CommonRequest {
  readonly prompt: string | readonly string[] | readonly number[] | readonly (readonly number[])[];
  readonly best_of?: number | null;
  readonly echo?: boolean | null;
  readonly suffix?: string | null;
  readonly logprobs?: number | null;
}

const chatValidator = lazyValidator<ChatRequest>(chatBody, { strict: false });
const completionValidator = lazyValidator<CompletionRequest>(completionBody, { strict: false });

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** @throws Refusal with 400 and the field at fault. */
function check<T>(validate: ValidateFunction<T>, body: unknown): T {
  if (validate(body)) return body;
  const [fault] = validate.errors ?? [];
  const path = (fault?.instancePath ?? '').split('/').filter(Boolean).map(unescaped);
  const missing = fault?.keyword === 'required';
  if (missing) path.push(String(fault.params.missingProperty));
  const param = path.length > 0 ? path.join('.') : null;
  const code = missing ? 'missing_required_parameter' : 'invalid_value';
  throw invalidField(`Invalid request: ${param ?? 'the body'} ${fault?.message ?? 'is not valid'}.`, param, code);
}

function checkTools({ tools, tool_choice: choice }: ChatRequest): void {
  tools?.forEach((tool, at) => {
    const { parameters } = tool.function;
    const fault = parameters === undefined || parameters === null ? null : schemaFault(parameters);
    if (fault !== null) throw invalidField(`The tool's parameters: ${fault}.`, `tools.${at}.function.parameters`);
  });
  const offered = (tools ?? []).map((tool) => tool.function.name);
  if (typeof choice === 'object' && choice !== null) {
    const wanted = choice.function.name;
    if (!offered.includes(wanted)) throw invalidField(`There is no tool '${wanted}' among the tools.`, 'tool_choice');
  }
  if (choice === 'required' && offered.length === 0)
    throw invalidField('A tool is required, but there is none.', 'tool_choice');
}

/** @throws Refusal with 400 and the field at fault. */
export function asChatRequest(body: unknown): ChatRequest {
  const requested = check(chatValidator(), body);
  if (requested.top_logprobs && !requested.logprobs)
    throw invalidField('top_logprobs needs logprobs to be true.', 'top_logprobs');
  checkTools(requested);
  const schema = requested.response_format?.json_schema?.schema;
  const fault = requested.response_format?.type === 'json_schema' ? schemaFault(schema) : null;
  if (fault !== null) throw invalidField(`The schema of the response ${fault}.`, 'response_format.json_schema.schema');
  return requested;
}

/** @throws Refusal with 400 and the field at fault. */
export function asCompletionRequest(body: unknown): CompletionRequest {
  const requested = check(completionValidator(), body);
  const { best_of: bestOf = null, n, stream } = requested;
  if (bestOf === null) return requested;
  if (bestOf < (n ?? 1)) throw invalidField('best_of must not be less than n.', 'best_of');
  if (stream && bestOf > 1) throw invalidField('best_of texts cannot be compared while they are streamed.', 'best_of');
  return requested;
}

/** What a message says, as plain text; parts that are no text say nothing. */
export function textOfMessage({ content, tool_calls: calls }: ChatMessage): string {
  const parts = typeof content === 'string' ? [content] : (content ?? []).map((part) => part.text);
  const called = calls && calls.length > 0 ? [JSON.stringify(calls)] : [];
  return [...parts, ...called].filter((one) => typeof one === 'string').join('\n');
}
