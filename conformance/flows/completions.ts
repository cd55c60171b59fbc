/** Completions that many checks look at, made once per run. */
import type { CheckContext } from '../context.ts';
import { type EventStream, readEvents } from '../reading/events.ts';
import type { Reply } from '../target/reply.ts';

const FEW_TOKENS = 32;

/** The request of the documentation: a model and one message of a user, nothing else. */
export function plainChat(t: CheckContext): Promise<Reply> {
  return t.once('plain-chat', (own) => own.inference.chat({ model: own.model, messages: own.messages }));
}

export function plainCompletion(t: CheckContext): Promise<Reply> {
  return t.once('plain-completion', (own) => own.inference.completions({ model: own.model, prompt: own.prompt }));
}

export interface StreamedReply {
  readonly reply: Reply;
  readonly stream: EventStream;
}

export function streamedChat(t: CheckContext, options: Readonly<Record<string, unknown>> = {}): Promise<StreamedReply> {
  return t.once(`streamed-chat ${JSON.stringify(options)}`, async (own) => {
    const body = { model: own.model, messages: own.messages, max_tokens: FEW_TOKENS, stream: true, ...options };
    const reply = await own.inference.chat(body);
    return { reply, stream: readEvents(reply.pieces) };
  });
}

export function streamedCompletion(t: CheckContext): Promise<StreamedReply> {
  return t.once('streamed-completion', async (own) => {
    const body = { model: own.model, prompt: own.prompt, max_tokens: FEW_TOKENS, stream: true };
    const reply = await own.inference.completions(body);
    return { reply, stream: readEvents(reply.pieces) };
  });
}
