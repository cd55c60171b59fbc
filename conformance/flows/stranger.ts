/** Requests to interface B by somebody without a good key, and whether the target minds at all. */
import { type CheckContext, shared } from '../context.ts';
import { describe, type Reply } from '../target/reply.ts';
import type { Authorization } from '../target/target.ts';
import { adopt, firstRun } from './submit.ts';

/** Which 4xx it is, is the service's affair: some hide from strangers that there is such a job at all. */
export const isRefused = ({ status }: Reply): boolean => status >= 400 && status < 500;

/** A key that nobody was given, as long as keys usually are. */
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
  if (!isRefused(both.run) && !isRefused(both.status)) {
    t.notObservable('a service that requires a key on interface B');
  }
  return both;
}

/** Refused for the key: the same with the own key was answered. */
export function expectRefused(t: CheckContext, reply: Reply): boolean {
  return t.expect(`${reply.request} with an unknown key`, 'a status 4xx', describe(reply), isRefused(reply));
}
