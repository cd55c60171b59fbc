/** The row of the limits table that facts are about. */
import type { Limit, LimitTable } from '../../schemas/limits.ts';

/** Throws where the table has none of that kind, which the facts are about. */
export function limitRow<K extends Limit['kind']>(id: string, kind: K, table: LimitTable): Extract<Limit, { kind: K }> {
  const found = table.of(kind).find((one) => one.id === id);
  if (!found) throw new Error(`facts name the limit '${id}', which the limits table does not have`);
  return found;
}
