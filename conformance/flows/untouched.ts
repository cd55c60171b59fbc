/**
 * Requests that must leave jobs alone: with ids that no job has, of strangers, and those that sound like the cancel of a
 * job that is not over yet and are none. After each of the last it is looked whether the job goes on; at the end a real
 * cancel shows that this would have been seen.
 */
import { type CheckContext, shared } from '../context.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';
import type { Authorization } from '../target/target.ts';
import { adopt, firstRun, poll, type Seen, type Submitted, stateIs, submitSlow } from './submit.ts';

// Names that no job and no instance has and that a careless service stumbles over. None of them is an
// attack: where one were understood after all, nothing would be lost.

const LONG = 2000;

interface OddId {
  readonly aspect: string;
  readonly what: string;
  /** Before it is percent-encoded for the path. */
  readonly id: string;
  /** Only where looking is all that can come of it. */
  readonly readOnly?: true;
  /** One of the few for an operation with a small budget. */
  readonly first?: true;
}

export const oddIds: readonly OddId[] = [
  { aspect: 'empty', what: 'nothing', id: '' },
  { aspect: 'space', what: 'a space', id: ' ' },
  { aspect: 'slashes', what: 'percent-encoded slashes', id: 'no/such/one', first: true },
  { aspect: 'dots', what: '../ segments', id: 'no/../../../such', readOnly: true },
  { aspect: 'long', what: `${LONG} characters`, id: 'x'.repeat(LONG) },
  { aspect: 'unicode', what: 'letters of other scripts', id: 'żółć-漢字-🙂', first: true },
  { aspect: 'quotes', what: 'quotation marks', id: `it's "one" \`more\``, first: true },
  { aspect: 'nul', what: 'a NUL', id: 'no\u0000such', first: true },
  { aspect: 'line-break', what: 'a line break', id: 'no\r\nsuch: one' },
  { aspect: 'percent', what: 'a percent sign', id: '%', readOnly: true },
  { aspect: 'star', what: 'a star', id: '*', readOnly: true },
];

/** The option that such a request needs: only an empty name is wrong by what is known of names. */
export const wrongName = (id: string): { readonly breaks?: string } => (id === '' ? { breaks: 'the path' } : {});

/** Turned away cleanly: not served as if there were such a thing, and without a breakdown. */
export function expectTurnedAway(t: CheckContext, what: string, reply: Reply): void {
  const holds = reply.status >= 300 && reply.status < 500;
  t.expect(what, 'rejected with a 4xx', describe(reply), holds);
}

/** An id that is too short for it may be somebody's when a character is gone. */
const TELLING = 16;

/** The same id without its last character, where that can't be another job's; else null. */
export const shortened = (id: string): string | null =>
  id.length >= TELLING && /[a-z]/i.test(id) ? id.slice(0, -1) : null;

/** Which 4xx it is, is the service's affair: some hide from strangers that there is such a job at all. */
export const isRefused = ({ status }: Reply): boolean => status >= 400 && status < 500;

/** A key of no account, as long as keys usually are. */
export const wrongKey = (t: CheckContext): Authorization => ({ header: `Bearer ${t.word()}` });

interface Strangers {
  readonly run: Reply;
  readonly status: Reply;
}

/** run and status without a credential, for a job that the own key has submitted. */
const strangers = shared('strangers', 'ground', async (t): Promise<Strangers> => {
  const reply = await firstRun(t);
  const { id } = adopt(t, reply);
  t.requireOk(await t.jobs.status(id));
  const run = await t.jobs.call('run', keyless, t.jobs.body({ echo: t.word() }));
  return { run, status: await t.jobs.call('status', { ...keyless, jobId: id }) };
});

const keyless = { auth: 'none', breaks: 'no credential' } as const;

