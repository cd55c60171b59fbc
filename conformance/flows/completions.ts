/**
 * Completions that many checks look at, made once per run, and the two operations that make them asked alike: chat for a
 * conversation, completions for a prompt.
 */
import type { CheckContext } from '../context.ts';
import { chunksOf, type EventStream, readEvents } from '../reading/events.ts';
import { at, listAt, show } from '../reading/json.ts';
import type { RequestOptions } from '../target/inference.ts';
import type { Reply } from '../target/reply.ts';

export type Completing = 'chat' | 'completions';
export const completing: readonly Completing[] = ['chat', 'completions'];

type Fields = Readonly<Record<string, unknown>>;

const FEW_TOKENS = 32;
/** Enough for a look at an answer; real models cost money. */
const FEWEST_TOKENS = 8;

/** A valid body that asks for this text; `more` adds to it, or takes the place of what is there. */
export function bodyFor(t: CheckContext, id: Completing, text: string = t.prompt, more: Fields = {}): Fields {
  const asked = id === 'chat' ? { messages: [{ role: 'user', content: text }] } : { prompt: text };
  return { model: t.model, ...asked, max_tokens: FEWEST_TOKENS, ...more };
}

/** The list of models, read once per run. */
export const modelList = (t: CheckContext): Promise<Reply> => t.once('models', (own) => own.inference.models());

/** A completion of the usual text with further fields. */
export function ask(t: CheckContext, id: Completing, more: Fields = {}, options: RequestOptions = {}): Promise<Reply> {
  return send(t, id, bodyFor(t, id, t.prompt, more), options);
}

export function send(t: CheckContext, id: Completing, body: Fields, options: RequestOptions = {}): Promise<Reply> {
  return id === 'chat' ? t.inference.chat(body, options) : t.inference.completions(body, options);
}

/** The plain completion, as ground for a look at its details or at another one. */
export async function completed(t: CheckContext, id: Completing): Promise<Reply> {
  const reply = await plain(t, id);
  t.requireAnswer(id, reply);
  return reply;
}

/** The choices of an answer or chunk; none where there is no list of them. */
export const choicesOf = (body: unknown): readonly unknown[] => listAt(body, 'choices');

/** Without those that some services send first to say something of their own. */
export const withChoices = (chunks: readonly unknown[]): readonly unknown[] =>
  chunks.filter((one) => choicesOf(one).length > 0);

/** The text of a choice, whole or of one chunk. */
export function textOf(id: Completing, choice: unknown): unknown {
  return id === 'completions'
    ? at(choice, 'text')
    : (at(choice, 'message', 'content') ?? at(choice, 'delta', 'content'));
}

/** The request of the documentation: a model and one message of a user, or a prompt, and nothing else; made once per run. */
export function plain(t: CheckContext, id: Completing): Promise<Reply> {
  return t.once(`plain-${id}`, (own) => {
    const asked = id === 'chat' ? { messages: own.messages } : { prompt: own.prompt };
    return send(own, id, { model: own.model, ...asked });
  });
}

/** What a reasoning model says before its text; with few tokens it may be all that it says. */
export function thoughtOf(choice: unknown): unknown {
  const said = at(choice, 'message') ?? at(choice, 'delta') ?? choice;
  return at(said, 'reasoning_content') ?? at(said, 'reasoning');
}

/**
 * That the first choice of a plain completion holds what the model said. A text completion may be empty, as a model may
 * have nothing to add to a prompt, but then it counts no more than the token that ends it; a message to a user is not.
 */
export function expectText(t: CheckContext, id: Completing, { json }: Reply): void {
  const [choice] = choicesOf(json);
  const [text, thought, tokens] = [textOf(id, choice), thoughtOf(choice), at(json, 'usage', 'completion_tokens')];
  const isLost = id === 'completions' && text === '' && typeof tokens === 'number' && tokens > 1;
  // Nothing is cut off by a limit that none of it has used.
  const isCutOff = at(choice, 'finish_reason') === 'length' && tokens !== 0;
  if (isCutOff && text !== undefined && !text && !isLost)
    t.inconclusive('the text was cut off before its first character', 'use a faster model');
  const isSaid = (value: unknown): boolean => typeof value === 'string' && value !== '';
  const holds = id === 'completions' ? typeof text === 'string' && !isLost : isSaid(text) || isSaid(thought);
  t.expect(
    'the text of the first choice',
    isLost ? `the text of ${tokens} tokens` : id === 'completions' ? 'a string' : 'a string that is not empty',
    show(text),
    holds,
  );
}

export interface StreamedReply {
  readonly reply: Reply;
  readonly stream: EventStream;
}

export function streamed(t: CheckContext, id: Completing, more: Fields = {}): Promise<StreamedReply> {
  return t.once(`streamed-${id} ${JSON.stringify(more)}`, async (own) => {
    const reply = await ask(own, id, { max_tokens: FEW_TOKENS, stream: true, ...more });
    return { reply, stream: readEvents(reply.pieces) };
  });
}

export interface ChunkedReply extends StreamedReply {
  readonly chunks: readonly unknown[];
}

/** A stream with at least one event, as ground for a look at the details. */
export async function chunked(t: CheckContext, id: Completing, more: Fields = {}): Promise<ChunkedReply> {
  const one = await streamed(t, id, more);
  t.requireOk(one.reply);
  const chunks = chunksOf(one.stream);
  t.ground('a stream has events', 'some', 'none', chunks.length > 0);
  return { ...one, chunks };
}

/** usage counts prompt and completion tokens, and they add up. */
export function expectUsageAddsUp(t: CheckContext, reply: Reply): void {
  const usage = at(reply.json, 'usage');
  const [prompt, completion, total] = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((key) =>
    at(usage, key),
  );
  const adds = typeof prompt === 'number' && typeof completion === 'number' && prompt + completion === total;
  t.expect('usage', 'prompt and completion tokens add up to the total', show(usage), adds);
}

/** Each of two choices, in their order. */
export function expectEachChoice(t: CheckContext, reply: Reply): void {
  t.requireOk(reply, 'finding');
  const choices = at(reply.json, 'choices');
  const indexes = Array.isArray(choices) ? choices.map((choice) => at(choice, 'index')) : choices;
  t.expect('the indexes of the choices', '[0,1]', show(indexes), show(indexes) === '[0,1]');
}
