/** completions: a text completion for a prompt. */
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { expectText, plainCompletion } from '../flows/completions.ts';
import { at, show } from '../reading/json.ts';
import type { Reply } from '../target/reply.ts';

async function completed(t: CheckContext): Promise<Reply> {
  const reply = await plainCompletion(t);
  t.requireAnswer('completions', reply);
  return reply;
}

export const checks: readonly CheckDefinition[] = [
  {
    id: 'completions.route',
    title: 'POST completions accepts a JSON body with a prompt',
    clauses: ['completions.route'],
    run: async (t) => t.expectAnswered('completions', await plainCompletion(t)),
  },
  {
    id: 'completions.completion',
    title: 'POST completions returns a text completion',
    clauses: ['completions.completion', 'inference.drop-in', 'inference.operations'],
    async run(t) {
      const reply = await plainCompletion(t);
      t.requireOk(reply, 'finding');
      t.expectShape(reply, 'completions', 'documented');
      expectText(t, 'completions', reply);
    },
  },
  {
    id: 'completions.envelope',
    title: 'A text completion has the conventional fields',
    clauses: ['completions.envelope'],
    run: async (t) => t.expectShape(await completed(t), 'completions', 'convention'),
  },
  {
    id: 'completions.json',
    title: 'A text completion has the content type application/json',
    clauses: ['inference.json'],
    async run(t) {
      const type = (await completed(t)).headers['content-type'] ?? 'none';
      t.expect('content-type', 'application/json', type, /^application\/json\b/i.test(type));
    },
  },
  {
    id: 'completions.prompts',
    title: 'A list of prompts returns one choice for each prompt',
    clauses: ['completions.envelope'],
    async run(t) {
      await completed(t);
      const reply = await t.inference.completions({ model: t.model, prompt: [t.prompt, 'Say one.'], max_tokens: 4 });
      t.requireOk(reply, 'finding');
      const choices = at(reply.json, 'choices');
      const indexes = Array.isArray(choices) ? choices.map((choice) => at(choice, 'index')) : choices;
      t.expect('the indexes of the choices', '[0,1]', show(indexes), show(indexes) === '[0,1]');
    },
  },
  {
    id: 'completions.max-tokens',
    title: 'max_tokens limits the length of the completion',
    clauses: ['completions.envelope'],
    async run(t) {
      await completed(t);
      const reply = await t.inference.completions({ model: t.model, prompt: t.prompt, max_tokens: 2 });
      t.requireOk(reply, 'finding');
      const tokens = at(reply.json, 'usage', 'completion_tokens');
      t.expect('completion tokens', 'at most 2', show(tokens), typeof tokens === 'number' && tokens <= 2);
    },
  },
];
