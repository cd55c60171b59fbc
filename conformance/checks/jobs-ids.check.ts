/** Ids that do not exist: instances, and job ids that were never issued, odd ones and nearly right ones. */
import { operation } from '../../schemas/operations.ts';
import type { CheckDefinition } from '../check.ts';
import { requireKnown, UNKNOWN_JOB } from '../fixtures/known.ts';
import { quickJob } from '../fixtures/quick.ts';
import { attempt, expectTurnedAway, expectUntouched, oddIds, shortened, wrongName } from '../fixtures/untouched.ts';
import { describe, durationOf, isOk } from '../target/reply.ts';

const clauses = ['jobs.unknown-instance'];

/** What a client waits for an answer. */
const PROMPT_MS = 10_000;
const LONG_ID = 'job ids of sixteen characters or more with letters in them';

const oddOfStatus = oddIds.map(
  ({ aspect, what, id }): CheckDefinition => ({
    id: `status.odd-id.${aspect}`,
    title: `status rejects a job id of ${what}`,
    clauses: ['jobs.unknown-job'],
    async run(t) {
      await requireKnown(t, 'status');
      for (const method of operation('status').methods) {
        expectTurnedAway(
          t,
          `${method} status with ${what} for an id`,
          await t.jobs.call('status', { method, jobId: id, ...wrongName(id) }),
        );
      }
    },
  }),
);

const oddOfOthers = (['status-sync', 'stream', 'cancel'] as const).map(
  (operationId): CheckDefinition => ({
    id: `${operationId}.odd-ids`,
    title: `${operationId} rejects malformed job ids`,
    clauses: ['jobs.unknown-job'],
    async run(t) {
      await requireKnown(t, operationId);
      for (const { what, id } of oddIds.filter(({ first }) => operationId !== 'cancel' || first)) {
        expectTurnedAway(
          t,
          `${operationId} with ${what} for an id`,
          await t.jobs.call(operationId, { jobId: id, ...wrongName(id) }),
        );
      }
    },
  }),
);

const prompt = (['status-sync', 'stream'] as const).map(
  (id): CheckDefinition => ({
    id: `${id}.unknown-job.prompt`,
    title: `${id} of an unknown job responds at once`,
    clauses: ['jobs.unknown-at-once'],
    async run(t) {
      await requireKnown(t, id);
      const reply = await t.jobs.call(id, { jobId: UNKNOWN_JOB });
      t.precondition(reply.request, 'a refusal', describe(reply), !isOk(reply));
      const tookMs = Math.round(durationOf(reply));
      t.expect('an answer', `a response within ${PROMPT_MS / 1000} s`, `after ${tookMs} ms`, tookMs < PROMPT_MS);
    },
  }),
);

export const checks: readonly CheckDefinition[] = [
  {
    id: 'health.odd-instances',
    title: 'health rejects malformed instance names',
    clauses,
    async run(t) {
      t.requireAnswer('health', await t.jobs.health());
      for (const { what, id } of oddIds) {
        expectTurnedAway(
          t,
          `health of an instance named ${what}`,
          await t.jobs.call('health', { instId: id, ...wrongName(id) }),
        );
      }
    },
  },
  {
    id: 'run.odd-instances',
    title: 'run rejects malformed instance names',
    clauses,
    async run(t) {
      await quickJob(t);
      for (const { what, id, readOnly = false } of oddIds) {
        if (readOnly) continue;
        const reply = await t.jobs.run({ echo: t.word() }, { instId: id, ...wrongName(id) });
        expectTurnedAway(t, `run on an instance named ${what}`, reply);
      }
    },
  },
  {
    id: 'health.near-instance',
    title: 'An instance is not found under its name with extra characters',
    clauses,
    async run(t) {
      t.requireAnswer('health', await t.jobs.health());
      const reply = await t.jobs.call('health', { instId: `${t.endpoint.instId}-x` });
      expectTurnedAway(t, 'health under a longer name', reply);
    },
  },
  {
    id: 'health.gap.instance-names',
    title: 'Letter case and encoding of instance names',
    clauses: ['gap.instance-format'],
    async run(t) {
      t.requireAnswer('health', await t.jobs.health());
      const { instId } = t.endpoint;
      t.note('characters of the name', instId.replaceAll(/[a-z]/gi, 'a').replaceAll(/\d/g, '0'));
      const upper = await t.jobs.call('health', { instId: instId.toUpperCase() });
      t.note('in upper case', String(upper.status));
    },
  },
  ...oddOfStatus,
  ...oddOfOthers,
  ...prompt,
  {
    id: 'status.near-id.longer',
    title: 'A job is not found under its id with an extra character',
    clauses: ['jobs.unknown-job'],
    run: async (t) =>
      expectTurnedAway(t, 'the id and an x', await t.jobs.status(`${await requireKnown(t, 'status')}x`)),
  },
  {
    id: 'status.near-id.shorter',
    title: 'A job is not found under a prefix of its id',
    clauses: ['jobs.unknown-job'],
    async run(t) {
      const id = shortened(await requireKnown(t, 'status')) ?? t.notObservable(LONG_ID);
      expectTurnedAway(t, 'the id without its last character', await t.jobs.status(id));
    },
  },
  ...(['longer-id', 'shorter-id'] as const).map(
    (name): CheckDefinition => ({
      id: `cancel.near-id.${name === 'longer-id' ? 'longer' : 'shorter'}`,
      title: `cancel of ${name === 'longer-id' ? 'a longer id' : 'a prefix of an id'} does not affect the job`,
      clauses: ['jobs.unknown-job'],
      async run(t) {
        const made = await attempt(t, name, LONG_ID);
        expectTurnedAway(t, made.reply.request, made.reply);
        expectUntouched(t, made);
      },
    }),
  ),
];
