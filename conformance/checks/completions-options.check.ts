/** completions: the options that clients send, and what usage and ids say. */
import type { CheckDefinition } from '../check.ts';
import { ask, choicesOf, completed, expectTwoIds, expectUsageAddsUp, textOf } from '../flows/completions.ts';
import { show } from '../reading/json.ts';

const id = 'completions';
/** Hardly any text of some length does without it. */
const FREQUENT = 'e';

const options: readonly { readonly name: string; readonly fields: Readonly<Record<string, unknown>> }[] = [
  { name: 'temperature', fields: { temperature: 0 } },
  { name: 'top-p', fields: { top_p: 0.5 } },
  { name: 'stop', fields: { stop: ['###'] } },
  { name: 'stop-text', fields: { stop: '###' } },
  { name: 'penalties', fields: { presence_penalty: 0.1, frequency_penalty: 0.1 } },
  { name: 'seed', fields: { seed: 7 } },
  { name: 'user', fields: { user: 'proofload' } },
  { name: 'unknown', fields: { x_proofload_unknown: true } },
];

export const checks: readonly CheckDefinition[] = [
  ...options.map(
    ({ name, fields }): CheckDefinition => ({
      id: `completions.options.${name}`,
      title: `completions accepts ${show(fields)}`,
      clauses: ['completions.options'],
      async run(t) {
        await completed(t, id);
        t.expectAnswered(id, await ask(t, id, fields));
      },
    }),
  ),
  {
    id: 'completions.options.stop-cuts',
    title: 'A text completion ends before the stop text and does not contain it',
    clauses: ['completions.options'],
    async run(t) {
      await completed(t, id);
      const reply = await ask(t, id, { stop: [FREQUENT], max_tokens: 64 });
      t.requireAnswer(id, reply);
      const text = textOf(id, choicesOf(reply.json)[0]);
      const found = typeof text === 'string' && text.includes(FREQUENT);
      t.expect(`the text generated with stop ${show(FREQUENT)}`, `no ${show(FREQUENT)} in it`, show(text), !found);
    },
  },
  {
    id: 'completions.usage',
    title: 'usage.total_tokens of completions is the sum of prompt and completion tokens',
    clauses: ['completions.usage'],
    run: async (t) => expectUsageAddsUp(t, await completed(t, id)),
  },
  {
    id: 'completions.ids',
    title: 'Two text completions have different ids',
    clauses: ['completions.envelope'],
    run: async (t) => expectTwoIds(t, await completed(t, id), await ask(t, id)),
  },
];
