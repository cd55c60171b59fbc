/** Which tools an answer calls, and with what. A model decides that by reading; this one looks for the tools' names. */
import type { ChatRequest, Tool } from './request/chat.ts';
import { textOfMessage } from './request/message.ts';
import { instanceText } from './schema/instance.ts';
import { splitTokens } from './tokens.ts';

export interface CalledTool {
  readonly name: string;
  /** Arguments as JSON, in tokens. */
  readonly pieces: readonly string[];
}

function calling({ function: { name, parameters } }: Tool): CalledTool {
  const told = instanceText(parameters ?? {});
  return { name, pieces: splitTokens(told.startsWith('{') ? told : '{}') };
}

/** Whether a text has this name in it as a word of its own. */
function names(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'i').test(text);
}

/** The tools whose names the user's last message has in it, when that is the last message of all. */
function asksFor(asked: ChatRequest, tools: readonly Tool[]): Tool[] {
  const last = asked.messages.at(-1);
  if (last?.role !== 'user') return [];
  const text = textOfMessage(last);
  return tools.filter((tool) => names(text, tool.function.name));
}

/**
 * None for an answer in words. `auto` calls what the user has just named, `required` that or else the first tool; one
 * at most unless several at once are allowed, as they are by default.
 */
export function toolCallsOf(asked: ChatRequest): CalledTool[] {
  const { tool_choice: choice, parallel_tool_calls: parallel } = asked;
  const tools = asked.tools ?? [];
  if (choice === 'none' || tools.length === 0) return [];
  if (typeof choice === 'object' && choice !== null) {
    return tools
      .filter((tool) => tool.function.name === choice.function.name)
      .slice(0, 1)
      .map(calling);
  }
  const named = asksFor(asked, tools);
  const called = named.length === 0 && choice === 'required' ? tools.slice(0, 1) : named;
  return called.slice(0, parallel === false ? 1 : called.length).map(calling);
}
