/**
 * requests: a list of requests, in which a job of ours is found. Its limits are small, so most checks share a listing.
 */
import { at, saysSomething, show } from '../../schemas/json.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { canonical } from '../fixtures/canonical.ts';
import { purgeInTime } from '../fixtures/purge.ts';
import { runningJob } from '../fixtures/queue.ts';
import { isListed, listIn, rowsOf } from '../reading/listing.ts';
import { describe, type Reply } from '../target/reply.ts';

/** The list is read while the endpoint is purged, which would remove the jobs of other checks. */
const alone = true;
const SLOW_MS = 30_000;

interface Listing {
  readonly reply: Reply;
  readonly instId: string;
  /** A job that was unfinished while the list was made. */
  readonly jobId: string;
}

/** On a dedicated endpoint, one reading serves all checks: the rate limit of the list is small. */
async function listing(t: CheckContext): Promise<Listing> {
  const ours = t.target.config.endpoints.some((one) => one.dedicated && one.workersMax === 1);
  if (ours) {
    const { before, ids, instId } = await purgeInTime(t);
    const [jobId] = ids.running;
    return jobId === undefined
      ? t.notObservable('a worker for a running job')
      : { reply: before.requests, instId, jobId };
  }
  return t.shared('requests', async (own) => {
    await own.room('requests', 1);
    const job = await runningJob(own, SLOW_MS);
    return { reply: await own.jobs.requests(), instId: own.endpoint.instId, jobId: job.id };
  });
}

/** A list that has only some of the jobs that ended is one page of several, on which the newest need not be. */
function requireWhole(t: CheckContext, reply: Reply, instId: string): void {
  const ended = t.target.answers.jobs.ended(instId);
  const there = ended.filter((id) => isListed(reply, id));
  t.precondition(
    'the list is not cut off',
    'all run jobs of this run that ended, or none',
    `${there.length} of ${ended.length}`,
    there.length === 0 || there.length === ended.length,
    'use an endpoint with few requests in its history',
  );
}

/**
 * A list may rightly be empty; then only that nonsense is answered otherwise shows that the question was understood.
 */
async function requireDistinct(t: CheckContext, reply: Reply): Promise<void> {
  const path = `/api/v1/sl/${encodeURIComponent(t.endpoint.instId)}/no-such-operation`;
  const nonsense = await t.jobs.path('GET', path, { breaks: 'the path' });
  t.precondition(
    'requests differs from an operation that does not exist',
    'two different answers',
    `twice ${describe(reply)}`,
    nonsense.status !== reply.status || nonsense.text !== reply.text,
  );
}

export const checks: readonly CheckDefinition[] = [
  {
    id: 'requests.route',
    title: 'GET requests returns 2xx',
    clauses: ['requests.route', 'jobs.operations'],
    async run(t) {
      const reply = await canonical(t, 'requests');
      t.expectAnswered('requests', reply);
      await requireDistinct(t, reply);
    },
  },
  {
    id: 'requests.list',
    title: 'requests returns a list',
    clauses: ['requests.list'],
    async run(t) {
      const reply = await canonical(t, 'requests');
      t.requireOk(reply, 'assertion');
      t.expectContent('requests', reply);
      await requireDistinct(t, reply);
    },
  },
  {
    id: 'requests.not-empty',
    title: 'requests lists at least one job while a job is unfinished',
    clauses: ['requests.list'],
    alone,
    async run(t) {
      const { reply, jobId } = await listing(t);
      t.requireOk(reply, 'assertion');
      const holds = isListed(reply, jobId) || listIn(reply.json)?.some(saysSomething) === true;
      t.expect('requests while a job of this run is running', 'at least one', describe(reply), holds);
    },
  },
  {
    id: 'requests.own',
    title: 'requests lists a running job',
    clauses: ['requests.list', 'requests.own'],
    alone,
    async run(t) {
      const { reply, instId, jobId } = await listing(t);
      t.requireOk(reply);
      const listed = isListed(reply, jobId);
      if (!listed) requireWhole(t, reply, instId);
      t.expect('the id of the running job', 'in the list', describe(reply), listed);
    },
  },
  {
    id: 'requests.state',
    title: 'requests lists a running job as running',
    clauses: ['requests.envelope', 'jobs.states'],
    alone,
    async run(t) {
      const { reply, jobId } = await listing(t);
      t.requireOk(reply);
      const [own] = rowsOf(reply.json, jobId);
      t.precondition('the job is listed', jobId, describe(reply), own !== undefined);
      t.expect('its status', 'IN_PROGRESS', show(at(own, 'status')), at(own, 'status') === 'IN_PROGRESS');
    },
  },
];
