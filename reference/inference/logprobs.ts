/** Log-probabilities that only look like some: negative, the same for the same token. */
import { hash } from './random.ts';

export function logprobOf(token: string): number {
  return -((hash(token) % 1000) + 1) / 1000;
}

function entry(token: string): { token: string; logprob: number; bytes: number[] } {
  return { token, logprob: logprobOf(token), bytes: [...Buffer.from(token)] };
}

/** Chat form: one entry per token. */
export function chatLogprobs(tokens: readonly string[], top: number): object {
  const content = tokens.map((token) => ({ ...entry(token), top_logprobs: top > 0 ? [entry(token)] : [] }));
  return { content, refusal: null };
}

/** Text-completion form: parallel lists. `offset`: where the first token begins in the text. */
export function textLogprobs(tokens: readonly string[], offset: number): object {
  let position = offset;
  const offsets = tokens.map((token) => {
    const at = position;
    position += token.length;
    return at;
  });
  return {
    tokens,
    token_logprobs: tokens.map(logprobOf),
    top_logprobs: tokens.map((token) => ({ [token]: logprobOf(token) })),
    text_offset: offsets,
  };
}
