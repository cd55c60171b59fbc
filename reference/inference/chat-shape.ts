/** How a choice of a chat completion looks in JSON, whole and in pieces: a text, or calls of tools. */
import type { Choice, Shape } from './answer.ts';
import { chatLogprobs } from './logprobs.ts';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Which of the choice's pieces its arguments begin with, and which comes after their last. */
  readonly from: number;
  readonly to: number;
}

export interface ChatChoice extends Choice {
  /** How many alternatives to tell for each token; null for no probabilities at all. */
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

export const chatShape: Shape<ChatChoice> = {
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
    const told = logprobs === null ? null : chatLogprobs(pieces, logprobs);
    return { index, message: messageOf(choice), logprobs: told, finish_reason: finish };
  },
  open(choice) {
    if (choice.toolCalls.length > 0) return opened(choice, 0, { role: 'assistant', content: null });
    return delta(choice, { role: 'assistant', content: '', refusal: null });
  },
  piece(choice, at) {
    const piece = choice.pieces[at] ?? '';
    const calling = choice.toolCalls.findIndex((call) => at >= call.from && at < call.to);
    if (calling < 0) {
      const told = choice.logprobs === null ? null : chatLogprobs([piece], choice.logprobs, at);
      return [delta(choice, { content: piece }, told)];
    }
    const first = calling > 0 && choice.toolCalls[calling]?.from === at ? [opened(choice, calling)] : [];
    return [...first, delta(choice, { tool_calls: [{ index: calling, function: { arguments: piece } }] })];
  },
  close: (choice) => delta(choice, {}, null, choice.finish),
};
