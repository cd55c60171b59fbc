/**
 * What a run of the contract checks sends at most, known before anything is sent. Measured for each check alone
 * (costs.json, by `npm run costs`), with shared results counted once; doubled, because a slower target gets more status
 * requests until its jobs are done.
 */
import type { Profile } from '../../schemas/target.ts';
import { longestTemplate } from '../../schemas/workloads.ts';
import type { Check } from '../check.ts';
import { missing } from '../needs.ts';
import type { Announced, Part, Share } from '../target/allowance.ts';
import type { Target } from '../target/target.ts';
import table from './costs.json' with { type: 'json' };

/** How many times what was measured. */
export const SLOWER_TARGET = 2;
/** For a clean-up that is refused, and a status request for its job. */
const PER_CLEAN_UP = 2;
/** For a check whose cost has not been measured yet. */
const UNKNOWN: Row = { requests: 20, bytes: 20_000, cleanUps: 2, shared: [] };

export interface Row extends Share {
  /** Places in the list of shared things. */
  readonly shared: readonly number[];
}

export const shared: readonly Share[] = table.shared;
export const costs: ReadonlyMap<string, Row> = new Map(Object.entries(table.checks));

/** What these checks send at most, each measured alone and shared things once. */
export function measured(ids: readonly string[]): Share {
  const rows = ids.map((id) => costs.get(id) ?? UNKNOWN);
  const things = new Set(rows.flatMap((row) => row.shared));
  return sum([...rows, ...[...things].flatMap((index) => shared[index] ?? [])]);
}

function sum(parts: readonly Share[]): Share {
  const total = (what: keyof Share): number => parts.reduce((all, part) => all + part[what], 0);
  return { requests: total('requests'), bytes: total('bytes'), cleanUps: total('cleanUps') };
}

/** The checks that the target and the profile allow. */
const sentIds = (checks: readonly Check[], target: Target, profile: Profile): string[] =>
  checks.filter((one) => missing(one, target, profile) === null).map(({ id }) => id);

/** What of an announcement is for which check: a shared thing for all that use it, and kept for the first of them. */
export function partsOf(checks: readonly Check[], target: Target, profile: Profile): ReadonlyMap<string, Part> {
  const taken = new Set<number>();
  const parts = sentIds(checks, target, profile).map((id): [string, Part] => {
    const row = costs.get(id) ?? UNKNOWN;
    const all = sum([row, ...row.shared.flatMap((index) => shared[index] ?? [])]);
    const first = row.shared.filter((index) => !taken.has(index));
    for (const index of first) taken.add(index);
    const kept = sum([row, ...first.flatMap((index) => shared[index] ?? [])]);
    return [id, { most: all.requests * SLOWER_TARGET, kept: kept.requests }];
  });
  return new Map(parts);
}

/** What is announced for the contract checks of a run: those that the target and the profile allow. */
export function announced(checks: readonly Check[], target: Target, profile: Profile): Announced {
  const { requests, bytes, cleanUps } = measured(sentIds(checks, target, profile));
  const reserve = cleanUps * PER_CLEAN_UP;
  const most = requests * SLOWER_TARGET + reserve;
  return { requests: most, bytes: bytes * SLOWER_TARGET + most * longestTemplate(target.config.workloads), reserve };
}
