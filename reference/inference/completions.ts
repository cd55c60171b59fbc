/** POST /v1/completions (spec 4.1): prompt-based text generation. */
import { type Call, readJson } from '../call.ts';
import type { Reply } from '../reply.ts';
import { answer, type Choice, type Shape } from './answer.ts';
import { textLogprobs } from './logprobs.ts';
import { modelOf, promptTokens, texts } from './prepare.ts';
import { asCompletionRequest, type CompletionRequest } from './validate.ts';

/** The convention's length of a completion that names none. */
const DEFAULT_TOKENS = 16;

interface TextChoice extends Choice {
  /** The prompt, where it is to be repeated before the text. */
  readonly echo: string;
  readonly logprobs: boolean;
}

const isNumberList = (value: readonly unknown[]): boolean => value.every((item) => typeof item === 'number');

/** Prompts as texts; token numbers become words, one for each. */
function promptsOf(prompt: CompletionRequest['prompt']): string[] {
  if (typeof prompt === 'string') return [prompt];
  const words = (tokens: readonly unknown[]): string => tokens.map((token) => `t${token}`).join(' ');
  if (isNumberList(prompt)) return [words(prompt)];
  return prompt.map((one) => (typeof one === 'string' ? one : words([one].flat())));
}

function choicesOf(call: Call, asked: CompletionRequest, prompts: readonly string[]): TextChoice[] {
  const length = { maxTokens: asked.max_tokens ?? null, cap: asked.max_tokens ?? DEFAULT_TOKENS };
  return prompts
    .flatMap((prompt) =>
      texts(call, asked, prompt, length).map((text) => ({ ...text, echo: asked.echo ? prompt : '' })),
    )
    .map(({ tokens, finish, echo }, index) => {
      return { index, pieces: tokens, finish, echo, logprobs: (asked.logprobs ?? null) !== null };
    });
}

/** `from`: which of the choice's tokens comes first, for the offsets of log-probabilities. */
function part(choice: TextChoice, text: string, tokens: readonly string[], finish: string | null, from = 0): object {
  const offset = choice.echo.length + choice.pieces.slice(0, from).join('').length;
  const logprobs = choice.logprobs && tokens.length > 0 ? textLogprobs(tokens, offset) : null;
  return { text, index: choice.index, logprobs, finish_reason: finish };
}

const shape: Shape<TextChoice> = {
  idPrefix: 'cmpl',
  wholeObject: 'text_completion',
  chunkObject: 'text_completion',
  usageDetails: {},
  whole: (choice) => part(choice, choice.echo + choice.pieces.join(''), choice.pieces, choice.finish),
  open: (choice) => (choice.echo === '' ? null : part(choice, choice.echo, [], null)),
  piece(choice, at) {
    const piece = choice.pieces[at] ?? '';
    return part(choice, piece, [piece], null, at);
  },
  close: (choice) => part(choice, '', [], choice.finish),
};

export async function completions(call: Call): Promise<Reply> {
  const { inferencePayloadBytes, oversizeStatus } = call.options;
  const body = await readJson(call, 'inference', inferencePayloadBytes, oversizeStatus);
  const asked = asCompletionRequest(call.options.rules.understood('completions', body));
  const model = modelOf(call, asked.model);
  const prompts = promptsOf(asked.prompt);
  const tokens = promptTokens(prompts, model, 'prompt');
  return answer(call, asked, choicesOf(call, asked, prompts), tokens, shape);
}
