/**
 * Responses of run and runsync to bodies that are no submission. Any 4xx is right; a success would be a job without an
 * input, and a 5xx would blame the service for a fault of the client.
 */
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import type { Submission } from '../fixtures/echo.ts';
import { quickSync } from '../fixtures/quick.ts';
import { expectNoJob } from '../fixtures/refused.ts';
import { anyJob } from '../fixtures/submit.ts';
import { describe, type Reply } from '../target/reply.ts';

const subjects: readonly Submission[] = ['run', 'runsync'];

const cases = [
  { aspect: 'malformed-json', title: 'malformed JSON', body: '{"input": ' },
  { aspect: 'truncated', title: 'a truncated body', body: '{"input": {"echo": "abc' },
  { aspect: 'script', title: 'a JavaScript literal', body: "{input: {'echo': 1}}" },
  { aspect: 'form', title: 'a form-encoded body', body: 'input=1&echo=2' },
  { aspect: 'empty-body', title: 'an empty body', body: '' },
  { aspect: 'missing-input', title: 'a body without input', body: '{"other": {}}' },
  { aspect: 'list-body', title: 'a list as the body', body: '[1, 2]' },
  { aspect: 'null-body', title: 'null as the body', body: 'null' },
  { aspect: 'number-body', title: 'a number as the body', body: '42' },
  { aspect: 'text-body', title: 'a string as the body', body: '"input"' },
] as const;

async function control(t: CheckContext, subject: Submission): Promise<void> {
  if (subject === 'run') await anyJob(t);
  else t.requireAnswer('runsync', (await quickSync(t)).reply);
}

function send(t: CheckContext, subject: Submission, body: string): Promise<Reply> {
  return t.jobs.call(subject, { body, headers: { 'content-type': 'application/json' }, breaks: 'the body' });
}

const isClientError = ({ status }: Reply): boolean => status >= 400 && status < 500;

export const checks: readonly CheckDefinition[] = subjects.flatMap((subject): CheckDefinition[] => [
  ...cases.map(
    ({ aspect, title, body }): CheckDefinition => ({
      id: `${subject}.invalid.${aspect}`,
      title: `${subject} rejects ${title}`,
      clauses: ['jobs.bad-submission', 'jobs.input'],
      async run(t) {
        await control(t, subject);
        const reply = await send(t, subject, body);
        t.expect(`${reply.request} with ${title}`, 'a status 4xx', describe(reply), isClientError(reply));
      },
    }),
  ),
  {
    id: `${subject}.invalid.no-job`,
    title: `A body that ${subject} rejects creates no job`,
    clauses: ['jobs.refused-without-effect'],
    needs: ['dedicated'],
    alone: true,
    run: (t) => expectNoJob(t, `${subject}-bad`, `${subject}-no-input`),
  },
]);
