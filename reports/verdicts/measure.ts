/**
 * The limit that is really enforced, from the facts of one probe: a point when the evidence allows, else an interval.
 * Nothing here says whether that is right.
 */
import type { Limit, LimitTable } from '../../schemas/limits.ts';

/** Throws where the table has none of that kind, which the facts are about. */
export function limitRow<K extends Limit['kind']>(id: string, kind: K, table: LimitTable): Extract<Limit, { kind: K }> {
  const found = table.of(kind).find((one) => one.id === id);
  if (!found) throw new Error(`facts name the limit '${id}', which the limits table does not have`);
  return found;
}

/** `lower` equals `upper` for a point; `upper` is null when no bound was found. Units are the limit's own. */
export interface Measured {
  readonly lower: number;
  readonly upper: number | null;
  /** Of a rate: its window, where it is not the documented one, ms. */
  readonly windowMs?: number;
}

/** Of several measurements of one limit the one that says most: a point before an interval, a bound before none. */
export function narrowest(all: readonly (Measured | null)[]): Measured | null {
  const width = (one: Measured) => (one.upper === null ? Infinity : one.upper - one.lower);
  const known = all.filter((one): one is Measured => one !== null);
  return known.sort((a, b) => width(a) - width(b) || b.lower - a.lower)[0] ?? null;
}

/**
 * The probe with the narrowest measurement, of those of one limit: it is retried where the first time left something
 * open.
 */
export function closest<F>(probes: readonly F[], measure: (facts: F) => Measured | null): F | undefined {
  const best = narrowest(probes.map(measure));
  const as = (one: F) => {
    const measured = measure(one);
    return measured?.lower === best?.lower && measured?.upper === best?.upper;
  };
  return probes.findLast(as);
}
