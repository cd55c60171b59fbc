/** Groups checks by what they are about: the first segment of a check id, an operation wherever it names one. */
import { type Operation, operations } from '../schemas/operations.ts';
import type { ResultCheck } from '../schemas/results.ts';

export interface Subject {
  readonly subject: string;
  /** The operation of that name; checks about several operations, like `inference`, have none. */
  readonly operation: Operation | undefined;
  readonly checks: readonly ResultCheck[];
}

/** Groups in the order of the operations table, then the others in the order in which they first appear. */
export function subjectsOf(checks: readonly ResultCheck[]): Subject[] {
  const groups = new Map<string, ResultCheck[]>();
  for (const check of checks) {
    const subject = check.id.split('.')[0] ?? check.id;
    groups.set(subject, [...(groups.get(subject) ?? []), check]);
  }
  const place = (subject: string): number => {
    const index = operations.findIndex((one) => one.id === subject);
    return index < 0 ? operations.length : index;
  };
  return [...groups]
    .map(([subject, own]) => ({ subject, operation: operations.find((one) => one.id === subject), checks: own }))
    .sort((a, b) => place(a.subject) - place(b.subject));
}
