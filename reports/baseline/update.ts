/**
 * What `--update-baseline` changes, as data: only what this run observed. Entries of other targets and of checks that
 * were skipped, inconclusive or broken on our side stay as they are; so does an entry whose target is a pattern, when
 * its check passes here, because it may still be true elsewhere. No date is ever moved and no reason touched.
 */
import { type BaselineEntry, expectable } from '../../schemas/baseline.ts';
import type { ResultCheck } from '../../schemas/results.ts';
import type { TargetConfig } from '../../schemas/target.ts';
import { appliesTo, isGlob, targetNameFor } from './apply.ts';
import { PLACEHOLDER, type ReadEntry } from './baseline.ts';

export interface Changes {
  readonly added: readonly BaselineEntry[];
  /** By the index of the entry in the file. */
  readonly seen: readonly { readonly index: number; readonly fields: Partial<BaselineEntry> }[];
  readonly removed: readonly number[];
}

/** Compares the entries with the verdicts of this run, before any of them is turned into `known`. */
export function changesFor(
  entries: readonly ReadEntry[],
  checks: readonly Pick<ResultCheck, 'id' | 'verdict'>[],
  { target, today }: { readonly target: TargetConfig; readonly today: string },
): Changes {
  const verdicts = new Map(checks.map((check) => [check.id, check.verdict]));
  const here = entries.flatMap((entry, index) => (appliesTo(entry.target, target) ? [{ entry, index }] : []));
  const listed = new Set(here.map(({ entry }) => entry.check));
  const added = checks.flatMap(({ id, verdict }) => {
    const expect = expectable.find((one) => one === verdict);
    if (expect === undefined || listed.has(id)) return [];
    const reason = PLACEHOLDER;
    return [{ check: id, target: targetNameFor(id, target), expect, reason, firstSeen: today, lastSeen: today }];
  });
  const seen = here.flatMap(({ entry, index }) => {
    const expect = expectable.find((one) => one === verdicts.get(entry.check));
    if (expect === undefined) return [];
    const fields = {
      ...(entry.expect === expect ? {} : { expect }),
      ...(entry.firstSeen === undefined ? { firstSeen: today } : {}),
      ...(entry.lastSeen === today ? {} : { lastSeen: today }),
    };
    return Object.keys(fields).length > 0 ? [{ index, fields }] : [];
  });
  const removed = here.flatMap(({ entry, index }) => {
    const verdict = verdicts.get(entry.check);
    const over = (verdict === 'pass' || verdict === 'observed') && !entry.flaky && !isGlob(entry.target);
    return over ? [index] : [];
  });
  return { added, seen, removed };
}
