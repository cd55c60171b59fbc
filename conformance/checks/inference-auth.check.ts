/** The bearer credential of interface A, on each of its operations. */
import type { Level } from '../../schemas/verdicts.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';

import { describe, isOk, type Reply } from '../target/reply.ts';
import type { Authorization } from '../target/target.ts';

interface Credential {
  readonly auth: Authorization;
  readonly breaks?: string;
}

const requests = {
  models: (t: CheckContext, credential: Credential) => t.inference.models(credential),
  chat: (t: CheckContext, credential: Credential) =>
    t.inference.chat({ model: t.model, messages: t.messages, max_tokens: 4 }, credential),
  completions: (t: CheckContext, credential: Credential) =>
    t.inference.completions({ model: t.model, prompt: t.prompt, max_tokens: 4 }, credential),
};
const wrong = (auth: Authorization): Credential => ({ auth, breaks: 'the credential' });
type Subject = keyof typeof requests;
const subjects = Object.keys(requests) as Subject[];

interface Refusal {
  readonly aspect: string;
  readonly title: string;
  readonly auth: Authorization;
  readonly clauses: readonly string[];
  readonly level?: Level;
  readonly because?: string;
}

const refusals: readonly Refusal[] = [
  {
    aspect: 'missing',
    title: 'without credentials',
    auth: 'none',
    clauses: ['inference.authorization', 'auth.bearer'],
  },
  {
    aspect: 'wrong-key',
    title: 'with an unknown key',
    auth: { header: 'Bearer no-such-key-0000000000000000' },
    clauses: ['auth.access-key'],
  },
  {
    aspect: 'wrong-scheme',
    title: 'with a scheme other than Bearer',
    auth: { header: 'Basic bm9ib2R5Om5vdGhpbmc=' },
    clauses: ['auth.bearer', 'auth.scheme'],
    level: 'convention',
    because: 'Bearer is documented; that other schemes are rejected is not',
  },
  {
    aspect: 'bare-key',
    title: 'with a key without a scheme',
    auth: 'bare',
    clauses: ['auth.bearer', 'auth.scheme'],
    level: 'convention',
    because: 'Bearer is documented; that other schemes are rejected is not',
  },
];

/** The same request with the right credential must have been served, or a refusal would say nothing about the key. */
async function control(t: CheckContext, subject: Subject): Promise<void> {
  t.requireAnswer(subject, await t.once(`auth-control ${subject}`, (own) => requests[subject](own, { auth: 'own' })));
}

function expectRefused(t: CheckContext, reply: Reply): void {
  t.require(reply.status < 500, 'ground', {
    what: 'the response is a rejection and not a server error',
    expected: 'a status below 500',
    observed: describe(reply),
  });
  t.expect(`${reply.request} is rejected`, 'a status other than 2xx', describe(reply), !isOk(reply));
}

const refused = subjects.flatMap((subject) =>
  refusals.map(
    ({ aspect, title, auth, ...rest }): CheckDefinition => ({
      id: `${subject}.auth.${aspect}`,
      title: `${subject} rejects a request ${title}`,
      ...rest,
      async run(t) {
        await control(t, subject);
        expectRefused(t, await requests[subject](t, wrong(auth)));
      },
    }),
  ),
);

const statuses = subjects.map(
  (subject): CheckDefinition => ({
    id: `${subject}.auth.status`,
    title: `${subject} rejects missing and wrong credentials with 401`,
    clauses: ['auth.status-401'],
    async run(t) {
      await control(t, subject);
      t.expectStatus(await requests[subject](t, wrong('none')), 401);
      t.expectStatus(await requests[subject](t, wrong({ header: 'Bearer no-such-key-0000000000000000' })), 401);
    },
  }),
);

const told = subjects.flatMap((subject): CheckDefinition[] => [
  {
    id: `${subject}.auth.scheme-case`,
    title: `${subject} accepts a lower-case scheme`,
    clauses: ['auth.scheme'],
    async run(t) {
      await control(t, subject);
      t.expectAnswered(subject, await requests[subject](t, { auth: 'lower-case' }));
    },
  },
]);

export const checks: readonly CheckDefinition[] = [...refused, ...statuses, ...told];
