/** What answers of chat and completions say about themselves: when, how many, how long, and why they ended. */
import { at, show } from '../../schemas/json.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import {
  bodyFor,
  type Completing,
  choicesOf,
  chunked,
  complete,
  completed,
  completing,
  FREQUENT,
  modelList,
  SENTENCE,
  send,
  tokensIn,
  withChoices,
} from '../fixtures/completions.ts';
import { modelIdsOf } from '../reading/models.ts';
import { isOk, type Reply } from '../target/reply.ts';

const DAY_S = 24 * 3600;
const SECOND_MS = 1000;
/** A model that writes this much has not ended by itself after a few tokens. */
const TALKATIVE = 8;
const CUT_AT = 2;
const SHORT = 'Hi.';
const user = (content: unknown) => ({ role: 'user', content });
/** So many are longer than short buffers, and within what any model reads. */
const LONG = 60;
/** Of a growth that should be the same, since where words are cut into tokens depends on their neighbours. */
const PART = 0.8;

/** Texts of a conversation beside its last message: one that is longer counts more tokens, unless it is dropped. */
const beside = [
  {
    id: 'assistant',
    what: 'message of the role assistant',
    because: 'the roles other than user are not documented',
    messages: (text: string) => [user(SHORT), { role: 'assistant', content: text }, user(SHORT)],
  },
  {
    id: 'system',
    what: 'message of the role system',
    because: 'the roles other than user are not documented',
    messages: (text: string) => [{ role: 'system', content: text }, user(SHORT)],
  },
  {
    id: 'part',
    what: 'second part of a message',
    because: 'a content of several parts is not documented',
    messages: (text: string) => [user([SHORT, text].map((one) => ({ type: 'text', text: one })))],
  },
];

const USAGE: Readonly<Record<Completing, string>> = { chat: 'chat.usage', completions: 'completions.usage' };
const ENVELOPE: Readonly<Record<Completing, string>> = { chat: 'chat.envelope', completions: 'completions.envelope' };

async function requireTalkative(t: CheckContext, id: Completing): Promise<void> {
  await completed(t, id);
  const longer = await complete(t, id, { max_tokens: TALKATIVE });
  const needs = `a model of which max_tokens lets ${TALKATIVE} tokens through (--model)`;
  t.requireTaken(longer, needs);
  if (tokensIn(longer.json, 'completion_tokens') !== TALKATIVE) t.notObservable(needs);
}

/** A time in seconds is within these years; milliseconds are not. */
const PLAUSIBLE_S = [Date.UTC(2015), Date.UTC(2100)].map((ms) => ms / SECOND_MS);

interface Span {
  readonly words: string;
  readonly fromS: number;
  readonly toS: number;
}

/** When an answer can have been made: by its own Date, else by the machine's, else (virtual time) some time or other. */
function timesFor(t: CheckContext, reply: Reply): Span {
  const own = Date.parse(reply.headers.date ?? '');
  const [fromS = 0, toS = 0] = PLAUSIBLE_S;
  if (Number.isNaN(own) && t.target.virtual) return { words: 'between 2015 and 2100', fromS, toS };
  const nowS = Math.round((Number.isNaN(own) ? Date.now() : own) / SECOND_MS);
  return { words: `about ${nowS}, within a day`, fromS: nowS - DAY_S, toS: nowS + DAY_S };
}

function expectCreated(t: CheckContext, reply: Reply, parts: readonly unknown[]): void {
  const { words, fromS, toS } = timesFor(t, reply);
  const created = [...new Set(parts.map((one) => at(one, 'created')))];
  const isNear = (one: unknown): boolean => Number.isInteger(one) && Number(one) > fromS && Number(one) < toS;
  t.expect('created', `whole seconds, ${words}`, created.map(show).join(', '), created.every(isNear));
}

/** A text with a beginning of its own: some services count only what they don't remember from the prompt before. */
const apart = (t: CheckContext, sentences: number): string => `${t.word()} ${SENTENCE.repeat(sentences)}`;

