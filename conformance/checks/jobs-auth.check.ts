/**
 * Interface B without a good key. That it requires one is not documented; where it does, the status of the refusal is
 * what a client reports to its user.
 */
import { type DocumentedOperationId, isSubmitting } from '../../schemas/operations.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { canonical } from '../fixtures/canonical.ts';
import { quickJob } from '../fixtures/quick.ts';
import { expectNoJob } from '../fixtures/refused.ts';
import { attempt, expectRefused, expectUntouched, isRefused, needsKey, wrongKey } from '../fixtures/untouched.ts';
import { bearer, changed, longer, otherCase, shorter } from '../target/credentials.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';
import type { Authorization } from '../target/target.ts';

const needs = ['jobs-key'] as const;
const KEY = 'a key for interface B (PROOFLOAD_JOB_KEY)';
const NO_KEY = 401;

/** Without health, which may be public, and purge-queue, which has a check of its own. */
const ASKED: readonly DocumentedOperationId[] = ['run', 'runsync', 'status', 'status-sync', 'stream', 'requests'];

/** Two forms of the own key are in use, in addition to the usual one. */
const GOOD: readonly Authorization[] = ['bare', 'lower-case'];

async function send(t: CheckContext, id: DocumentedOperationId, auth: Authorization): Promise<Reply> {
  const job = await quickJob(t);
  t.requireAnswer(id, await canonical(t, id));
  const body = isSubmitting(id) ? t.jobs.body({ echo: t.word() }) : undefined;
  const breaks = GOOD.includes(auth) ? {} : { breaks: 'the credential' };
  return t.jobs.call(id, { auth, jobId: job.id, ...breaks }, body);
}

const keyless = ASKED.map(
  (id): CheckDefinition => ({
    id: `${id}.auth.missing`,
    title: `${id} rejects a request without a key where interface B requires one`,
    clauses: ['jobs.key-everywhere'],
    needs,
    async run(t) {
      const known = await needsKey(t);
      expectRefused(t, id === 'run' || id === 'status' ? known[id] : await send(t, id, 'none'), NONE);
    },
  }),
);

const UNKNOWN = 'with an unknown key';
const NONE = 'without a key';

/** The right key with a small change, which a lenient comparison takes. */
const NEARLY = {
  'with the key changed in one character': changed,
  'with the key and one character more': longer,
  'with the key but its last character': shorter,
  'with the key in the other letter case': otherCase,
};

// So few requests may list that the missing key has to do there.
const wrong = ASKED.filter((id) => id !== 'requests').map(
  (id): CheckDefinition => ({
    id: `${id}.auth.wrong-key`,
    title: `${id} rejects unknown keys, and nearly right ones, where interface B requires one`,
    clauses: ['jobs.key-everywhere'],
    needs,
    async run(t) {
      await needsKey(t);
      expectRefused(t, await send(t, id, wrongKey(t)), UNKNOWN);
      for (const [how, make] of Object.entries(NEARLY)) {
        const auth = t.target.credentialLike('jobs', (key) => bearer(make(key)));
        if (auth !== null) expectRefused(t, await send(t, id, auth), how);
      }
    },
  }),
);

export const checks: readonly CheckDefinition[] = [
  ...keyless,
  ...wrong,
  {
    id: 'purge-queue.auth.missing',
    title: 'purge-queue rejects a request without a key where interface B requires one',
    clauses: ['jobs.key-everywhere'],
    // Its budget is two requests, which other checks have spent.
    needs: ['jobs-key', 'dedicated', 'patience'],
    // Where it is served, it takes the jobs of other checks with it.
    last: true,
    async run(t) {
      await needsKey(t);
      expectRefused(t, await t.jobs.call('purge-queue', { auth: 'none', breaks: 'the credential' }), NONE);
    },
  },
  {
    id: 'cancel.auth.missing',
    title: 'cancel rejects a request without a key where interface B requires one',
    clauses: ['jobs.key-everywhere'],
    needs,
    async run(t) {
      await needsKey(t);
      expectRefused(t, (await attempt(t, 'no-key', KEY)).reply, NONE);
      expectRefused(t, (await attempt(t, 'wrong-key', KEY)).reply, UNKNOWN);
    },
  },
  ...(['no-key', 'wrong-key'] as const).map(
    (name): CheckDefinition => ({
      id: `cancel.auth.${name}.no-effect`,
      title: `A cancel rejected for ${name === 'no-key' ? 'a missing' : 'a wrong'} key does not affect the job`,
      clauses: ['jobs.refused-without-effect'],
      needs,
      async run(t) {
        await needsKey(t);
        const made = await attempt(t, name, KEY);
        const observed = describe(made.reply);
        t.precondition(made.reply.request, 'a refusal', observed, isRefused(made.reply));
        expectUntouched(t, made);
      },
    }),
  ),
  ...(['run', 'runsync'] as const).map(
    (id): CheckDefinition => ({
      id: `${id}.auth.no-job`,
      title: `A submission to ${id} without a key creates no job`,
      clauses: ['jobs.refused-without-effect'],
      needs: ['jobs-key', 'dedicated'],
      alone: true,
      async run(t) {
        await needsKey(t);
        await expectNoJob(t, `${id}-no-key`);
      },
    }),
  ),
  {
    id: 'run.auth.status',
    title: 'A submission without a key, or with a wrong one, is rejected with 401 where interface B requires one',
    clauses: ['jobs.status-401'],
    needs,
    async run(t) {
      const { run } = await needsKey(t);
      for (const reply of [run, await send(t, 'run', wrongKey(t))]) {
        t.precondition(reply.request, 'a refusal', describe(reply), !isOk(reply));
        t.expectStatus(reply, NO_KEY);
      }
    },
  },
  {
    id: 'status.auth.forms',
    title: 'Forms in which interface B accepts a key, and its response to others',
    clauses: ['gap.jobs-auth'],
    needs,
    async run(t) {
      const { status } = await needsKey(t);
      t.note('no key', describe(status));
      t.note('www-authenticate', status.headers['www-authenticate'] ?? 'none');
      t.note('the key without a scheme', describe(await send(t, 'status', 'bare')));
      t.note('the scheme in lower case', describe(await send(t, 'status', 'lower-case')));
      for (const scheme of ['Basic', 'Token']) {
        const auth = t.target.credentialLike('jobs', (key) => `${scheme} ${key}`);
        if (auth) t.note(`the key as ${scheme}`, describe(await send(t, 'status', auth)));
      }
      t.note('Bearer with no key after it', describe(await send(t, 'status', { header: 'Bearer' })));
    },
  },
];
