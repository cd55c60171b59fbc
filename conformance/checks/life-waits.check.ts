/** Waiting: a client that waits for a job learns of its end, however it ends, and holds up no other client. */
import { isFinal, jobIdOf, outputOf, stateOf } from '../../schemas/job-answer.ts';
import { mentions } from '../../schemas/json.ts';
import { handlerThat } from '../../schemas/workloads.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { lived } from '../fixtures/life.ts';
import { requireEcho, requireFit } from '../fixtures/quick.ts';
import { isAlive } from '../fixtures/submit.ts';
import { HOLD_MS, held, type Waiter, type Waking, woken } from '../fixtures/wait.ts';
import { unreadFor } from '../target/own-loop.ts';
import { describe, durationOf, isOk, type Reply } from '../target/reply.ts';

/** As long as clients wait for any other answer, milliseconds. */
const PROMPT_MS = 3000;
const LONGER_MS = 1400;
/** One answer may come because the job began to run, another because the target's own patience is short. */
const MOST_AT_ONCE = 2;

const took = (reply: Reply): number => Math.round(durationOf(reply));
const waited = ({ atOnce }: Waiter): boolean => atOnce <= MOST_AT_ONCE;

const wakings: readonly (readonly [Waking, string])[] = [
  ['completed', 'Several status-sync requests of one job all respond soon when it completes'],
  ['failed', 'status-sync responds soon when the job fails'],
  ['cancelled', 'status-sync responds soon when the job is cancelled'],
];

const wakes = wakings.map(
  ([end, title]): CheckDefinition => ({
    id: `status-sync.wakes.${end}`,
    title,
    clauses: ['status-sync.waits'],
    async run(t) {
      const { waiters, ended, endedMs } = await woken(t, end);
      const waiting = waiters.filter(waited);
      t.precondition(
        'status-sync holds its responses',
        'some responses held',
        `${waiters.length} requests waiting, none held`,
        waiting.length > 0,
      );
      for (const { method, last } of waiting) {
        const late = Math.round(last.endMs - endedMs);
        const heard = isOk(last) && stateOf(last.json) === ended.state && late <= PROMPT_MS;
        const expected = `a job that is ${end}, within ${PROMPT_MS} ms of its end`;
        t.expect(`the response of ${method} status-sync`, expected, `${describe(last)} after ${late} ms`, heard);
      }
    },
  }),
);

const prompt = (['failing', 'cancelled'] as const).map(
  (ending): CheckDefinition => ({
    id: `status-sync.prompt.${ending}`,
    title: `status-sync of a ${ending === 'failing' ? 'failed' : 'cancelled'} job responds at once`,
    clauses: ['status-sync.waits'],
    async run(t) {
      const reply = await t.jobs.statusSync((await lived(t, ending)).id);
      t.requireAnswer('status-sync', reply);
      t.expect('the answer', `within ${PROMPT_MS} ms`, `${took(reply)} ms`, took(reply) <= PROMPT_MS);
    },
  }),
);

/** Without `wait`, which the check `runsync.wait` is about, a job has ended by the time its runsync responds. */
function requireEarly(t: CheckContext, runsync: Reply): void {
  t.requireAnswer('runsync', runsync);
  if (isFinal(stateOf(runsync.json))) t.notObservable('a runsync that responds before its job has ended (wait)');
}

