/**
 * What a model says to several prompts, one request at a time: what other ways to send the same prompts are compared with.
 * The requests ask for the most repeatable sampling that the service accepts. Each prompt is sent twice, to see whether the
 * texts are the same.
 */
import type { CheckContext } from '../context.ts';
import { show } from '../reading/json.ts';
import type { Reply } from '../target/reply.ts';
import { bodyFor, type Completing, choicesOf, send, textOf, thoughtOf } from './completions.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Enough for a text to be told from another one. */
const TOKENS = 24;
/** The first has letters that take several bytes, which a stream may break apart. */
const TOPICS = ['the river Tietê in São Paulo', 'bread', 'the moon', 'a ladder'];
/** With the least freedom to choose words, where the options are accepted. */
const GREEDY: Fields = { temperature: 0, seed: 7 };

interface Prompt {
  readonly text: string;
  /** In no other prompt. */
  readonly word: string;
}

interface Texts {
  readonly prompts: readonly Prompt[];
  /** Of each prompt. */
  readonly texts: readonly string[];
  /** Whether the same prompt gets the same text each time. */
  readonly repeats: boolean;
  /** Further fields of the requests. */
  readonly options: Fields;
}

/** What the model said in a choice, or in a chunk of one, its reasoning included. */
export const saidIn = (id: Completing, choice: unknown): string =>
  [thoughtOf(choice), textOf(id, choice)].filter((part) => typeof part === 'string').join('');

/** In the first choice of a response; some services cut off the blanks around a whole text. */
const said = (id: Completing, { json }: Reply): string => saidIn(id, choicesOf(json)[0]).trim();

export async function textOfPrompt(t: CheckContext, id: Completing, prompt: string, options: Fields): Promise<string> {
  const reply = await send(t, id, bodyFor(t, id, prompt, options));
  t.requireAnswer(id, reply);
  return said(id, reply);
}

/** Whether a text belongs to the prompt it was requested with, to another one, or may be either. */
function ownerOf({ prompts, texts, repeats }: Texts, index: number, text: string): 'own' | 'other' | 'unknown' {
  const belongs = (one: number): boolean => {
    const prompt = prompts[one];
    return prompt !== undefined && (text.includes(prompt.word) || (repeats && text === texts[one]));
  };
  if (belongs(index)) return 'own';
  return prompts.some((_, other) => belongs(other)) ? 'other' : 'unknown';
}

/** No text belongs to another prompt, and at least one is recognised as that of its own. */
export function expectOwn(t: CheckContext, alone: Texts, replies: readonly { index: number; text: string }[]): void {
  const owners = replies.map(({ index, text }) => ownerOf(alone, index, text));
  const place = owners.indexOf('other');
  if (place < 0 && !owners.includes('own')) t.notObservable(`${REPEATING}, or that repeats a word of it`);
  const own = owners.filter((one) => one === 'own').length;
  const observed = place < 0 ? `${own} recognised as their own` : `${show(replies[place]?.text)} for another prompt`;
  t.expect(`texts of ${replies.length} prompts`, 'none of another prompt', observed, place < 0);
}

export const REPEATING = 'a model that gives the same text to the same prompt';

export const areAlike = (texts: readonly string[]): boolean => new Set(texts).size === 1;

/** @param what whose texts they are */
export function expectNotAlike(t: CheckContext, what: string, texts: readonly string[]): void {
  const observed = areAlike(texts) ? `${show(texts[0])} to each` : `${new Set(texts).size} different texts`;
  t.expect(`the texts of ${texts.length} ${what}`, 'not all the same', observed, !areAlike(texts));
}

/** The texts of all prompts, made once per run. */
export const textsAlone = (t: CheckContext, id: Completing): Promise<Texts> =>
  t.once(`texts-${id}`, (own) => makeTexts(own, id), 'ground');

async function makeTexts(t: CheckContext, id: Completing): Promise<Texts> {
  const prompts = TOPICS.map((topic) => {
    // Short enough for a model to repeat it within its tokens.
    const word = t.word().slice(-8);
    return { word, text: `Write one sentence about ${topic}. Begin it with the word ${word}.` };
  });
  const first = await send(t, id, bodyFor(t, id, prompts[0]?.text, { max_tokens: TOKENS, ...GREEDY }));
  const options = { max_tokens: TOKENS, ...(first.status < 400 && GREEDY) };
  const once = async () => {
    const texts: string[] = [];
    for (const { text } of prompts) texts.push(await textOfPrompt(t, id, text, options));
    return texts;
  };
  const [texts, again] = [await once(), await once()];
  t.ground(
    'the texts of several prompts',
    'none is empty',
    `${texts.filter((one) => one === '').length} of ${texts.length} empty`,
    !texts.includes(''),
    'use a model that responds to every prompt (--model)',
  );
  return { prompts, texts, options, repeats: texts.every((one, index) => one === again[index]) };
}
