/**
 * Whether a response is the response to its own request. Texts are compared with those of the same prompts alone: a model
 * that repeats itself must say the same, however it is sent them; with one that doesn't, only what can't be true shows.
 */
import { at, show } from '../../schemas/json.ts';
import type { CheckDefinition } from '../check.ts';
import { type CheckContext, fixture } from '../context.ts';
import { bodyFor, type Completing, choicesOf, completed, completing, send, tokensIn } from '../fixtures/completions.ts';
import {
  areAlike,
  expectNotAlike,
  expectOwn,
  REPEATING,
  requireNotAlike,
  saidIn,
  textOfPrompt,
  textsAlone,
} from '../fixtures/texts.ts';
import { chunksOf, readEvents } from '../reading/events.ts';

/** So many requests with each prompt are in flight at the same time. */
const EACH_AT_ONCE = 3;
const VARIANTS = ['red', 'forty-two', 'Lisbon'];

const LAST = { role: 'user', content: 'Repeat my first message word for word.' };

interface Conversations {
  readonly texts: readonly string[];
  /** Prompt tokens, and those of the last message alone; NaN where they are not counted. */
  readonly counted: number;
  readonly countedAlone: number;
  /** Of conversations that differ only in their last message. */
  readonly lasts: readonly string[];
}

/** Conversations that differ in their first message alone, and in their last. */
const conversations = fixture('conversations', 'precondition', async (t): Promise<Conversations> => {
  await completed(t, 'chat');
  const others = await textsAlone(t, 'chat');
  requireNotAlike(t, others);
  const { prompts, options } = others;
  const complete = async (messages: readonly object[]) => {
    const reply = await send(t, 'chat', { ...bodyFor(t, 'chat'), ...options, messages });
    t.requireAnswer('chat', reply);
    const text = saidIn('chat', choicesOf(reply.json).slice(0, 1));
    return { text, counted: tokensIn(reply.json, 'prompt_tokens') };
  };
  const after = (content: string, reply: string, last: object) =>
    complete([{ role: 'user', content }, { role: 'assistant', content: reply }, last]);
  const replies = [];
  for (const word of VARIANTS) replies.push(await after(`Remember this: ${word}.`, 'I will.', LAST));
  const lasts = [];
  for (const { text } of prompts) lasts.push((await after('Hi.', 'Hi.', { role: 'user', content: text })).text);
  const alone = await complete([LAST]);
  const counted = Math.min(...replies.map((one) => one.counted));
  return { texts: replies.map(({ text }) => text), counted, countedAlone: alone.counted, lasts };
});

const otherThan = (id: Completing): Completing => (id === 'chat' ? 'completions' : 'chat');

/**
 * That all prompts get one text is the operation's doing only where the same model has several by another one.
 *
 * @throws Inconclusive
 */
async function requireVaried(t: CheckContext, other: Completing): Promise<void> {
  const { texts } = await textsAlone(t, other);
  const remedy = 'use a model whose text depends on the prompt (--model)';
  if (areAlike(texts))
    t.inconclusive(`the model says the same to every prompt, also by ${other}: ${show(texts[0])}`, remedy);
}

