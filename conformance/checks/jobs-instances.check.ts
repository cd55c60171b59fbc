/** Instances that do not exist: odd names, and names that are nearly right. */
import type { CheckDefinition } from '../check.ts';
import { quickJob } from '../fixtures/quick.ts';
import { expectTurnedAway, oddIds, wrongName } from '../fixtures/untouched.ts';

const clauses = ['jobs.unknown-instance'];

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
];
