/** completions: a text completion for a prompt, or for several. */
import type { CheckDefinition } from '../check.ts';
import { complete, completed, expectEachChoice, plain } from '../fixtures/completions.ts';

const id = 'completions';

export const checks: readonly CheckDefinition[] = [
  {
    id: 'completions.route',
    title: 'POST completions accepts a JSON body with a prompt',
    clauses: ['completions.route'],
    run: async (t) => t.expectAnswered(id, await plain(t, id)),
  },
  {
    id: 'completions.prompts',
    title: 'A list of prompts returns one choice for each prompt',
    clauses: ['completions.envelope'],
    async run(t) {
      await completed(t, id);
      expectEachChoice(t, await complete(t, id, { prompt: [t.prompt, 'Say one.'] }));
    },
  },
  {
    id: 'completions.options.n',
    title: 'n of completions returns as many choices as requested',
    clauses: ['completions.options'],
    async run(t) {
      await completed(t, id);
      expectEachChoice(t, await complete(t, id, { n: 2 }));
    },
  },
];
