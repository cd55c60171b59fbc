/**
 * The text of an answer: made of plain words, the same for the same model, prompt, seed and choice. Without a length in
 * the request it is short; with one it is exactly that long, so that a client can request a long generation.
 */
import { seeded } from '../../schemas/seeded.ts';
import { splitTokens } from './tokens.ts';

/** FNV-1a over UTF-16 units, 32 bits. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

export interface Generated {
  /** Joined together they are the text. */
  readonly tokens: readonly string[];
  readonly finish: 'stop' | 'length';
}

export interface TextRequest {
  readonly model: string;
  readonly prompt: string;
  readonly seed: number;
  /** Which of the choices. */
  readonly index: number;
  /** Exactly this many tokens; null for a short answer of its own length. */
  readonly maxTokens: number | null;
  /** Most tokens of an answer without a length, and of any answer. */
  readonly cap: number;
  /** The text ends before the first of these. */
  readonly stop: readonly string[];
  /** A text to use instead of words, such as requested JSON. */
  readonly fixed?: string | undefined;
}

const WORDS = (
  'a load is put on the crane before anyone trusts its plate and every limit that was written down is tried one by ' +
  'one until it holds or breaks so we know what the rope can carry in wind rain and cold'
).split(' ');

/** The third word of each text has a letter of several bytes, which a proxy of a stream may break apart. */
const BROAD = 'Prüflast';
const BROAD_PLACE = 2;

/** The words that texts are made of, each once. */
export const wordList: readonly string[] = [...new Set(WORDS), BROAD];

const SHORTEST = 8;
const SPREAD = 12;

function words(random: () => number, count: number): string[] {
  const tokens: string[] = [];
  let sentence = 0;
  while (tokens.length < count) {
    sentence += 1;
    if (sentence > 5 && random() < 0.25) {
      tokens.push('.');
      sentence = 0;
      continue;
    }
    const any = WORDS[Math.floor(random() * WORDS.length)] ?? 'load';
    const word = tokens.length === BROAD_PLACE ? BROAD : any;
    const cased = sentence === 1 ? word.charAt(0).toUpperCase() + word.slice(1) : word;
    tokens.push(tokens.length === 0 ? cased : ` ${cased}`);
  }
  return tokens;
}

/** Ends the tokens before the first stop text; the token it begins in is cut. */
function cutAtStop(tokens: readonly string[], stop: readonly string[]): readonly string[] | null {
  if (stop.length === 0) return null;
  const text = tokens.join('');
  const at = Math.min(...stop.filter((one) => one !== '' && text.includes(one)).map((one) => text.indexOf(one)));
  if (!Number.isFinite(at)) return null;
  const kept: string[] = [];
  let length = 0;
  for (const token of tokens) {
    if (length >= at) break;
    kept.push(token.slice(0, at - length));
    length += token.length;
  }
  return kept;
}

export function generate(request: TextRequest): Generated {
  const { model, prompt, seed, index, maxTokens, cap, stop, fixed } = request;
  const random = seeded(hash(`${model}\n${seed}\n${index}\n${prompt}`));
  const most = Math.min(cap, maxTokens ?? cap);
  const natural = SHORTEST + Math.floor(random() * SPREAD);
  const wanted = fixed === undefined ? words(random, maxTokens ?? Math.min(natural, cap)) : splitTokens(fixed);
  const tokens = wanted.slice(0, most);
  const stopped = cutAtStop(tokens, stop);
  if (stopped) return { tokens: stopped, finish: 'stop' };
  const ended = fixed === undefined ? maxTokens === null && natural <= cap : wanted.length <= most;
  return { tokens, finish: ended ? 'stop' : 'length' };
}
