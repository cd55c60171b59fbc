/** A job from its submission to its end: an output exactly when it is due. */
import type { CheckDefinition } from '../check.ts';
import { lived } from '../fixtures/life.ts';
import { describeOutput } from '../fixtures/quick.ts';
import { hasOutput, isFinal, outputOf } from '../reading/job.ts';
import { mentions } from '../reading/json.ts';
import { describe } from '../target/reply.ts';

export const checks: readonly CheckDefinition[] = [
  {
    id: 'status.output-at-end',
    title: 'The first record with COMPLETED has the output',
    clauses: ['status.envelope'],
    async run(t) {
      for (const ending of ['quick', 'slow'] as const) {
        const { observations } = await lived(t, ending);
        const first = observations.find(({ state }) => state === 'completed');
        t.precondition(
          `the handler of a ${ending} job has an output`,
          'an output at the end',
          first ? describe(first.reply) : 'none',
          observations.some(({ reply }) => hasOutput(reply.json)),
        );
        if (!first) continue;
        t.expect(
          `the first complete record of a ${ending} job`,
          'an output',
          describeOutput(first.reply),
          hasOutput(first.reply.json),
        );
      }
    },
  },
  {
    id: 'status.gap.early-output',
    title: 'Output in a record before the job has ended',
    clauses: ['gap.job-record'],
    async run(t) {
      const { observations, word } = await lived(t, 'slow');
      const early = observations.filter(({ state, reply }) => !isFinal(state) && mentions(outputOf(reply.json), word));
      t.note('responses before the end that show the output', `${early.length} of ${observations.length}`);
    },
  },
];
