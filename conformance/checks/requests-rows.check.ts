/** The list of requests, row by row: which jobs it holds, how often, in which state, in which order and in parts. */
import { jobIdOf, stateOf } from '../../schemas/job-answer.ts';
import { at, isObject, show } from '../../schemas/json.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { listed, UNFINISHED_MS } from '../fixtures/listed.ts';
import { type Purge, purge, purgeInTime } from '../fixtures/purge.ts';
import { NEARLY } from '../fixtures/quick.ts';
import { isListed, listIn, orderIn, rowsOf, statesIn } from '../reading/listing.ts';
import { headerNames, shapeOfReply } from '../reading/shape.ts';
import { describe, durationOf, isOk, type Reply } from '../target/reply.ts';

const dedicated = { needs: ['dedicated'], alone: true } as const;
/** Clients read these as times. */
const TIMES = ['createdAt', 'startedAt', 'completedAt'];

async function scene(t: CheckContext): Promise<Purge> {
  const made = await purgeInTime(t);
  t.requireAnswer('requests', made.before.requests);
  return made;
}

/** The first of a list, and what comes after it: one request, since there are so few. */
const firstOnly = (t: CheckContext): Promise<Reply> =>
  t.shared('requests-first', async (own) => {
    await own.room('requests', 1);
    return own.jobs.requests({ query: 'limit=1' });
  });

const timeWords = (value: unknown): string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? 'a date string' : typeof value;

