/**
 * The end of a job's retention on every operation about a job, and what its retention depends on. All checks of one
 * kind of job rest on a single wait.
 */
import { outputOf, stateOf } from '../../schemas/job-answer.ts';
import { saysSomething, show } from '../../schemas/json.ts';
import { documentedTable } from '../../schemas/limits.ts';
import { retentionOf, subjects } from '../../schemas/retention.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { UNKNOWN_JOB } from '../fixtures/known.ts';
import { type Pair, requireInTime, requireReport, type Watch } from '../fixtures/retention/requirements.ts';
import { outcomeOf, type Shown } from '../fixtures/retention/routes.ts';
import { watched } from '../fixtures/retention/watch.ts';
import { drained } from '../fixtures/stream.ts';
import { isAnswer } from '../reading/answer.ts';
import { rowsOf } from '../reading/listing.ts';
import { isRefusal, REFUSAL } from '../reading/refusal.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';

const PATIENCE_MS = 60 * 60_000;
const common = { needs: ['patience'] } as const;
const longest = retentionOf(documentedTable, 'run') * 1.5 + PATIENCE_MS;
const byRun = { ...common, longWait: 'run', timeoutMs: longest } as const;

/**
 * It was there while it was fresh, or nothing follows from its being there or gone later. A stream may have nothing more
 * to say of a job that it knows: then it is enough that it has had results of one, and refuses an id that is unknown.
 */
async function requireFresh(t: CheckContext, id: keyof Shown, reply: Reply): Promise<void> {
  if (id === 'stream' && isOk(reply) && !isAnswer(id, reply)) {
    const speaks = (await drained(t)).chunks.some((some) => some.length > 0);
    if (speaks && isRefusal(await t.jobs.call(id, { jobId: UNKNOWN_JOB }))) return;
  }
  t.requireAnswer(id, reply);
}

const there = (reply: Reply): string => (isOk(reply) ? `known, ${stateOf(reply.json)}` : `unknown, ${reply.status}`);

/** The responses of several operations about one job, of which the one just before the end decides. */
function observedTogether(t: CheckContext, watch: Watch) {
  const requested = outcomeOf(watch.requested);
  return {
    ...requested,
    requireReported: (id: keyof Shown): void => {
      requireInTime(t, watch, requested.inTime);
      requireReport(t, watch, requested, id);
    },
  };
}

const bySubject = subjects.flatMap((subject): CheckDefinition[] => {
  const timeoutMs = retentionOf(documentedTable, subject) * 1.5 + PATIENCE_MS;
  const all = { ...common, longWait: subject, timeoutMs } as const;
  const promised = (['status-sync', 'stream'] as const).map(
    (id): CheckDefinition => ({
      id: `${id}.retention.${subject}`,
      title: `${id} finds a finished ${subject} job during its documented retention`,
      clauses: [`${subject}.retention`],
      ...all,
      async run(t) {
        const watch = await watched(t, subject);
        const { fresh, early, requireReported } = observedTogether(t, watch);
        await requireFresh(t, id, fresh[id]);
        requireReported(id);
        t.expect(`the job just before ${watch.terms.words}`, 'available', describe(early[id]), isOk(early[id]));
      },
    }),
  );
  const over: readonly (readonly [string, keyof Shown, (watch: Watch) => Reply])[] = [
    ['status-sync', 'status-sync', ({ late }) => outcomeOf(late).shown['status-sync']],
    ['stream', 'stream', ({ late }) => outcomeOf(late).shown.stream],
    ['cancel', 'status', ({ late }) => outcomeOf(late).cancel],
  ];
  const expired = over.map(
    ([id, before, after]): CheckDefinition => ({
      id: `${id}.expired.${subject}`,
      title: `${id} rejects a ${subject} job id after its retention`,
      clauses: ['jobs.expired'],
      ...all,
      async run(t) {
        const watch = await watched(t, subject);
        await requireFresh(t, before, observedTogether(t, watch).fresh[before]);
        const reply = after(watch);
        t.expect('a job after its retention time', REFUSAL, describe(reply), isRefusal(reply));
      },
    }),
  );
  return [
    ...promised,
    {
      id: `${subject}.retention.output`,
      title: `The output of a finished ${subject} job does not change during its documented retention`,
      clauses: [`${subject}.retention`, 'status.outputs'],
      ...all,
      async run(t) {
        const watch = await watched(t, subject);
        const { fresh, early, requireReported } = observedTogether(t, watch);
        const [was, is] = [fresh.status, early.status].map(({ json }) => outputOf(json));
        t.precondition('the job has an output', 'an output', describe(fresh.status), saysSomething(was));
        requireReported('status');
        const holds = show(was, 10_000) === show(is, 10_000);
        t.expect(`its output just before ${watch.terms.words}`, show(was), show(is), holds);
      },
    },
    ...expired,
  ];
});

export const checks: readonly CheckDefinition[] = [
  ...bySubject,
  {
    id: 'status.gap.availability',
    title: 'Effect of status requests on the retention of a finished job',
    clauses: ['gap.status-availability'],
    ...byRun,
    async run(t) {
      const { late } = (await watched(t, 'run')).read;
      t.note('a job that was read in between, after its retention time', late.reply ? there(late.reply) : late.words);
    },
  },
  {
    id: 'cancel.gap.availability',
    title: 'Retention of failed and cancelled jobs',
    clauses: ['gap.cancel-availability'],
    ...byRun,
    async run(t) {
      const { failed, cancelled } = await watched(t, 'run');
      const ends: Readonly<Record<string, Pair | null>> = { failed, cancelled };
      for (const [name, job] of Object.entries(ends)) {
        t.note(`a ${name} job just before the time of a complete one`, job ? there(job.early) : 'none');
        t.note(`a ${name} job after it`, job ? there(job.late) : 'none');
      }
    },
  },
  {
    id: 'requests.gap.availability',
    title: 'Expired jobs in the list of requests',
    clauses: ['gap.requests-availability'],
    ...byRun,
    async run(t) {
      const { id } = outcomeOf((await watched(t, 'run')).late);
      const reply = await t.shared('requests-late', (own) => own.jobs.requests());
      t.requireAnswer('requests', reply);
      t.note('a job after its retention time', rowsOf(reply.json, id).length > 0 ? 'listed' : 'not listed');
    },
  },
];
