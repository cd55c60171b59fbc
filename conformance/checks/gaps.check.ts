/** What the documentation leaves open, as this target fills it in: written down, never judged. */
import { type Check, check } from '../check.ts';
import { plainChat, plainCompletion } from '../flows/completions.ts';
import { quickJob } from '../flows/quick.ts';
import { stateWordOf } from '../reading/job.ts';
import { isObject, show } from '../reading/json.ts';
import { describe } from '../target/reply.ts';

const fields = (body: unknown): string => (isObject(body) ? show(Object.keys(body)) : show(body));

export const checks: readonly Check[] = [
  check(
    {
      id: 'chat.gap.fields',
      title: 'Which fields the answers of interface A have, and what an extra field does',
      clauses: ['gap.chat-response', 'gap.completions-response', 'gap.message-roles'],
      on: 'inference',
    },
    async (t) => {
      t.note('fields of a chat completion', fields((await plainChat(t)).json));
      t.note('fields of a text completion', fields((await plainCompletion(t)).json));
      const other = await t.inference.chat({ model: t.model, messages: [{ role: 'developer', content: t.prompt }] });
      t.note('a message of the role developer', describe(other));
    },
  ),
  check(
    {
      id: 'status.gap.record',
      title: 'Which fields a job record has, and which states were seen',
      clauses: ['gap.job-record', 'gap.job-states', 'gap.run-response'],
      on: 'jobs',
    },
    async (t) => {
      const { reply, seen } = await quickJob(t);
      t.note('fields of the answer of run', fields(reply.json));
      t.note('fields of a finished record', fields(seen.reply.json));
      t.note('states', show([stateWordOf(reply.json), stateWordOf(seen.reply.json)]));
    },
  ),
  check(
    {
      id: 'run.gap.errors',
      title: 'What errors look like, and what a submission without input gets',
      clauses: ['gap.submission-body', 'gap.other-errors', 'gap.error-body', 'jobs.bad-submission'],
      on: 'jobs',
    },
    async (t) => {
      const { id } = await quickJob(t);
      t.note(
        'a body without input',
        describe(await t.jobs.call('run', { breaks: 'no input' }, { prompt: 'no input' })),
      );
      t.note('a job that was never submitted', describe(await t.jobs.status(`${id}-not`)));
    },
  ),
];
