/** chat and completions alike: the completion, and the options that clients send. */
import { at, listAt, show } from '../../schemas/json.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import {
  atMost,
  bodyFor,
  type Completing,
  choicesOf,
  complete,
  completed,
  expectText,
  expectUsageAddsUp,
  FREQUENT,
  plain,
  send,
  textOf,
} from '../fixtures/completions.ts';
import { isOk } from '../target/reply.ts';

const SCRIPTS =
  'Write one of these words: żółć, Ärger, λόγος, слово, 漢字, العربية, हिन्दी, 👩\u200d🚀.\n\t"Any" will do.';

const options: readonly { readonly name: string; readonly fields: Readonly<Record<string, unknown>> }[] = [
  { name: 'temperature', fields: { temperature: 0 } },
  { name: 'top-p', fields: { top_p: 0.5 } },
  { name: 'stop', fields: { stop: ['###'] } },
  { name: 'stop-text', fields: { stop: '###' } },
  { name: 'penalties', fields: { presence_penalty: 0.1, frequency_penalty: 0.1 } },
  { name: 'seed', fields: { seed: 7 } },
  { name: 'user', fields: { user: 'proofload' } },
];

/** No more tokens than requested. */
async function expectFewTokens(t: CheckContext, id: Completing, few: Readonly<Record<string, unknown>>): Promise<void> {
  const reply = await complete(t, id, few);
  t.requireOk(reply, 'assertion');
  const tokens = at(reply.json, 'usage', 'completion_tokens');
  t.expect('completion tokens', 'at most 2', show(tokens), typeof tokens === 'number' && tokens <= 2);
}

/** Tokens with their log-probabilities. */
const toldOf = (id: Completing, logprobs: unknown): readonly (readonly [token: unknown, logprob: unknown])[] =>
  id === 'chat'
    ? listAt(logprobs, 'content').map((one) => [at(one, 'token'), at(one, 'logprob')])
    : listAt(logprobs, 'tokens').map((token, place) => [token, at(logprobs, 'token_logprobs', place)]);

/** @param name of what it returns */
const both = (id: Completing, name: string): readonly CheckDefinition[] => [
  {
    id: `${id}.completion`,
    title: `POST ${id === 'chat' ? 'chat/completions' : id} returns a ${name}`,
    clauses: [`${id}.completion`, 'inference.drop-in', 'inference.operations'],
    async run(t) {
      const reply = await plain(t, id);
      t.requireOk(reply, 'assertion');
      t.expectShape(reply, id, 'documented');
      expectText(t, id, reply);
    },
  },
  {
    id: `${id}.charset`,
    title: `${id} accepts JSON whose content type names a charset`,
    clauses: ['requests.charset'],
    async run(t) {
      await completed(t, id);
      const headers = { 'content-type': 'application/json; charset=utf-8' };
      t.expectAnswered(id, await t.inference.call(id, { body: JSON.stringify(bodyFor(t, id)), headers }));
    },
  },
  {
    id: `${id}.scripts`,
    title: `${id} accepts a text in many scripts`,
    clauses: [`${id}.completion`, ...(id === 'chat' ? ['chat.content'] : [])],
    async run(t) {
      await completed(t, id);
      t.expectAnswered(id, await send(t, id, bodyFor(t, id, SCRIPTS)));
    },
  },
  {
    id: `${id}.usage`,
    title: `usage of ${id} counts prompt and completion tokens, and total_tokens is their sum`,
    clauses: [`${id}.usage`],
    run: async (t) => expectUsageAddsUp(t, await completed(t, id)),
  },
  {
    id: `${id === 'chat' ? 'chat.options' : id}.max-tokens`,
    title: 'max_tokens limits the length of the completion',
    clauses: id === 'chat' ? ['chat.options', 'chat.usage'] : ['completions.envelope'],
    async run(t) {
      await completed(t, id);
      await expectFewTokens(t, id, { max_tokens: 2 });
    },
  },
  ...options.map(
    ({ name: option, fields }): CheckDefinition => ({
      id: `${id}.options.${option}`,
      title: `${id} accepts ${show(fields)}`,
      clauses: [`${id}.options`],
      async run(t) {
        await completed(t, id);
        t.expectAnswered(id, await complete(t, id, fields));
      },
    }),
  ),
  {
    id: id === 'chat' ? 'chat.unknown-field' : 'completions.options.unknown',
    title: `${id} ignores an unknown request field`,
    clauses: [id === 'chat' ? 'chat.unknown-fields' : 'completions.options'],
    async run(t) {
      await completed(t, id);
      t.expectAnswered(id, await complete(t, id, { x_proofload_unknown: true }));
    },
  },
  {
    id: `${id}.logprobs`,
    title: `The log-probabilities of ${id} are those of tokens`,
    clauses: [`${id}.envelope`],
    async run(t) {
      await completed(t, id);
      const reply = await complete(t, id, id === 'chat' ? { logprobs: true, top_logprobs: 1 } : { logprobs: 1 });
      const reported = toldOf(id, at(choicesOf(reply.json)[0], 'logprobs'));
      if (!isOk(reply) || reported.length === 0) t.notObservable('a model with log-probabilities (--model)');
      const isEach = reported.every(([token, logprob]) => typeof token === 'string' && typeof logprob === 'number');
      t.expect('each token with its log-probability', 'a text and a number', show(reported), isEach);
    },
  },
  {
    id: `${id}.options.stop-cuts`,
    title: `A ${name} ends before the stop text and does not contain it`,
    clauses: [`${id}.options`],
    async run(t) {
      await completed(t, id);
      const reply = await complete(t, id, { stop: ['###', FREQUENT, '@@@'], ...atMost(t, 64) });
      t.requireAnswer(id, reply);
      const text = textOf(id, choicesOf(reply.json)[0]);
      const found = typeof text === 'string' && text.includes(FREQUENT);
      t.expect(`the text generated with stop ${show(FREQUENT)}`, `no ${show(FREQUENT)} in it`, show(text), !found);
    },
  },
];

export const checks: readonly CheckDefinition[] = [
  ...both('chat', 'chat completion'),
  {
    id: 'chat.options.max-completion-tokens',
    title: 'max_completion_tokens limits the length of the completion',
    clauses: ['chat.options', 'chat.usage'],
    async run(t) {
      await completed(t, 'chat');
      const bounded = await complete(t, 'chat', { max_tokens: 2 });
      const needs = 'a model of which max_tokens lets 2 tokens through (--model)';
      t.requireTaken(bounded, needs);
      if (at(bounded.json, 'usage', 'completion_tokens') !== 2) t.notObservable(needs);
      await expectFewTokens(t, 'chat', { max_tokens: undefined, max_completion_tokens: 2 });
    },
  },
  ...both('completions', 'text completion'),
];
