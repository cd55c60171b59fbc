/**
 * Fields of chat and completions that can't be understood for their type. Without them there may be nothing to answer;
 * else a lenient service may guess, which breaks no client, so long as it neither breaks down nor asks to come again.
 */
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { bodyFor, type Completing, completed, send } from '../flows/completions.ts';
import { expectTurnedAway } from '../flows/refusals.ts';

/** 422 is what some frameworks answer; every client reads it as the same kind of error. */
const BAD = [400, 422];

interface Typed {
  readonly id: Completing;
  readonly aspect: string;
  readonly title: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** No conversation or prompt is left without it, so that there is nothing to answer. */
  readonly needed?: true;
}

const message = (content: unknown): readonly unknown[] => [{ role: 'user', content }];

const cases: readonly Typed[] = [
  ...(['chat', 'completions'] as const).map(
    (id): Typed => ({
      id,
      aspect: 'model-number',
      title: 'a number as the model',
      fields: { model: 7 },
    }),
  ),
  {
    id: 'chat',
    aspect: 'messages-object',
    title: 'an object as messages',
    fields: { messages: { a: 1 } },
    needed: true,
  },
  { id: 'chat', aspect: 'messages-null', title: 'null as messages', fields: { messages: null }, needed: true },
  { id: 'chat', aspect: 'message-text', title: 'a string as a message', fields: { messages: ['hello'] } },
  { id: 'chat', aspect: 'content-number', title: 'a number as the content', fields: { messages: message(7) } },
  {
    id: 'chat',
    aspect: 'content-object',
    title: 'an object as the content',
    fields: { messages: message({ say: 'hello' }) },
  },
  {
    id: 'chat',
    aspect: 'role-number',
    title: 'a number as the role',
    fields: { messages: [{ role: 7, content: 'hello' }] },
  },
  {
    id: 'completions',
    aspect: 'prompt-object',
    title: 'an object as the prompt',
    fields: { prompt: { a: 1 } },
    needed: true,
  },
  { id: 'completions', aspect: 'prompt-flag', title: 'true as the prompt', fields: { prompt: true } },
  {
    id: 'completions',
    aspect: 'max-tokens-text',
    title: 'max_tokens that is not a number',
    fields: { max_tokens: 'many' },
  },
];

const refused = (t: CheckContext, { id, title, fields }: Typed) =>
  send(t, id, bodyFor(t, id, t.prompt, fields), { breaks: title });

export const checks: readonly CheckDefinition[] = cases.map(
  (one): CheckDefinition => ({
    id: `${one.id}.invalid.${one.aspect}`,
    title: one.needed ? `${one.id} rejects ${one.title}` : `${one.id} never returns 5xx for ${one.title}`,
    clauses: ['inference.invalid-value'],
    async run(t) {
      await completed(t, one.id);
      expectTurnedAway(t, one.id, await refused(t, one), one.needed ? BAD : null);
    },
  }),
);
