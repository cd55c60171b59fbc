/** POST /v1/chat/completions (spec 2.3, 4.1). */
import type { Call } from '../call.ts';
import { hex } from '../ids.ts';
import type { Reply } from '../reply.ts';
import { answer, madeOf } from './answer.ts';
import { type ChatChoice, chatShape, type ToolCall } from './chat-shape.ts';
import { bodyOf, modelOf, type Room, roomFor, texts } from './prepare.ts';
import { asChatRequest, type ChatRequest } from './request/chat.ts';
import { textOfMessage } from './request/message.ts';
import { instanceText } from './schema/instance.ts';
import { type CalledTool, toolCallsOf } from './tool-calls.ts';

/** The JSON text that `response_format` asks for, if it does. */
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

function choicesOf(call: Call, asked: ChatRequest, prompt: string, room: Room): ChatChoice[] {
  const count = asked.n ?? 1;
  const called = toolCallsOf(asked);
  if (called.length > 0) return Array.from({ length: count }, (_, index) => callingChoice(call, called, index, room));
  const logprobs = asked.logprobs ? (asked.top_logprobs ?? 0) : null;
  return texts(asked, prompt, room, count, demandedText(asked)).map(({ tokens, finish }, index) => {
    return { index, pieces: tokens, finish, logprobs, toolCalls: [] };
  });
}

export async function chat(call: Call): Promise<Reply> {
  const asked = asChatRequest(await bodyOf(call, 'chat'));
  const model = modelOf(call, asked.model);
  const prompt = asked.messages.map((message) => `${message.role}: ${textOfMessage(message)}`).join('\n');
  const maxTokens = asked.max_completion_tokens ?? asked.max_tokens ?? null;
  const choices = asked.n ?? 1;
  const length = { maxTokens, otherwise: model.contextLength, param: 'messages', choices };
  const room = roomFor(call, model, [prompt], length);
  return answer(call, asked, madeOf(choicesOf(call, asked, prompt, room), room.promptTokens), chatShape);
}
