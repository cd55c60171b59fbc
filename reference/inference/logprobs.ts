/**
 * Log-probabilities of the right form: for each token a distribution over a few words, the same for the same token at
 * the same place. The chosen token is mostly the likeliest, as with a real model, and not always.
 */
import { seeded } from '../../schemas/seeded.ts';
import { hash, wordList } from './text.ts';

interface Likely {
  readonly token: string;
  readonly logprob: number;
}

const HIGHEST_RANK = 2;
/** Part of all probability that the likeliest token has, at the least and at the most. */
const LEAST = 0.4;
const SPREAD = 0.5;
/** What all listed alternatives have together; the rest is for the words that are never listed. */
const TOLD = 0.98;

interface Distribution {
  readonly chosen: Likely;
  /** Likeliest first, all different; the chosen one stands at its rank. */
  top(count: number): Likely[];
}

/** `at`: the token's place in its text; below 0 in the prompt before it. */
function distribution(token: string, at: number): Distribution {
  const random = seeded(hash(token) + at);
  const first = LEAST + SPREAD * random();
  const rank = Math.min(HIGHEST_RANK, Math.floor(-Math.log2(1 - random()) / 3));
  const start = Math.floor(random() * wordList.length);
  // Each rank has the same part of what the ranks before it left over, so that all together stay below it.
  const logprob = (at: number): number => Math.log(TOLD * first) + at * Math.log(1 - first);
  return {
    chosen: { token, logprob: logprob(rank) },
    top(count) {
      const others = wordList.map((_, offset) => ` ${wordList[(start + offset) % wordList.length]}`);
      const tokens = others.filter((other) => other !== token);
      tokens.splice(rank, 0, token);
      return tokens.slice(0, count).map((one, place) => ({ token: one, logprob: logprob(place) }));
    },
  };
}

export const logprobOf = (token: string, at: number): number => distribution(token, at).chosen.logprob;

const entry = ({ token, logprob }: Likely): object => ({ token, logprob, bytes: [...Buffer.from(token)] });

/** Chat form: one entry per token, each with the `top` likeliest. `from`: place of the first token in the text. */
export function chatLogprobs(tokens: readonly string[], top: number, from = 0): object {
  const content = tokens.map((token, at) => {
    const { chosen, top: likeliest } = distribution(token, from + at);
    return { ...entry(chosen), top_logprobs: likeliest(top).map(entry) };
  });
  return { content, refusal: null };
}

export interface TextLogprobs {
  readonly tokens: readonly string[];
  /** Null for the first token of all, which nothing comes before. */
  readonly token_logprobs: readonly (number | null)[];
  /** The `top` likeliest of each place, and the chosen token where it isn't among them. */
  readonly top_logprobs: readonly (Readonly<Record<string, number>> | null)[];
  /** Where each token begins in the text, in UTF-16 units. */
  readonly text_offset: readonly number[];
}

/** Text-completion form: parallel lists. `from` as above, `offset`: where the first token begins in the text. */
export function textLogprobs(tokens: readonly string[], top: number, from: number, offset: number): TextLogprobs {
  let position = offset;
  const reported = tokens.map((token, at) => {
    const begins = position;
    position += token.length;
    const { chosen, top: likeliest } = distribution(token, from + at);
    const alternatives = [...likeliest(top), chosen].map((one): [string, number] => [one.token, one.logprob]);
    return { begins, logprob: chosen.logprob, alternatives: Object.fromEntries(alternatives) };
  });
  const known = (at: number): boolean => reported[at]?.begins !== 0 || from >= 0;
  return {
    tokens,
    token_logprobs: reported.map(({ logprob }, at) => (known(at) ? logprob : null)),
    top_logprobs: reported.map(({ alternatives }, at) => (known(at) ? alternatives : null)),
    text_offset: reported.map(({ begins }) => begins),
  };
}
