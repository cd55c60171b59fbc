/** chat: the documented request, and the conversations that clients send. */
import type { CheckDefinition } from '../check.ts';
import { complete, completed, expectEachChoice, plain } from '../fixtures/completions.ts';

const id = 'chat';

export const checks: readonly CheckDefinition[] = [
  {
    id: 'chat.route',
    title: 'POST chat/completions accepts a JSON body with model and messages',
    clauses: ['chat.route', 'chat.request', 'chat.role-user', 'chat.content', 'chat.json', 'inference.no-deployment'],
    run: async (t) => t.expectAnswered(id, await plain(t, id)),
  },
  {
    id: 'chat.conversation',
    title: 'chat accepts a conversation of several messages',
    clauses: ['chat.conversation', 'chat.roles'],
    level: 'convention',
    because: 'a conversation needs a role other than user, and none is documented',
    async run(t) {
      await completed(t, id);
      const [question] = t.messages;
      const messages = [
        question,
        { role: 'assistant', content: 'One, two, three.' },
        { role: 'user', content: 'Go on.' },
      ];
      t.expectAnswered(id, await complete(t, id, { messages }));
    },
  },
  {
    id: 'chat.system-role',
    title: 'chat accepts a system message',
    clauses: ['chat.roles'],
    async run(t) {
      await completed(t, id);
      const messages = [{ role: 'system', content: 'Be brief.' }, ...t.messages];
      t.expectAnswered(id, await complete(t, id, { messages }));
    },
  },
  {
    id: 'chat.content-parts',
    title: 'chat accepts content as a list of text parts',
    clauses: ['chat.options'],
    async run(t) {
      await completed(t, id);
      const messages = [{ role: 'user', content: [{ type: 'text', text: 'Say one.' }] }];
      t.expectAnswered(id, await complete(t, id, { messages }));
    },
  },
  {
    id: 'chat.options.n',
    title: 'n of chat returns as many choices as requested',
    clauses: ['chat.options'],
    async run(t) {
      await completed(t, id);
      expectEachChoice(t, await complete(t, id, { n: 2 }));
    },
  },
];
