/**
 * The end of a job's time on every operation that can be asked for a job, and what its time depends on. All that is
 * asked of one kind of job rests on a single wait.
 */
import { type Check, check } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { type Aged, aged, documentedMs } from '../flows/aged.ts';
import { outputOf, stateOf } from '../reading/job.ts';
import { saysSomething, show } from '../reading/json.ts';
import { rowsOf } from '../reading/listing.ts';
import { isRefusal, REFUSAL } from '../reading/refusal.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';

const MINUTES_MS = 60_000;
const LATE = 'run it again where round trips are shorter';
const common = { on: 'jobs', needs: ['patience'] } as const;
const longest = documentedMs('run') * 1.5 + 10 * MINUTES_MS;

/** It was there while it was fresh, or nothing follows from its being there or gone later. */
function requireFresh(t: CheckContext, reply: Reply): void {
  t.requireOk(reply);
}

const there = (reply: Reply): string => (isOk(reply) ? `there, ${stateOf(reply.json)}` : `gone, ${reply.status}`);

const bySubject = (['run', 'runsync'] as const).flatMap((subject) => {
  const words = `${documentedMs(subject) / 1000} s`;
  const all = { ...common, timeoutMs: documentedMs(subject) * 1.5 + 10 * MINUTES_MS };
  const promised = (['status-sync', 'stream'] as const).map((id) =>
    check(
      {
        id: `${id}.retention.${subject}`,
        title: `${id} finds a finished ${subject} job for as long as documented`,
        clauses: [`${subject}.retention`],
        ...all,
      },
      async (t) => {
        const { fresh, early, inTime } = await aged(t, subject);
        requireFresh(t, fresh[id]);
        if (!inTime) t.inconclusive(`the answer came after ${words}`, LATE);
        t.expect(`the job just before ${words}`, 'available', describe(early[id]), isOk(early[id]));
      },
    ),
  );
  const over: readonly (readonly [string, (one: Aged) => Reply, (one: Aged) => Reply])[] = [
    ['status-sync', ({ fresh }) => fresh['status-sync'], ({ late }) => late['status-sync']],
    ['stream', ({ fresh }) => fresh.stream, ({ late }) => late.stream],
    ['cancel', ({ fresh }) => fresh.status, ({ lateCancel }) => lateCancel],
  ];
  const expired = over.map(([id, before, after]) =>
    check(
      {
        id: `${id}.expired.${subject}`,
        title: `${id} does not find a ${subject} job whose time is over`,
        clauses: ['jobs.expired'],
        ...all,
      },
      async (t) => {
        const one = await aged(t, subject);
        requireFresh(t, before(one));
        const reply = after(one);
        t.expect('a job whose time is over', REFUSAL, describe(reply), isRefusal(reply));
      },
    ),
  );
  return [
    ...promised,
    check(
      {
        id: `${subject}.retention.output`,
        title: `The output of a finished ${subject} job can be retrieved unchanged for as long as documented`,
        clauses: [`${subject}.retention`, 'status.outputs'],
        ...all,
      },
      async (t) => {
        const { fresh, early, inTime } = await aged(t, subject);
        const [was, is] = [fresh.status, early.status].map(({ json }) => outputOf(json));
        t.require(saysSomething(was), 'ground', {
          what: 'the job has an output',
          expected: 'an output',
          observed: describe(fresh.status),
        });
        if (!inTime) t.inconclusive(`the answer came after ${words}`, LATE);
        t.expect(`its output just before ${words}`, show(was), show(is), show(was, 10_000) === show(is, 10_000));
      },
    ),
    check(
      {
        id: `${subject}.retention.read`,
        title: `A finished ${subject} job that is asked for meanwhile is available no shorter`,
        clauses: [`${subject}.retention`],
        ...all,
      },
      async (t) => {
        const { fresh, read } = await aged(t, subject);
        requireFresh(t, fresh.status);
        if (!read.inTime) t.inconclusive(`the answer came after ${words}`, LATE);
        t.expect(`the job just before ${words}`, 'available', describe(read.early), isOk(read.early));
      },
    ),
    ...expired,
  ];
});

export const checks: readonly Check[] = [
  ...bySubject,
  check(
    {
      id: 'status.gap.availability',
      title: 'Whether asking for a finished job prolongs its time',
      clauses: ['gap.status-availability'],
      ...common,
      timeoutMs: longest,
    },
    async (t) => {
      const { read } = await aged(t, 'run');
      t.note('a job that was asked for meanwhile, after its time', there(read.late));
    },
  ),
  check(
    {
      id: 'cancel.gap.availability',
      title: 'How long failed and cancelled jobs stay available',
      clauses: ['gap.cancel-availability'],
      ...common,
      timeoutMs: longest,
    },
    async (t) => {
      const { failed, cancelled } = await aged(t, 'run');
      for (const [name, job] of Object.entries({ failed, cancelled })) {
        t.note(`a ${name} job just before the time of a complete one`, job ? there(job.early) : 'none');
        t.note(`a ${name} job after it`, job ? there(job.late) : 'none');
      }
    },
  ),
  check(
    {
      id: 'requests.gap.availability',
      title: 'Whether a job is still listed after its time',
      clauses: ['gap.requests-availability'],
      ...common,
      timeoutMs: longest,
    },
    async (t) => {
      const { lateId } = await aged(t, 'run');
      const reply = await t.once('requests-late', (own) => own.jobs.requests());
      t.requireAnswer('requests', reply);
      t.note('a job whose time is over', rowsOf(reply.json, lateId).length > 0 ? 'listed' : 'not listed');
    },
  ),
];
