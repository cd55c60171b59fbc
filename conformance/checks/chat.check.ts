/** chat: the documented request, the completion that comes back, and the options that clients send. */
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { expectText, expectTwoIds, expectUsageAddsUp, plainChat } from '../flows/completions.ts';
import { at, show } from '../reading/json.ts';
import type { Reply } from '../target/reply.ts';

/** Hardly any text of some length does without it. */
const FREQUENT = 'e';

const send = (t: CheckContext, more: Readonly<Record<string, unknown>>): Promise<Reply> =>
  t.inference.chat({ model: t.model, messages: t.messages, max_tokens: 8, ...more });

/** The plain completion, as ground for a look at its details. */
async function completed(t: CheckContext): Promise<Reply> {
  const reply = await plainChat(t);
  t.requireAnswer('chat', reply);
  return reply;
}

const options: readonly { readonly name: string; readonly fields: Readonly<Record<string, unknown>> }[] = [
  { name: 'temperature', fields: { temperature: 0 } },
  { name: 'top-p', fields: { top_p: 0.5 } },
  { name: 'stop', fields: { stop: ['###'] } },
  { name: 'stop-text', fields: { stop: '###' } },
  { name: 'penalties', fields: { presence_penalty: 0.1, frequency_penalty: 0.1 } },
  { name: 'seed', fields: { seed: 7 } },
  { name: 'user', fields: { user: 'proofload' } },
];

export const checks: readonly CheckDefinition[] = [
  {
    id: 'chat.route',
    title: 'POST chat/completions accepts a JSON body with model and messages',
    clauses: ['chat.route', 'chat.request', 'chat.role-user', 'chat.content', 'chat.json', 'inference.no-deployment'],
    run: async (t) => t.expectAnswered('chat', await plainChat(t)),
  },
  {
    id: 'chat.completion',
    title: 'POST chat/completions returns a chat completion',
    clauses: ['chat.completion', 'inference.drop-in', 'inference.operations'],
    async run(t) {
      const reply = await plainChat(t);
      t.requireOk(reply, 'finding');
      t.expectShape(reply, 'chat', 'documented');
      expectText(t, 'chat', reply);
    },
  },
  {
    id: 'chat.envelope',
    title: 'A chat completion has the conventional fields',
    clauses: ['chat.envelope', 'chat.finish-reason'],
    run: async (t) => t.expectShape(await completed(t), 'chat', 'convention'),
  },
  {
    id: 'chat.usage',
    title: 'usage.total_tokens of chat is the sum of prompt and completion tokens',
    clauses: ['chat.usage'],
    run: async (t) => expectUsageAddsUp(t, await completed(t)),
  },
  {
    id: 'chat.json',
    title: 'A chat completion has the content type application/json',
    clauses: ['inference.json'],
    async run(t) {
      const type = (await completed(t)).headers['content-type'] ?? 'none';
      t.expect('content-type', 'application/json', type, /^application\/json\b/i.test(type));
    },
  },
  {
    id: 'chat.ids',
    title: 'Two chat completions have different ids',
    clauses: ['chat.envelope'],
    run: async (t) => expectTwoIds(t, await completed(t), await send(t, {})),
  },
  {
    id: 'chat.conversation',
    title: 'chat accepts a conversation of several messages',
    clauses: ['chat.conversation', 'chat.roles'],
    level: 'convention',
    because: 'a conversation needs a role besides user, and no other is documented',
    async run(t) {
      await completed(t);
      const [question] = t.messages;
      const messages = [
        question,
        { role: 'assistant', content: 'One, two, three.' },
        { role: 'user', content: 'Go on.' },
      ];
      t.expectAnswered('chat', await send(t, { messages }));
    },
  },
  {
    id: 'chat.system-role',
    title: 'chat accepts a system message',
    clauses: ['chat.roles'],
    async run(t) {
      await completed(t);
      t.expectAnswered('chat', await send(t, { messages: [{ role: 'system', content: 'Be brief.' }, ...t.messages] }));
    },
  },
  {
    id: 'chat.content-parts',
    title: 'chat accepts content as a list of text parts',
    clauses: ['chat.options'],
    async run(t) {
      await completed(t);
      t.expectAnswered(
        'chat',
        await send(t, { messages: [{ role: 'user', content: [{ type: 'text', text: 'Say one.' }] }] }),
      );
    },
  },
  {
    id: 'chat.options.max-tokens',
    title: 'max_tokens limits the length of the completion',
    clauses: ['chat.options', 'chat.usage'],
    async run(t) {
      await completed(t);
      const reply = await send(t, { max_tokens: 2 });
      t.requireOk(reply, 'finding');
      const tokens = at(reply.json, 'usage', 'completion_tokens');
      t.expect('completion tokens', 'at most 2', show(tokens), typeof tokens === 'number' && tokens <= 2);
    },
  },
  {
    id: 'chat.options.max-completion-tokens',
    title: 'max_completion_tokens limits the length of the completion',
    clauses: ['chat.options', 'chat.usage'],
    async run(t) {
      await completed(t);
      const bounded = at((await send(t, { max_tokens: 2 })).json, 'usage', 'completion_tokens');
      t.require(bounded === 2, 'ground', {
        what: 'max_tokens of 2 is reached and not exceeded',
        expected: '2',
        observed: show(bounded),
      });
      const reply = await send(t, { max_tokens: undefined, max_completion_tokens: 2 });
      t.requireOk(reply, 'finding');
      const tokens = at(reply.json, 'usage', 'completion_tokens');
      t.expect('completion tokens', 'at most 2', show(tokens), typeof tokens === 'number' && tokens <= 2);
    },
  },
  {
    id: 'chat.options.n',
    title: 'n returns as many choices as requested',
    clauses: ['chat.options'],
    async run(t) {
      await completed(t);
      const reply = await send(t, { n: 2 });
      t.requireOk(reply, 'finding');
      const choices = at(reply.json, 'choices');
      const indexes = Array.isArray(choices) ? choices.map((choice) => at(choice, 'index')) : choices;
      t.expect('the indexes of the choices', '[0,1]', show(indexes), show(indexes) === '[0,1]');
    },
  },
  ...options.map(
    ({ name, fields }): CheckDefinition => ({
      id: `chat.options.${name}`,
      title: `chat accepts ${show(fields)}`,
      clauses: ['chat.options'],
      async run(t) {
        await completed(t);
        t.expectAnswered('chat', await send(t, fields));
      },
    }),
  ),
  {
    id: 'chat.options.stop-cuts',
    title: 'A chat completion ends before the stop text and does not contain it',
    clauses: ['chat.options'],
    async run(t) {
      await completed(t);
      const reply = await send(t, { stop: [FREQUENT], max_tokens: 64 });
      t.requireAnswer('chat', reply);
      const text = at(reply.json, 'choices', 0, 'message', 'content');
      const found = typeof text === 'string' && text.includes(FREQUENT);
      t.expect(`the text generated with stop ${show(FREQUENT)}`, `no ${show(FREQUENT)} in it`, show(text), !found);
    },
  },
  {
    id: 'chat.unknown-field',
    title: 'chat ignores an unknown request field',
    clauses: ['chat.unknown-fields'],
    async run(t) {
      await completed(t);
      t.expectAnswered('chat', await send(t, { x_proofload_unknown: true }));
    },
  },
];
