/**
 * Submissions that are to be refused, and whether a job came of one all the same. A refusal names no job, so only the
 * endpoint's own counts can show it: on an endpoint nobody else uses, and only where they show a good submission at
 * once.
 */
import { type CheckContext, shared } from '../context.ts';
import { at, isObject, show } from '../reading/json.ts';
import type { JobRequestOptions, JobsClient } from '../target/jobs.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';
import { submit } from './submit.ts';

/** Every job is in one of these. */
const COUNTS = ['inQueue', 'inProgress', 'completed', 'failed'];
const SETTLE_MS = 200;
const JSON_TYPE = { 'content-type': 'application/json' };

const refusals = {
  'run-bad': { id: 'run', body: '{"input": {"echo": ', what: 'the body is cut off', auth: 'own' },
  'run-no-input': { id: 'run', body: '{"other": {}}', what: 'the body has no input', auth: 'own' },
  'runsync-bad': { id: 'runsync', body: '{"input": {"echo": ', what: 'the body is cut off', auth: 'own' },
  'runsync-no-input': { id: 'runsync', body: '{"other": {}}', what: 'the body has no input', auth: 'own' },
  'run-no-key': { id: 'run', body: null, what: 'no credential', auth: 'none' },
  'runsync-no-key': { id: 'runsync', body: null, what: 'no credential', auth: 'none' },
} as const;
type RefusalId = keyof typeof refusals;

interface Refused {
  readonly reply: Reply;
  /** By how many the jobs of the endpoint had become more right after it. */
  readonly more: number;
}

/** How many jobs the endpoint says it has or had, or null where it doesn't say it in the usual words. */
async function jobsOn(jobs: JobsClient): Promise<number | null> {
  const counts = at((await jobs.health()).json, 'jobs');
  if (!isObject(counts)) return null;
  const numbers = COUNTS.map((name) => counts[name]);
  return numbers.every((one) => typeof one === 'number') ? numbers.reduce((sum, one) => sum + Number(one), 0) : null;
}

async function countOn(t: CheckContext, jobs: JobsClient): Promise<number> {
  const count = await jobsOn(jobs);
  if (count !== null) return count;
  return t.inconclusive('health does not count the jobs in the usual words', 'see health.answers.fields');
}

/** The same after a request: a job that moves on while it is counted may count twice, but not for long. */
async function countAfter(t: CheckContext, jobs: JobsClient, before: number): Promise<number> {
  const after = await countOn(t, jobs);
  if (after <= before) return after;
  await t.sleep(SETTLE_MS);
  return Math.min(after, await countOn(t, jobs));
}

/** All of them, one after the other, and a good submission at the end. */
const refusedSubmissions = shared(
  'refused-submissions',
  'ground',
  async (t): Promise<ReadonlyMap<RefusalId, Refused>> => {
    const endpoints = t.target.config.endpoints.filter((one) => one.dedicated);
    const endpoint = endpoints.find((one) => one.workersMax !== 0) ?? endpoints[0];
    const jobs = t.jobs.at(endpoint?.instId ?? '');
    const found = new Map<RefusalId, Refused>();
    let before = await countOn(t, jobs);
    for (const [name, { id, body, what, auth }] of Object.entries(refusals)) {
      if (auth === 'none' && !t.target.hasKey('jobs')) continue;
      const options: JobRequestOptions = { auth, breaks: what, headers: JSON_TYPE };
      const raw = { ...options, body: body ?? JSON.stringify(t.jobs.body({ echo: t.word() })) };
      const reply = await jobs.call(id, raw);
      const after = await countAfter(t, jobs, before);
      if (isRefusal(name)) found.set(name, { reply, more: after - before });
      before = after;
    }
    await submit(t, { echo: t.word() }, jobs);
    const after = await countAfter(t, jobs, before);
    t.ground(
      'the counts of health after a good submission',
      `${before + 1} jobs`,
      show(after),
      after === before + 1,
      'keep other clients off the endpoint; where its counts are delayed, this cannot be observed',
    );
    return found;
  },
);

const isRefusal = (name: string): name is RefusalId => name in refusals;

/** The refusal is the ground, and that nothing came of it is the finding. */
export async function expectNoJob(t: CheckContext, ...names: readonly RefusalId[]): Promise<void> {
  const all = await refusedSubmissions(t);
  for (const name of names) {
    const one = all.get(name);
    if (!one) t.notObservable('a key for interface B (PROOFLOAD_JOB_KEY)');
    const { reply, more } = one;
    const { id, what } = refusals[name];
    const refused = !isOk(reply);
    t.ground(`${id}: ${what}`, 'a refusal', describe(reply), refused);
    t.expect(`jobs made by a refused ${id} (${what})`, 'none', more > 0 ? show(more) : 'none', more <= 0);
  }
}
