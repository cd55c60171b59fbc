/** All clauses in the order of the documentation, the conventions last. */
import type { Clause } from './clause.ts';
import { completionConventions } from './conventions-completions.ts';
import { inferenceConventions } from './conventions-inference.ts';
import { jobsConventions } from './conventions-jobs.ts';
import { jobLife } from './job-life.ts';
import { jobsAccess } from './jobs-access.ts';
import { part1 } from './part1.ts';
import { part2 } from './part2.ts';
import { part3 } from './part3.ts';
import { part4 } from './part4.ts';
import { part5 } from './part5.ts';
import { part6 } from './part6.ts';
import { part7 } from './part7.ts';
import { part8 } from './part8.ts';
import { part9 } from './part9.ts';

export type { Clause } from './clause.ts';

export const clauses: readonly Clause[] = [
  ...part1,
  ...part2,
  ...part3,
  ...part4,
  ...part5,
  ...part6,
  ...part7,
  ...part8,
  ...part9,
  ...inferenceConventions,
  ...completionConventions,
  ...jobsConventions,
  ...jobLife,
  ...jobsAccess,
];

const byId = new Map(clauses.map((one) => [one.id, one]));

/** The clause with this id, or undefined. */
export function clauseById(id: string): Clause | undefined {
  return byId.get(id);
}
