/** POST /v1/completions (spec 4.1): prompt-based text generation. */
import type { Call } from '../call.ts';
import type { Reply } from '../reply.ts';
import { answer, type Choice, madeOf, type Shape } from './answer.ts';
import { logprobOf, textLogprobs } from './logprobs.ts';
import { bodyOf, modelOf, type Room, roomFor, texts } from './prepare.ts';
import { asCompletionRequest, type CompletionRequest } from './request.ts';
import type { Generated } from './text.ts';
import { splitTokens } from './tokens.ts';

/** The convention's length of a completion that names none. */
const DEFAULT_TOKENS = 16;

interface TextChoice extends Choice {
  /** The prompt in tokens, where it is to be repeated before the text. */
  readonly echo: readonly string[];
  /** How many alternatives to list for each token; null for no probabilities at all. */
  readonly logprobs: number | null;
}

const isNumberList = (value: readonly unknown[]): boolean => value.every((item) => typeof item === 'number');

/** Prompts as texts; token numbers become words, one for each. */
function promptsOf(prompt: CompletionRequest['prompt']): string[] {
  if (typeof prompt === 'string') return [prompt];
  const words = (tokens: readonly unknown[]): string => tokens.map((token) => `t${token}`).join(' ');
  if (isNumberList(prompt)) return [words(prompt)];
  return prompt.map((one) => (typeof one === 'string' ? one : words([one].flat())));
}

/** Highest probability per token, as the convention defines "best". */
function score({ tokens }: Generated): number {
  return tokens.reduce((sum, token, at) => sum + logprobOf(token, at), 0) / Math.max(1, tokens.length);
}

/** The best of them, in the order in which they were made. */
function best(made: readonly Generated[], count: number): Generated[] {
  if (made.length <= count) return [...made];
  const chosen = new Set([...made].sort((one, other) => score(other) - score(one)).slice(0, count));
  return made.filter((one) => chosen.has(one));
}

/** `from`: which of the choice's tokens comes first; below 0 for those of its prompt. */
function part(choice: TextChoice, tokens: readonly string[], from: number, finish: string | null = null): object {
  const text = tokens.join('');
  const { echo, pieces, index, logprobs } = choice;
  if (logprobs === null || tokens.length === 0) return { text, index, logprobs: null, finish_reason: finish };
  const before = from < 0 ? [] : [...echo, ...pieces.slice(0, from)];
  const reported = textLogprobs(tokens, logprobs, from, before.join('').length);
  return { text, index, logprobs: reported, finish_reason: finish };
}

const shape: Shape<TextChoice> = {
  idPrefix: 'cmpl',
  wholeObject: 'text_completion',
  chunkObject: 'text_completion',
  head: {},
  usageDetails: {},
  whole: (choice) => part(choice, [...choice.echo, ...choice.pieces], -choice.echo.length, choice.finish),
  open: (choice) => (choice.echo.length === 0 ? null : part(choice, choice.echo, -choice.echo.length)),
  piece: (choice, at) => [part(choice, [choice.pieces[at] ?? ''], at)],
  close: (choice) => part(choice, [], choice.pieces.length, choice.finish),
};

const textsPerPrompt = ({ n, best_of }: CompletionRequest): number => Math.max(n ?? 1, best_of ?? 1);

/** The texts for each prompt. A suffix is read like a part of the prompt and isn't repeated. */
function generatedFor(requested: CompletionRequest, prompts: readonly string[], room: Room): Generated[][] {
  return prompts.map((prompt) => texts(requested, withSuffix(prompt, requested), room, textsPerPrompt(requested)));
}

const withSuffix = (prompt: string, { suffix }: CompletionRequest): string =>
  suffix ? `${prompt}\n${suffix}` : prompt;

export async function completions(call: Call): Promise<Reply> {
  const requested = asCompletionRequest(await bodyOf(call, 'completions'));
  const model = modelOf(call, requested.model);
  const prompts = promptsOf(requested.prompt);
  const read = prompts.map((prompt) => withSuffix(prompt, requested));
  const length = {
    maxTokens: requested.max_tokens ?? null,
    otherwise: DEFAULT_TOKENS,
    param: 'prompt',
    choices: textsPerPrompt(requested),
  };
  const room = roomFor(call, model, read, length);
  const generated = generatedFor(requested, prompts, room);
  const choices = generated.flatMap((made, at) => {
    const echo = requested.echo ? splitTokens(prompts[at] ?? '') : [];
    return best(made, requested.n ?? 1).map(({ tokens, finish }) => ({ pieces: tokens, finish, echo }));
  });
  const numbered = choices.map((one, index): TextChoice => ({ ...one, index, logprobs: requested.logprobs ?? null }));
  const spent = generated.flat().map(({ tokens }) => tokens.length);
  const completionTokens = spent.reduce((sum, tokens) => sum + tokens, 0);
  const made = { ...madeOf(numbered, room.promptTokens), completionTokens, steps: Math.max(...spent) };
  return answer(call, requested, made, shape);
}
