/** completions: a text completion for a prompt. */
import { type Check, check } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { expectText, plainCompletion } from '../flows/completions.ts';
import { at, show } from '../reading/json.ts';
import type { Reply } from '../target/reply.ts';

const on = 'inference';

async function completed(t: CheckContext): Promise<Reply> {
  const reply = await plainCompletion(t);
  t.requireAnswer('completions', reply);
  return reply;
}

export const checks: readonly Check[] = [
  check(
    {
      id: 'completions.route',
      title: 'POST completions accepts a JSON body with a prompt',
      clauses: ['completions.route'],
      on,
    },
    async (t) => {
      t.expectAnswered('completions', await plainCompletion(t));
    },
  ),
  check(
    {
      id: 'completions.completion',
      title: 'POST completions returns a text completion',
      clauses: ['completions.completion', 'inference.drop-in', 'inference.operations'],
      on,
    },
    async (t) => {
      const reply = await plainCompletion(t);
      t.requireOk(reply, 'finding');
      t.expectShape(reply, 'completions', 'documented');
      expectText(t, 'completions', reply);
    },
  ),
  check(
    {
      id: 'completions.envelope',
      title: 'A text completion has the conventional fields',
      clauses: ['completions.envelope'],
      on,
    },
    async (t) => {
      t.expectShape(await completed(t), 'completions', 'convention');
    },
  ),
  check(
    {
      id: 'completions.json',
      title: 'A text completion has the content type application/json',
      clauses: ['inference.json'],
      on,
    },
    async (t) => {
      const type = (await completed(t)).headers['content-type'] ?? 'none';
      t.expect('content-type', 'application/json', type, /^application\/json\b/i.test(type));
    },
  ),
  check(
    {
      id: 'completions.prompts',
      title: 'A list of prompts returns one choice for each prompt',
      clauses: ['completions.envelope'],
      on,
    },
    async (t) => {
      await completed(t);
      const reply = await t.inference.completions({ model: t.model, prompt: [t.prompt, 'Say one.'], max_tokens: 4 });
      t.requireOk(reply, 'finding');
      const choices = at(reply.json, 'choices');
      const indexes = Array.isArray(choices) ? choices.map((choice) => at(choice, 'index')) : choices;
      t.expect('the indexes of the choices', '[0,1]', show(indexes), show(indexes) === '[0,1]');
    },
  ),
  check(
    {
      id: 'completions.max-tokens',
      title: 'max_tokens limits the length of the completion',
      clauses: ['completions.envelope'],
      on,
    },
    async (t) => {
      await completed(t);
      const reply = await t.inference.completions({ model: t.model, prompt: t.prompt, max_tokens: 2 });
      t.requireOk(reply, 'finding');
      const tokens = at(reply.json, 'usage', 'completion_tokens');
      t.expect('completion tokens', 'at most 2', show(tokens), typeof tokens === 'number' && tokens <= 2);
    },
  ),
];