const perOperation = (id: Completing): readonly CheckDefinition[] => [
  {
    id: `${id}.content.own`,
    title: `Different prompts to ${id} get different texts`,
    clauses: [`${id}.completion`],
    async run(t) {
      await completed(t, id);
      const { texts } = await textsAlone(t, id);
      if (areAlike(texts)) await requireVaried(t, otherThan(id));
      expectNotAlike(t, 'prompts', texts);
    },
  },
  {
    id: `${id}.content.at-once`,
    title: `Concurrent requests to ${id} don't get each other's texts`,
    clauses: [`${id}.completion`, 'inference.own-answer'],
    async run(t) {
      await completed(t, id);
      const alone = await textsAlone(t, id);
      requireNotAlike(t, alone);
      const { prompts, options } = alone;
      const requested = Array.from({ length: EACH_AT_ONCE }, () => prompts.keys()).flatMap((keys) => [...keys]);
      const texts = await Promise.all(
        requested.map((index) => textOfPrompt(t, id, prompts[index]?.text ?? '', options)),
      );
      expectOwn(
        t,
        alone,
        texts.map((text, place) => ({ index: requested[place] ?? 0, text })),
      );
    },
  },
  {
    id: `${id}.content.streamed`,
    title: `${id} streams the same text that it returns whole`,
    clauses: ['inference.stream-framing'],
    async run(t) {
      const { prompts, texts, options, repeats } = await textsAlone(t, id);
      if (!repeats) t.notObservable(REPEATING);
      const prompt = prompts[0]?.text ?? '';
      const streamedText = async () => {
        const reply = await send(t, id, { ...bodyFor(t, id, prompt), ...options, stream: true });
        t.requireOk(reply);
        return saidIn(id, chunksOf(readEvents(reply.pieces)).flatMap(choicesOf));
      };
      let text = await streamedText();
      // A busy model may choose another word once; not each time, and not for the whole response in between.
      if (text !== texts[0] && (await textOfPrompt(t, id, prompt, options)) === texts[0]) {
        const second = await streamedText();
        if (second === texts[0]) t.inconclusive(`one of two streams was another text: ${show(text)}`, 'run it again');
        text = second;
      } else if (text !== texts[0]) t.notObservable(REPEATING);
      t.expect('the joined chunks', show(texts[0]), show(text), text === texts[0]);
    },
  },
];

export const checks: readonly CheckDefinition[] = [
  ...completing.flatMap(perOperation),
  {
    id: 'chat.content.conversation',
    title: 'The model of chat gets the messages before the last one',
    clauses: ['chat.conversation'],
    async run(t) {
      const { texts, counted, countedAlone } = await conversations(t);
      if (areAlike(texts) && !(counted <= countedAlone))
        t.inconclusive(
          `the text is the same whatever came before (${show(texts[0])}), but a model may do that`,
          'use a model that repeats earlier messages (--model)',
        );
      const observed = `${new Set(texts).size} different texts, ${counted} prompt tokens; ${countedAlone} for the last message`;
      t.expect(
        'conversations that end with the same message',
        'other texts, or more prompt tokens',
        observed,
        !areAlike(texts),
      );
    },
  },
  {
    id: 'chat.content.last',
    title: 'The text of chat depends on the last message of a conversation',
    clauses: ['chat.conversation', 'chat.completion'],
    async run(t) {
      const { lasts } = await conversations(t);
      expectNotAlike(t, 'conversations that end with different messages', lasts);
    },
  },
  {
    id: 'chat.content.history',
    title: 'The text of chat depends on the messages before the last one',
    clauses: ['chat.conversation'],
    level: 'convention',
    because: 'a model may ignore what came before',
    async run(t) {
      const { texts } = await conversations(t);
      expectNotAlike(t, 'conversations that end with the same message', texts);
    },
  },
  {
    id: 'completions.content.prompts',
    title: 'A list of prompts gets the texts of its prompts, in their order',
    clauses: ['completions.envelope'],
    async run(t) {
      const alone = await textsAlone(t, 'completions');
      requireNotAlike(t, alone);
      const { prompts, options } = alone;
      const reply = await send(t, 'completions', {
        ...bodyFor(t, 'completions'),
        ...options,
        prompt: prompts.map(({ text }) => text),
      });
      const lists = 'completions that takes a list of prompts';
      t.requireTaken(reply, lists);
      t.requireAnswer('completions', reply);
      const choices = choicesOf(reply.json).map((choice, place) => {
        const index = at(choice, 'index');
        return { index: typeof index === 'number' ? index : place, text: saidIn('completions', [choice]) };
      });
      if (choices.length !== prompts.length) t.notObservable(lists);
      expectOwn(t, alone, choices);
    },
  },
];
