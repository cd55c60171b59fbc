/** Jobs belong to their instance and to their account: no other caller can read, stream, cancel or list them. */
import { jobIdOf } from '../../schemas/job-answer.ts';
import { mentions, show } from '../../schemas/json.ts';
import type { CheckDefinition, Need } from '../check.ts';
import type { CheckContext } from '../context.ts';
import {
  cancelledByOther,
  expectRefused,
  type OtherCaller,
  readByOther,
  requireAccounts,
  streamedByOther,
} from '../fixtures/foreign.ts';
import { listed } from '../fixtures/listed.ts';
import { quickJob } from '../fixtures/quick.ts';
import { lateRead, requireChunks } from '../fixtures/readers.ts';
import { chunksIn, drained, requireNumbers } from '../fixtures/stream.ts';
import { describe, isOk } from '../target/reply.ts';

interface Kind {
  readonly caller: OtherCaller;
  readonly name: string;
  readonly words: string;
  readonly clauses: readonly string[];
  readonly level?: 'convention';
  readonly because?: string;
  readonly needs: readonly Need[];
}

const kinds: readonly Kind[] = [
  {
    caller: 'instance',
    name: 'foreign-instance',
    words: 'another instance',
    clauses: ['jobs.foreign-job', 'jobs.instance'],
    level: 'convention',
    because: 'the path implies that a job belongs to its instance, but the documentation does not say so',
    needs: ['two-endpoints'],
  },
  {
    caller: 'account',
    name: 'other-key',
    words: 'a key of another account',
    clauses: ['jobs.account'],
    needs: ['other-key', 'jobs-key'],
  },
];

async function expectStreamKept(t: CheckContext, caller: OtherCaller): Promise<void> {
  const usual = await drained(t);
  requireNumbers(t, usual);
  requireChunks(t, usual.numbers.length > 0, 'none with the key of the run');
  const { theirs, ours, expected } = await streamedByOther(t, caller);
  const given = isOk(theirs) && chunksIn(theirs.text).length > 0;
  t.expect('stream with the other key', 'no chunk of the job', describe(theirs), !given);
  if (given) return;
  // A stream that loses or repeats chunks without another caller shows nothing about one.
  const twin = await lateRead(t);
  t.precondition(
    'a job that only its owner reads has all its chunks after its end',
    show(twin.expected),
    show(twin.numbers),
    show(twin.numbers) === show(twin.expected),
    'see stream.late',
  );
  t.expect('the chunks that its owner reads afterwards', show(expected), show(ours), show(ours) === show(expected));
}

async function expectUncancelled(t: CheckContext, caller: OtherCaller): Promise<void> {
  const { theirs, after } = await cancelledByOther(t, caller);
  t.requireOk(after.reply, 'assertion');
  const fine = after.state === 'running' || after.state === 'completed';
  t.expect(`the job after ${describe(theirs)}`, 'still running', describe(after.reply), fine);
}

const byKind = kinds.flatMap(({ caller, name, words, ...rest }): CheckDefinition[] => [
  ...(['status', 'status-sync'] as const).map(
    (id): CheckDefinition => ({
      id: `${id}.${name}`,
      title: `${id} through ${words} reveals nothing about the job`,
      ...rest,
      async run(t) {
        const { job, status, statusSync } = await readByOther(t, caller);
        expectRefused(t, id === 'status' ? status : statusSync, job);
      },
    }),
  ),
  {
    id: `stream.${name}`,
    title: `stream through ${words} neither returns nor consumes chunks of the job`,
    ...rest,
    run: (t) => expectStreamKept(t, caller),
  },
  {
    id: `cancel.${name}`,
    title: `cancel through ${words} does not stop the job`,
    ...rest,
    run: (t) => expectUncancelled(t, caller),
  },
]);

export const checks: readonly CheckDefinition[] = [
  ...byKind,
  {
    id: 'requests.other-key',
    title: 'requests lists no job of another account',
    clauses: ['jobs.account'],
    needs: ['other-key', 'jobs-key'],
    async run(t) {
      const own = await listed(t);
      t.requireAnswer('requests', own.reply);
      const jobs = Object.values(own.jobs).filter((job) => mentions(own.reply.json, job.id));
      const [first] = jobs;
      if (!first)
        return t.inconclusive(
          'none of the jobs of this run is in the list of its own key',
          'run it while fewer other clients use the endpoint',
        );
      await requireAccounts(t, first.id);
      await t.room('requests', 1);
      const reply = await t.jobs.requests({ auth: 'other', breaks: 'the key of another account' });
      const seen = isOk(reply) && jobs.some((job) => mentions(reply.json, job.id));
      t.expect('the list of another account', 'no job of this run', describe(reply), !seen);
    },
  },
  {
    id: 'run.other-key',
    title: 'A job that another account submits to the endpoint is not visible to its owner',
    clauses: ['jobs.account'],
    needs: ['other-key', 'jobs-key'],
    async run(t) {
      const job = await quickJob(t);
      t.requireOk(job.seen.reply);
      await requireAccounts(t, job.id);
      const reply = await t.jobs.run({ echo: t.word() }, { auth: 'other', breaks: 'the key of another account' });
      const id = isOk(reply) ? jobIdOf(reply.json) : null;
      const status = id === null ? null : await t.jobs.status(id);
      const observed = `${describe(reply)}${status ? `, and its status to us ${describe(status)}` : ''}`;
      t.expect(
        'a submission with the other key',
        "rejected, or a job that the key of the run can't read",
        observed,
        !(status && isOk(status)),
      );
    },
  },
];
