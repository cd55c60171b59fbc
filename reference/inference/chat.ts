/** POST /v1/chat/completions (spec 2.3, 4.1). */
import type { Call } from '../call.ts';
import { hex } from '../ids.ts';
import type { Reply } from '../reply.ts';
import { answer, type Choice, madeOf, type Shape } from './answer.ts';
import { chatLogprobs } from './logprobs.ts';
import { bodyOf, modelOf, type Room, roomFor, texts } from './prepare.ts';
import { asChatRequest, type ChatRequest, type Tool, textOfMessage } from './request.ts';
import { instanceText } from './schema/instance.ts';
import { splitTokens } from './tokens.ts';

// Which tools an answer calls, and with which arguments. A model decides that by reading; this one searches for the
// tools' names.

interface CalledTool {
  readonly name: string;
  /** Arguments as JSON, in tokens. */
  readonly pieces: readonly string[];
}

function calling({ function: { name, parameters } }: Tool): CalledTool {
  const reported = instanceText(parameters ?? {});
  return { name, pieces: splitTokens(reported.startsWith('{') ? reported : '{}') };
}

/** Whether a text has this name in it as a word of its own. */
function names(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'i').test(text);
}

/** The tools whose names the user's last message has in it, when that is the last message of all. */
function namedTools(requested: ChatRequest, tools: readonly Tool[]): Tool[] {
  const last = requested.messages.at(-1);
  if (last?.role !== 'user') return [];
  const text = textOfMessage(last);
  return tools.filter((tool) => names(text, tool.function.name));
}

/**
 * None for an answer in words. `auto` calls what the user has just named, `required` that or else the first tool; one
 * at most unless several at once are allowed, as they are by default.
 */
function toolCallsOf(requested: ChatRequest): CalledTool[] {
  const { tool_choice: choice, parallel_tool_calls: parallel } = requested;
  const tools = requested.tools ?? [];
  if (choice === 'none' || tools.length === 0) return [];
  if (typeof choice === 'object' && choice !== null) {
    return tools
      .filter((tool) => tool.function.name === choice.function.name)
      .slice(0, 1)
      .map(calling);
  }
  const named = namedTools(requested, tools);
  const called = named.length === 0 && choice === 'required' ? tools.slice(0, 1) : named;
  return called.slice(0, parallel === false ? 1 : called.length).map(calling);
}

// How a choice of a chat completion looks in JSON, whole and in pieces: a text, or calls of tools.

interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Which of the choice's pieces its arguments begin with, and which comes after their last. */
  readonly from: number;
  readonly to: number;
}

interface ChatChoice extends Choice {
  /** How many alternatives to list for each token; null for no probabilities at all. */
  readonly logprobs: number | null;
  /** Calls instead of a text; the pieces are then those of their arguments. */
  readonly toolCalls: readonly ToolCall[];
}

function delta(
  choice: ChatChoice,
  content: object,
  logprobs: object | null = null,
  finish: string | null = null,
): object {
  return { index: choice.index, delta: content, logprobs, finish_reason: finish };
}

/** A call's first appearance in a stream: everything but its arguments. */
function opened(choice: ChatChoice, at: number, more: object = {}): object {
  const call = choice.toolCalls[at];
  const named = { index: at, id: call?.id, type: 'function', function: { name: call?.name, arguments: '' } };
  return delta(choice, { ...more, tool_calls: [named] });
}

function messageOf({ pieces, toolCalls }: ChatChoice): object {
  const said =
    toolCalls.length === 0
      ? { content: pieces.join('') }
      : {
          content: null,
          tool_calls: toolCalls.map(({ id, name, from, to }) => {
            return { id, type: 'function', function: { name, arguments: pieces.slice(from, to).join('') } };
          }),
        };
  return { role: 'assistant', ...said, refusal: null, annotations: [] };
}

const chatShape: Shape<ChatChoice> = {
  idPrefix: 'chatcmpl',
  wholeObject: 'chat.completion',
  chunkObject: 'chat.completion.chunk',
  head: { service_tier: 'default' },
  usageDetails: {
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  },
  whole(choice) {
    const { index, pieces, finish, logprobs } = choice;
    const reported = logprobs === null ? null : chatLogprobs(pieces, logprobs);
    return { index, message: messageOf(choice), logprobs: reported, finish_reason: finish };
  },
  open(choice) {
    if (choice.toolCalls.length > 0) return opened(choice, 0, { role: 'assistant', content: null });
    return delta(choice, { role: 'assistant', content: '', refusal: null });
  },
  piece(choice, at) {
    const piece = choice.pieces[at] ?? '';
    const calling = choice.toolCalls.findIndex((call) => at >= call.from && at < call.to);
    if (calling < 0) {
      const reported = choice.logprobs === null ? null : chatLogprobs([piece], choice.logprobs, at);
      return [delta(choice, { content: piece }, reported)];
    }
    const first = calling > 0 && choice.toolCalls[calling]?.from === at ? [opened(choice, calling)] : [];
    return [...first, delta(choice, { tool_calls: [{ index: calling, function: { arguments: piece } }] })];
  },
  close: (choice) => delta(choice, {}, null, choice.finish),
};

/** The JSON text for `response_format`, if there is one. */
function demandedText({ response_format: format }: ChatRequest): string | undefined {
  if (format?.type === 'json_schema') return instanceText(format.json_schema?.schema);
  return format?.type === 'json_object' ? JSON.stringify({ answer: 'the limit holds' }) : undefined;
}

/** The calls in a row, as far as there is room for their arguments. */
function callingChoice(call: Call, called: readonly CalledTool[], index: number, { cap }: Room): ChatChoice {
  const all = called.flatMap(({ pieces }) => pieces);
  const pieces = all.slice(0, cap);
  let from = 0;
  const toolCalls: ToolCall[] = [];
  for (const { name, pieces: own } of called) {
    if (from >= pieces.length) break;
    const to = Math.min(pieces.length, from + own.length);
    toolCalls.push({ id: `call_${hex(call.random, 24)}`, name, from, to });
    from = to;
  }
  const finish = pieces.length < all.length ? 'length' : 'tool_calls';
  return { index, pieces, finish, logprobs: null, toolCalls };
}

function choicesOf(call: Call, requested: ChatRequest, prompt: string, room: Room): ChatChoice[] {
  const count = requested.n ?? 1;
  const called = toolCallsOf(requested);
  if (called.length > 0) return Array.from({ length: count }, (_, index) => callingChoice(call, called, index, room));
  const logprobs = requested.logprobs ? (requested.top_logprobs ?? 0) : null;
  return texts(requested, prompt, room, count, demandedText(requested)).map(({ tokens, finish }, index) => {
    return { index, pieces: tokens, finish, logprobs, toolCalls: [] };
  });
}

export async function chat(call: Call): Promise<Reply> {
  const requested = asChatRequest(await bodyOf(call, 'chat'));
  const model = modelOf(call, requested.model);
  const prompt = requested.messages.map((message) => `${message.role}: ${textOfMessage(message)}`).join('\n');
  const maxTokens = requested.max_completion_tokens ?? requested.max_tokens ?? null;
  const choices = requested.n ?? 1;
  const length = { maxTokens, otherwise: model.contextLength, param: 'messages', choices };
  const room = roomFor(call, model, [prompt], length);
  return answer(call, requested, madeOf(choicesOf(call, requested, prompt, room), room.promptTokens), chatShape);
}
