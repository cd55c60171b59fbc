/**
 * What the documentation leaves open about interface B, as this target fills it in: written down without ids, times and
 * texts, so that two services can be laid side by side, and never judged.
 */
import { jobIdOf, stateOf, stateWordOf } from '../../schemas/job-answer.ts';
import { show } from '../../schemas/json.ts';
import type { CheckDefinition } from '../check.ts';
import { canonical } from '../fixtures/canonical.ts';
import { type Ending, life } from '../fixtures/life.ts';
import { purge } from '../fixtures/purge.ts';
import { quickJob } from '../fixtures/quick.ts';
import { chunksIn, drained } from '../fixtures/stream.ts';
import { headerNames, shapeOfReply } from '../reading/shape.ts';
import { durationOf, isOk } from '../target/reply.ts';

const ENDINGS: readonly Ending[] = ['slow', 'failing', 'cancelled'];
/** Longer than clients let runsync wait, shorter than a request of ours may take. */
const LONGER_MS = 95_000;

const records = ENDINGS.map(
  (ending): CheckDefinition => ({
    id: `status.gap.record.${ending}`,
    title: `States of a job and fields of its record: ${ending}`,
    clauses: ['gap.job-record', 'gap.status-response', 'gap.job-states', 'gap.job-moves'],
    async run(t) {
      const { observations } = await life(t, ending);
      const byWord = new Map(observations.map(({ reply }) => [stateWordOf(reply.json) ?? `${reply.status}`, reply]));
      // Whether a job is seen waiting before a free worker takes it is a matter of luck.
      const lasting = [...byWord].filter(([, { json }]) => stateOf(json) !== 'queued');
      t.note('states', lasting.map(([word]) => word).join(' > '));
      for (const [word, reply] of lasting) t.note(`a job record in ${word}`, shapeOfReply(reply));
    },
  }),
);

export const checks: readonly CheckDefinition[] = [
  ...records,
  {
    id: 'status.gap.record.queued',
    title: 'Fields of the record of a waiting job',
    clauses: ['gap.job-record', 'gap.job-states'],
    needs: ['dedicated'],
    alone: true,
    async run(t) {
      const { before } = await purge(t);
      for (const { reply } of before.queued.slice(0, 1)) {
        t.note('state', stateWordOf(reply.json) ?? 'none');
        t.note('record', shapeOfReply(reply));
      }
    },
  },
  {
    id: 'stream.gap.response',
    title: 'Fields of a stream response, with chunks and at the end',
    clauses: ['gap.stream-response'],
    async run(t) {
      const { replies } = await drained(t);
      const first = replies.find(({ text }) => chunksIn(text).length > 0);
      if (first) t.note('with chunks', shapeOfReply(first));
      for (const last of replies.slice(-1)) t.note('after the end', shapeOfReply(last));
    },
  },
  {
    id: 'run.gap.errors',
    title: 'Form of the error responses of interface B',
    clauses: ['gap.submission-body', 'gap.other-errors', 'gap.error-body', 'jobs.bad-submission'],
    async run(t) {
      const { id } = await quickJob(t);
      const headers = { 'content-type': 'application/json' };
      const malformed = await t.jobs.call('run', { breaks: 'the body', body: '{"input": ', headers });
      t.note('malformed JSON', shapeOfReply(malformed));
      const empty = await t.jobs.call('run', { breaks: 'no input' }, { other: t.word() });
      t.note('a body without input', isOk(empty) ? `${empty.status}, accepted` : shapeOfReply(empty));
      const made = jobIdOf(empty.json);
      if (isOk(empty) && made !== null) t.defer((jobs) => jobs.cancel(made));
      const unknown = await t.jobs.status(`${id}-not`);
      t.note('a job that was never submitted', shapeOfReply(unknown));
      t.note('its headers', headerNames(unknown));
    },
  },
  {
    id: 'run.gap.queue-order',
    title: 'Order in which waiting jobs are processed',
    clauses: ['gap.queue-order'],
    needs: ['dedicated'],
    alone: true,
    async run(t) {
      const { firstFirst } = await purge(t);
      if (firstFirst === null)
        return t.notObservable('an exclusive endpoint with one worker (--dedicated, --workers-max 1)');
      t.note('run first', firstFirst ? 'the first that was submitted' : 'the second, or both at the same time');
    },
  },
  {
    id: 'runsync.gap.longer',
    title: 'Response of runsync for a job that takes longer than clients wait',
    clauses: ['gap.runsync-longer'],
    needs: ['patience'],
    async run(t) {
      t.requireAnswer('runsync', await canonical(t, 'runsync'));
      const reply = await t.jobs.runsync({ delay_ms: LONGER_MS, echo: t.word() });
      const id = jobIdOf(reply.json);
      if (id !== null) t.defer((jobs) => jobs.cancel(id));
      const held = durationOf(reply) < LONGER_MS ? 'before its end' : 'at its end';
      t.note('answered', `${held}: ${shapeOfReply(reply)}`);
      t.note('state', show(stateWordOf(reply.json)));
    },
  },
];