/** Nobody has promised that interface B asks for a key. Where neither of these needs one, nothing else is asked. */
export async function needsKey(t: CheckContext): Promise<Strangers> {
  const both = await strangers(t);
  const replies = [both.run, both.status];
  if (replies.some(isRefused)) return both;
  for (const reply of replies)
    t.ground(`${reply.request} without a key is served or refused`, 'a 2xx or 4xx', describe(reply), isOk(reply));
  return t.notObservable('a service that requires a key on interface B');
}

/** Refused for the key: the same with the own key was answered. */
export function expectRefused(t: CheckContext, reply: Reply): boolean {
  return t.expect(`${reply.request} with an unknown key`, 'a status 4xx', describe(reply), isRefused(reply));
}

/** Longer than all the attempts together. */
const JOB_MS = 30_000;
const SETTLE_MS = 100;
/** A real cancel may take a while to show. */
const CANCELLED_MS = 5000;

type Send = (t: CheckContext, job: Submitted) => Promise<Reply> | null;

const attempts = {
  'no-key': (t, { id }) =>
    t.target.hasKey('jobs') ? t.jobs.call('cancel', { auth: 'none', jobId: id, breaks: 'no credential' }) : null,
  'wrong-key': (t, { id }) =>
    t.target.hasKey('jobs') ? t.jobs.call('cancel', { auth: wrongKey(t), jobId: id, breaks: 'the key' }) : null,
  'longer-id': (t, { id }) => t.jobs.cancel(`${id}x`),
  'shorter-id': (t, { id }) => {
    const shorter = shortened(id);
    return shorter === null ? null : t.jobs.cancel(shorter);
  },
  // The last one: a service may have GET for a cancel too.
  get: (t, { id }) => t.jobs.call('cancel', { method: 'GET', jobId: id, breaks: 'the method' }),
} satisfies Record<string, Send>;
type AttemptId = keyof typeof attempts;

interface Attempted {
  readonly reply: Reply;
  /** The job afterwards. */
  readonly seen: Seen;
}

const alive = stateIs('queued', 'running');

/** @throws Inconclusive where the job is not seen waiting or running. */
async function liveJob(t: CheckContext): Promise<Submitted> {
  const job = await submitSlow(t, { delay_ms: JOB_MS, echo: t.word() });
  const seen = await poll(t, job, () => true);
  t.ground(
    `a job of ${JOB_MS} ms has not ended immediately`,
    'a state that means queued or running',
    describe(seen.reply),
    alive(seen),
    'deploy a handler that waits input.delay_ms',
  );
  return job;
}

async function look(t: CheckContext, job: Submitted): Promise<Seen> {
  await t.sleep(SETTLE_MS);
  return poll(t, job, () => true);
}

const attempted = shared('no-cancels', 'ground', async (t): Promise<ReadonlyMap<AttemptId, Attempted>> => {
  const found = new Map<AttemptId, Attempted>();
  let job = await liveJob(t);
  for (const name of ids) {
    const reply = await attempts[name](t, job);
    if (!reply) continue;
    const seen = await look(t, job);
    found.set(name, { reply, seen });
    if (isOk(reply) || !alive(seen)) job = await liveJob(t);
  }
  await t.jobs.cancel(job.id);
  const seen = await poll(t, job, (one) => !alive(one), CANCELLED_MS);
  t.ground('the same job after a valid cancel', 'no longer queued or running', describe(seen.reply), !alive(seen));
  return found;
});

const isAttempt = (name: string): name is AttemptId => name in attempts;
const ids = Object.keys(attempts).filter(isAttempt);

/** What an attempt was answered and did; `needs` says what a target must have for it to be made. */
export async function attempt(t: CheckContext, name: AttemptId, needs: string): Promise<Attempted> {
  return (await attempted(t)).get(name) ?? t.notObservable(needs);
}

/** The job goes on after it. */
export function expectUntouched(t: CheckContext, { reply, seen }: Attempted): void {
  t.expect(`the job after ${reply.request}`, 'not cancelled', describe(seen.reply), alive(seen));
}