export const checks: readonly CheckDefinition[] = [
  ...wakes,
  ...prompt,
  {
    id: 'status-sync.waits.post',
    title: 'POST status-sync holds its response while the job runs',
    clauses: ['status-sync.waits'],
    async run(t) {
      const { waiters } = await woken(t, 'completed');
      const post = waiters.find(({ method }) => method === 'POST');
      if (!post) return t.inconclusive('no request was waiting', 'see status-sync.waits');
      t.requireOk(post.last);
      const observed = `${post.atOnce} responses came immediately`;
      t.expect('responses with an unfinished job', `all but ${MOST_AT_ONCE} held`, observed, waited(post));
    },
  },
  {
    id: 'status-sync.wait',
    title: 'status-sync responds after the requested wait although the job still runs',
    clauses: ['status-sync.wait'],
    async run(t) {
      const { statusSync } = await held(t);
      t.requireAnswer('status-sync', statusSync);
      const most = HOLD_MS + PROMPT_MS;
      t.expect(
        `with wait=${HOLD_MS}`,
        `a response within ${most} ms`,
        `${took(statusSync)} ms`,
        took(statusSync) <= most,
      );
    },
  },
  {
    id: 'runsync.wait',
    title: 'runsync responds after the requested wait with the id of the unfinished job',
    clauses: ['runsync.wait'],
    async run(t) {
      const { runsync } = await held(t);
      t.requireAnswer('runsync', runsync);
      const most = HOLD_MS + PROMPT_MS;
      t.expect(`with wait=${HOLD_MS}`, `a response within ${most} ms`, `${took(runsync)} ms`, took(runsync) <= most);
      if (isFinal(stateOf(runsync.json)) && took(runsync) <= most) {
        t.inconclusive(`the job had ended after ${took(runsync)} ms`, handlerThat('waits input.delay_ms'));
      }
      const id = jobIdOf(runsync.json);
      t.expect('the job in the response', 'its id', id ?? describe(runsync), id !== null);
    },
  },
  {
    id: 'runsync.goes-on',
    title: 'A job goes on after runsync responded before its end, and its output can be retrieved',
    clauses: ['runsync.wait', 'runsync.job'],
    async run(t) {
      t.needWorkers();
      await requireEcho(t, 'slow');
      const word = t.word();
      const reply = await t.jobs.runsync({ delay_ms: LONGER_MS, echo: word }, { query: `wait=${HOLD_MS}` });
      requireEarly(t, reply);
      const id = jobIdOf(reply.json);
      t.precondition(`runsync with wait=${HOLD_MS} names its job`, 'an id', describe(reply), id !== null);
      let later = await t.jobs.statusSync(id ?? '', { query: `wait=${PROMPT_MS}` });
      for (let polls = 0; polls < 20 && isOk(later) && !isFinal(stateOf(later.json)); polls += 1) {
        await t.sleep(HOLD_MS / 4);
        later = await t.jobs.status(id ?? '');
      }
      if (['queued', 'running'].includes(stateOf(later.json))) {
        t.inconclusive(`the job had not ended: ${describe(later)}`, 'run it on an endpoint with faster workers');
      }
      await requireFit(t, { reply: later, state: stateOf(later.json) });
      const found = isOk(later) && stateOf(later.json) === 'completed' && mentions(outputOf(later.json), word);
      t.expect('the job later', 'completed, with its output', describe(later), found);
    },
  },
  {
    id: 'status.while-others-wait',
    title: 'health, status and run respond while runsync, status-sync and stream hold their responses',
    clauses: ['jobs.held-alone'],
    async run(t) {
      const { runsync, statusSync, stream, meanwhile, roundTripMs } = await held(t);
      const holds = (one: Reply): boolean => isOk(one) && took(one) - roundTripMs >= HOLD_MS * 0.9;
      const holding = [runsync, statusSync, stream].filter(holds);
      t.precondition(
        'responses are held',
        'at least one',
        `${took(runsync)}, ${took(statusSync)} and ${took(stream)} ms`,
        holding.length > 0,
      );
      const first = Math.min(...holding.map((one) => one.endMs));
      for (const reply of meanwhile) {
        t.requireOk(reply);
        const early = Math.round(first - reply.endMs);
        const observed = `${early >= 0 ? `${early} ms before` : `${-early} ms after`}`;
        const unread = early > 0 ? null : unreadFor(reply);
        if (unread !== null) t.inconclusive(`${observed}; ${unread}`, 'run it on a less busy machine');
        t.expect(`${reply.request} gets a response`, 'before the first held response', observed, early > 0);
      }
    },
  },
  {
    id: 'runsync.found',
    title: 'status finds the unfinished job of an aborted runsync, and the job completes',
    clauses: ['runsync.wait', 'runsync.job'],
    async run(t) {
      const { runsync, syncJob } = await held(t);
      requireEarly(t, runsync);
      t.precondition(
        'runsync responds before the job ends, with an id',
        'an unfinished state and an id',
        describe(runsync),
        stateOf(runsync.json) !== 'unknown' && syncJob !== null,
        'see runsync.wait',
      );
      if (syncJob === null) return;
      // It may have ended during it, but not for lack of a waiting client.
      const { status } = syncJob;
      const known = isOk(status) && stateOf(status.json) !== 'cancelled';
      t.expect('its status', 'a job that is known and not cancelled', describe(status), known);
    },
  },
  {
    id: 'runsync.job.cancel',
    title: 'cancel finds the unfinished job of an aborted runsync',
    clauses: ['runsync.job'],
    async run(t) {
      const { runsync, syncJob } = await held(t);
      requireEarly(t, runsync);
      const status = syncJob?.status;
      t.precondition(
        'status shows the unfinished job of runsync',
        'an unfinished state',
        status ? describe(status) : 'no job id',
        status !== undefined && isOk(status) && isAlive({ state: stateOf(status.json) }),
        'see runsync.found',
      );
      if (syncJob) t.expectOk(syncJob.cancel);
    },
  },
];