export const checks: readonly CheckDefinition[] = [
  {
    id: 'requests.all',
    title: 'requests lists every unfinished job',
    clauses: ['requests.list'],
    ...dedicated,
    async run(t) {
      const { before, ids } = await scene(t);
      const ours = [...ids.running, ...ids.queued];
      const missing = ours.filter((id) => !isListed(before.requests, id));
      t.precondition(
        'jobs are listed by their ids',
        'at least one of the unfinished ones',
        describe(before.requests),
        missing.length < ours.length,
        'see requests.own',
      );
      t.expect('unfinished jobs that are not in the list', 'none', show(missing), missing.length === 0);
    },
  },
  {
    id: 'requests.queued',
    title: 'requests lists a waiting job as waiting',
    clauses: ['requests.own'],
    ...dedicated,
    async run(t) {
      const { before, ids } = await scene(t);
      const ours = [...ids.queued, ...ids.running, ...(ids.done === null ? [] : [ids.done])];
      const rows = listIn(before.requests.json)?.length;
      t.precondition(
        'the list contains all requests, or at least those of this run',
        'at least one job of this run',
        describe(before.requests),
        rows === 0 || statesIn(before.requests.json, ours).length > 0,
        'use an endpoint with few requests in its history',
      );
      for (const id of ids.queued) {
        const states = statesIn(before.requests.json, [id]);
        const listed = states.length > 0 && states.every((one) => one === 'queued');
        t.expect(
          'a job that waits',
          'in the list, as queued',
          `${show(states)} in ${describe(before.requests)}`,
          listed,
        );
      }
    },
  },
  {
    id: 'requests.agrees',
    title: 'requests reports the same state of each job as status',
    clauses: ['requests.own'],
    ...dedicated,
    async run(t) {
      const { before, ids } = await scene(t);
      const byId = [
        ...ids.running.map((id, index) => ({ id, seen: before.running[index] })),
        ...ids.queued.map((id, index) => ({ id, seen: before.queued[index] })),
        ...(ids.done === null || !before.done ? [] : [{ id: ids.done, seen: before.done }]),
      ];
      const both = byId.flatMap(({ id, seen }) =>
        rowsOf(before.requests.json, id).map((row) => ({ row: stateOf(row), status: seen?.state })),
      );
      t.precondition('jobs of this run are listed', 'at least one', describe(before.requests), both.length > 0);
      for (const { row, status } of both) t.expect('state in the list', show(status), show(row), row === status);
    },
  },
  {
    id: 'requests.runsync',
    title: 'requests lists an unfinished job of runsync',
    clauses: ['requests.own'],
    async run(t) {
      const { reply, unfinished } = await listed(t);
      const { run, runsync } = unfinished;
      t.requireOk(reply);
      if (!runsync) return t.inconclusive('1 of 1 requests to runsync got no response', 'see runsync.results');
      t.requireOk(runsync);
      const id = jobIdOf(runsync.json) ?? '';
      t.precondition('runsync returns the id of its job', 'an id', describe(runsync), id !== '');
      const tookMs = Math.round(durationOf(runsync));
      const listMs = Math.round(reply.endMs - runsync.sentMs);
      t.precondition(
        'the job was unfinished when the list was made',
        `the list before ${UNFINISHED_MS} ms, the response of runsync after that`,
        `the list after ${listMs} ms, the response after ${tookMs} ms`,
        listMs < UNFINISHED_MS && tookMs >= UNFINISHED_MS * NEARLY,
      );
      t.precondition(
        'an unfinished job of run',
        'in the list',
        describe(reply),
        isListed(reply, run),
        'see requests.own',
      );
      t.expect(`the job ${id} of runsync`, 'in the list', describe(reply), isListed(reply, id));
    },
  },
  {
    id: 'requests.other-endpoint',
    title: 'requests lists no job of another endpoint',
    clauses: ['jobs.instance', 'requests.list'],
    needs: ['two-endpoints'],
    async run(t) {
      const { reply, jobs, foreign } = await listed(t);
      t.requireAnswer('requests', reply);
      const own = Object.values(jobs).filter(({ id }) => rowsOf(reply.json, id).length > 0);
      t.precondition(
        'jobs of the endpoint itself are listed',
        'at least one of those that ended',
        describe(reply),
        own.length > 0,
        'use an endpoint with few requests in its history',
      );
      if (foreign === null) return t.inconclusive('both endpoints returned the same id', 'run it again');
      const absent = rowsOf(reply.json, foreign).length === 0;
      t.expect(`the job ${foreign} of another endpoint`, 'not in the list', describe(reply), absent);
    },
  },
  {
    id: 'requests.gap.response',
    title: 'Fields of the list of requests and its rows',
    clauses: ['gap.requests-response'],
    async run(t) {
      const { reply, jobs } = await listed(t);
      t.note('body', shapeOfReply(reply));
      t.note('headers', headerNames(reply));
      const [row] = rowsOf(reply.json, jobs.quick?.id ?? '');
      for (const key of TIMES) t.note(`${key} of a completed job`, timeWords(at(row, key)));
    },
  },
  {
    id: 'requests.gap.members',
    title: 'Ended jobs in the list of requests',
    clauses: ['gap.requests-members'],
    async run(t) {
      const { reply, jobs } = await listed(t);
      for (const [ending, { id }] of Object.entries(jobs)) {
        const [row] = rowsOf(reply.json, id);
        t.note(`a job that was ${ending}`, row === undefined ? 'not listed' : `listed as ${stateOf(row)}`);
      }
    },
  },
  {
    id: 'requests.gap.order',
    title: 'Order of the list of requests',
    clauses: ['gap.requests-order'],
    ...dedicated,
    async run(t) {
      const { before, ids } = await purge(t);
      const asSubmitted = [...(ids.done === null ? [] : [ids.done]), ...ids.running, ...ids.queued];
      const inList = orderIn(before.requests.json, asSubmitted);
      const words = new Map([
        [show(asSubmitted, 1000), 'the oldest first'],
        [show(asSubmitted.toReversed(), 1000), 'the newest first'],
      ]);
      t.note(
        'the jobs of this run',
        inList.length < 2 ? 'too few to see an order' : (words.get(show(inList, 1000)) ?? 'another order'),
      );
    },
  },
  {
    id: 'requests.gap.paging',
    title: 'Effect of limit=1 on the list of requests',
    clauses: ['gap.requests-paging'],
    // Every other check that needs a list fits into one window of its limit; this one would have to wait for another.
    needs: ['patience'],
    async run(t) {
      const { reply: whole } = await listed(t);
      const part = await firstOnly(t);
      const [all, some] = [whole, part].map(({ json }) => listIn(json)?.length ?? 0);
      const cut = some === 1 ? 'one entry' : some === all ? 'the same entries' : `${show(some)} entries`;
      t.note('limit=1', isOk(part) && (all ?? 0) > 1 ? cut : `${part.status}`);
      const around = isObject(part.json) ? Object.keys(part.json).sort() : [];
      t.note('fields around it', show(around));
    },
  },
];