const both: readonly CheckDefinition[] = completing.flatMap((id): CheckDefinition[] => [
  {
    id: `${id}.own-model`,
    title: `A response of ${id} names the requested model, not another listed one`,
    clauses: ['inference.model-field'],
    level: 'convention',
    because: 'an alias may stand for another model of the list',
    async run(t) {
      const named = at((await completed(t, id)).json, 'model');
      t.precondition('model', 'a name', show(named), typeof named === 'string' && named !== '');
      const ids = modelIdsOf((await modelList(t)).json);
      const isVersion = String(named).startsWith(t.model) || t.model.startsWith(String(named));
      const holds = isVersion || !ids.includes(String(named));
      t.expect('model', `${t.model}, or a name that is not listed`, show(named), holds);
    },
  },
  {
    id: `${id}.created`,
    title: `created of ${id} is the time of the response in Unix seconds`,
    clauses: ['inference.created'],
    async run(t) {
      const reply = await completed(t, id);
      expectCreated(t, reply, [reply.json]);
    },
  },
  {
    id: `${id}.stream.created`,
    title: `created of the chunks of a ${id} stream is the time of the response in Unix seconds`,
    clauses: ['inference.created'],
    async run(t) {
      const { reply, chunks } = await chunked(t, id);
      const own = withChoices(chunks);
      t.precondition('a chunk has choices', 'some', 'none', own.length > 0);
      expectCreated(t, reply, own);
    },
  },
  {
    id: `${id}.one-choice`,
    title: `${id} without n returns one choice with index 0`,
    clauses: [ENVELOPE[id]],
    async run(t) {
      const choices = choicesOf((await completed(t, id)).json);
      const indexes = show(choices.map((one) => at(one, 'index')));
      t.expect('the indexes of the choices', '[0]', indexes, indexes === '[0]');
    },
  },
  {
    id: `${id}.usage.prompt`,
    title: `A longer prompt of ${id} has more prompt tokens, in proportion`,
    clauses: [USAGE[id]],
    async run(t) {
      await completed(t, id);
      const counts: number[] = [];
      for (const times of [0, LONG, 2 * LONG]) {
        const reply = await send(t, id, bodyFor(t, id, apart(t, times)));
        // It may be more than the model reads; a service has to say so then.
        if (times <= LONG) t.requireAnswer(id, reply);
        if (isOk(reply)) counts.push(tokensIn(reply.json, 'prompt_tokens'));
      }
      const [none = Number.NaN, once = Number.NaN, twice] = counts;
      t.expect('prompt tokens', `a higher count for ${LONG} sentences than for none`, show(counts), once > none);
      if (twice === undefined) return;
      const grows = twice - once > PART * (once - none);
      t.expect('prompt tokens', `as many more for ${LONG} more sentences`, show(counts), grows);
    },
  },
  {
    id: `${id}.length`,
    title: `A text of ${id} cut off at max_tokens has finish_reason length`,
    clauses: ['inference.length'],
    async run(t) {
      await requireTalkative(t, id);
      const reply = await complete(t, id, { max_tokens: CUT_AT });
      t.requireAnswer(id, reply);
      const spent = at(reply.json, 'usage', 'completion_tokens');
      t.precondition(`max_tokens of ${CUT_AT} is reached`, String(CUT_AT), show(spent), spent === CUT_AT);
      const reason = at(reply.json, 'choices', 0, 'finish_reason');
      t.expect('the finish reason', '"length"', show(reason), reason === 'length');
    },
  },
  {
    id: `${id}.length.whole`,
    title: `A text of ${id} that a stop text ends before max_tokens does not have finish_reason length`,
    clauses: ['inference.length'],
    async run(t) {
      await requireTalkative(t, id);
      const reply = await complete(t, id, { max_tokens: TALKATIVE, stop: FREQUENT });
      const needs = `a model of which stop ends a text within ${TALKATIVE} tokens (--model)`;
      t.requireTaken(reply, needs);
      if (!(tokensIn(reply.json, 'completion_tokens') < TALKATIVE)) t.notObservable(needs);
      const reason = at(reply.json, 'choices', 0, 'finish_reason');
      t.expect('the finish reason', 'another one than "length"', show(reason), reason !== 'length');
    },
  },
  {
    id: `${id}.stream.length`,
    title: `A stream of ${id} cut off at max_tokens has finish_reason length, as the whole text has`,
    clauses: ['inference.length'],
    async run(t) {
      await completed(t, id);
      const whole = await complete(t, id, { max_tokens: CUT_AT });
      const needs = `${id} whose whole text has finish_reason length`;
      t.requireTaken(whole, needs);
      if (at(whole.json, 'choices', 0, 'finish_reason') !== 'length') t.notObservable(needs);
      const { chunks } = await chunked(t, id, { max_tokens: CUT_AT });
      const reason = chunks
        .flatMap(choicesOf)
        .map((one) => at(one, 'finish_reason'))
        .find((one) => typeof one === 'string');
      t.expect('the finish reason of the stream', '"length"', show(reason), reason === 'length');
    },
  },
]);

export const checks: readonly CheckDefinition[] = [
  ...both,
  ...beside.map(
    ({ id, what, because, messages }): CheckDefinition => ({
      id: `chat.usage.${id}`,
      title: `A longer ${what} has more prompt tokens of chat`,
      clauses: ['chat.conversation', 'chat.usage'],
      level: 'convention',
      because,
      async run(t) {
        await completed(t, 'chat');
        const counts: number[] = [];
        for (const times of [0, LONG]) {
          const reply = await send(t, 'chat', { ...bodyFor(t, 'chat'), messages: messages(apart(t, times)) });
          t.requireAnswer('chat', reply);
          counts.push(tokensIn(reply.json, 'prompt_tokens'));
        }
        const [short = Number.NaN, long = Number.NaN] = counts;
        if (Number.isNaN(short)) t.notObservable('chat that counts the tokens of a prompt (usage)');
        t.expect('prompt tokens', `a higher count for ${LONG} sentences than for none`, show(counts), long > short);
      },
    }),
  ),
];
