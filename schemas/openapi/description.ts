/** An operation in words: its clauses by level, each with its id. */
import { clauses } from '../clauses/index.ts';
import type { DocumentedOperationId } from '../operations.ts';
import type { Level } from '../verdicts.ts';

const HEADS: readonly (readonly [Level, string])[] = [
  ['documented', 'Documented:'],
  ['convention', 'Convention, on which clients depend:'],
  ['observed', 'Left open:'],
];

/** Markdown: one list for each level that the operation has clauses of. */
export function operationText(id: DocumentedOperationId): string {
  const own = clauses.filter((one) => one.operations?.includes(id));
  return HEADS.flatMap(([level, head]) => {
    const lines = own.filter((one) => one.level === level).map((one) => `- ${one.text} (\`${one.id}\`)`);
    return lines.length > 0 ? [[head, '', ...lines].join('\n')] : [];
  }).join('\n\n');
}
