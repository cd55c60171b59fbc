/** POST /v1/chat/completions (spec 2.3, 4.1). */
import { type Call, readJson } from '../call.ts';
import { hex } from '../ids.ts';
import type { Reply } from '../reply.ts';
import { answer, type Choice, type Shape } from './answer.ts';
import { instanceOf } from './instance.ts';
import { chatLogprobs } from './logprobs.ts';
import { modelOf, promptTokens, texts } from './prepare.ts';
import { splitTokens } from './tokens.ts';
import { asChatRequest, type ChatMessage, type ChatRequest } from './validate.ts';

interface ChatChoice extends Choice {
  readonly logprobs: number | null;
  /** A call instead of a text; the pieces are then those of its arguments. */
  readonly toolCall: { readonly id: string; readonly name: string } | null;
}

function textOf(message: ChatMessage): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => (typeof part.text === 'string' ? part.text : '')).join('\n');
}

/** The tool the client insists on; without insistence the answer is a text. */
function demandedTool(asked: ChatRequest): { name: string; parameters?: unknown } | null {
  const { tools, tool_choice: choice } = asked;
  if (!tools || tools.length === 0) return null;
  if (choice === 'required') return tools[0]?.function ?? null;
  if (typeof choice !== 'object' || choice === null || !('function' in choice)) return null;
  const wanted = choice.function;
  const name = typeof wanted === 'object' && wanted !== null && 'name' in wanted ? wanted.name : undefined;
  return tools.find((tool) => tool.function.name === name)?.function ?? null;
}

/** The JSON text that `response_format` asks for, if it does. */
function demandedText(asked: ChatRequest): string | undefined {
  const format = asked.response_format;
  if (format?.type === 'json_schema') return JSON.stringify(instanceOf(format.json_schema?.schema) ?? {});
  return format?.type === 'json_object' ? JSON.stringify({ answer: 'the limit holds' }) : undefined;
}

function choicesOf(call: Call, asked: ChatRequest, prompt: string): ChatChoice[] {
  const tool = demandedTool(asked);
  if (tool) {
    const pieces = splitTokens(JSON.stringify(instanceOf(tool.parameters) ?? {}));
    return Array.from({ length: asked.n ?? 1 }, (_, index) => {
      const toolCall = { id: `call_${hex(call.random, 24)}`, name: tool.name };
      return { index, pieces, finish: 'tool_calls', logprobs: null, toolCall };
    });
  }
  const maxTokens = asked.max_completion_tokens ?? asked.max_tokens ?? null;
  const length = { maxTokens, cap: call.options.maxCompletionTokens, fixed: demandedText(asked) };
  const logprobs = asked.logprobs ? (asked.top_logprobs ?? 0) : null;
  return texts(call, asked, prompt, length).map(({ tokens, finish }, index) => {
    return { index, pieces: tokens, finish, logprobs, toolCall: null };
  });
}

function logprobs(choice: ChatChoice, pieces: readonly string[]): object | null {
  return choice.logprobs === null ? null : chatLogprobs(pieces, choice.logprobs);
}

function delta(
  choice: ChatChoice,
  content: object,
  pieces: readonly string[] = [],
  finish: string | null = null,
): object {
  const probabilities = pieces.length > 0 ? logprobs(choice, pieces) : null;
  return { index: choice.index, delta: content, logprobs: probabilities, finish_reason: finish };
}

const shape: Shape<ChatChoice> = {
  idPrefix: 'chatcmpl',
  wholeObject: 'chat.completion',
  chunkObject: 'chat.completion.chunk',
  usageDetails: {
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  },
  whole(choice) {
    const { index, pieces, finish, toolCall } = choice;
    const text = pieces.join('');
    const said = toolCall
      ? {
          content: null,
          tool_calls: [{ id: toolCall.id, type: 'function', function: { name: toolCall.name, arguments: text } }],
        }
      : { content: text };
    const message = { role: 'assistant', ...said, refusal: null, annotations: [] };
    return { index, message, logprobs: logprobs(choice, pieces), finish_reason: finish };
  },
  open(choice) {
    if (!choice.toolCall) return delta(choice, { role: 'assistant', content: '' });
    const { id, name } = choice.toolCall;
    const opened = { index: 0, id, type: 'function', function: { name, arguments: '' } };
    return delta(choice, { role: 'assistant', content: null, tool_calls: [opened] });
  },
  piece(choice, at) {
    const piece = choice.pieces[at] ?? '';
    if (choice.toolCall) return delta(choice, { tool_calls: [{ index: 0, function: { arguments: piece } }] });
    return delta(choice, { content: piece }, [piece]);
  },
  close: (choice) => delta(choice, {}, [], choice.finish),
};

export async function chat(call: Call): Promise<Reply> {
  const { inferencePayloadBytes, oversizeStatus } = call.options;
  const body = await readJson(call, 'inference', inferencePayloadBytes, oversizeStatus);
  const asked = asChatRequest(call.options.rules.understood('chat', body));
  const model = modelOf(call, asked.model);
  const prompt = asked.messages.map((message) => `${message.role}: ${textOf(message)}`).join('\n');
  const tokens = promptTokens([prompt], model, 'messages');
  return answer(call, asked, choicesOf(call, asked, prompt), tokens, shape);
}
