/** What run and runsync answer to bodies that are no submission. */
import { type Check, check } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { quickJob, quickSync } from '../flows/quick.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';

const subjects = ['run', 'runsync'] as const;
type Subject = (typeof subjects)[number];

const BAD = [400, 422];

const cases = [
  { aspect: 'malformed-json', title: 'a body that is not JSON', clause: 'errors.malformed-json', body: '{"input": ' },
  { aspect: 'empty-body', title: 'an empty body', clause: 'errors.missing-field', body: '' },
  { aspect: 'missing-input', title: 'a body without input', clause: 'errors.missing-field', body: '{"other": {}}' },
  { aspect: 'list-body', title: 'a body that is a list', clause: 'errors.missing-field', body: '[1, 2]' },
] as const;

async function control(t: CheckContext, subject: Subject): Promise<void> {
  if (subject === 'run') await quickJob(t);
  else t.requireAnswer('runsync', (await quickSync(t)).reply);
}

function send(t: CheckContext, subject: Subject, body: string): Promise<Reply> {
  return t.jobs.call(subject, { body, headers: { 'content-type': 'application/json' } });
}

export const checks: readonly Check[] = subjects.flatMap((subject) => [
  ...cases.map(({ aspect, title, clause, body }) =>
    check(
      {
        id: `${subject}.invalid.${aspect}`,
        title: `${subject} refuses ${title}`,
        clauses: [clause, 'jobs.input'],
        on: 'jobs',
      },
      async (t) => {
        await control(t, subject);
        t.expectStatus(await send(t, subject, body), ...BAD);
      },
    ),
  ),
  check(
    {
      id: `${subject}.invalid.envelope`,
      title: `${subject} answers a bad body with a JSON object that holds an error text`,
      clauses: ['jobs.error-envelope'],
      on: 'jobs',
    },
    async (t) => {
      await control(t, subject);
      const reply = await send(t, subject, cases[0].body);
      t.require(!isOk(reply), 'ground', { what: 'it is refused', expected: 'no 2xx', observed: describe(reply) });
      t.expectShape(reply, 'jobs-error', 'convention');
    },
  ),
]);
