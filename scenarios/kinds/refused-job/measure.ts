/** Ledger of the probe for jobs of refused bodies -> facts: what could show a job there, and what it showed after each. */
import type { RefusedJobFacts } from '../../../schemas/facts.ts';
import type { Ledger } from '../../../schemas/ledger.ts';
import type { LedgerRow } from '../../../schemas/ledger-rows.ts';
import { isSuccess } from '../../../schemas/status.ts';
import { generatorHealth } from '../../analysis/health.ts';
import type { RefusedJobParameters } from '../../probe.ts';
import { decodeSight, decodeSize } from '../payload/send/note.ts';
import { payloadOutcome } from '../payload/send/outcome.ts';

export function analyseRefusedJobs(parameters: RefusedJobParameters, ledger: Ledger, planned: number): RefusedJobFacts {
  const { entries } = ledger;
  const ordinaryId = idOf(entries.find(({ phase, operation }) => phase === 'ordinary' && operation === 'run'));
  const [first, second, last] = listsOf(entries);
  const listed = ordinaryId !== null && (second?.includes(ordinaryId) ?? false);
  return {
    kind: 'refused-job',
    instId: parameters.instId,
    counted: ordinaryCounted(entries),
    listed,
    rounds: roundsOf(parameters, entries),
    strangers: listed && first && second && last ? strangersIn(first, second, last, ordinaryId) : null,
    health: generatorHealth(ledger, planned),
  };
}

const idOf = (entry: LedgerRow | undefined): string | null => (entry && decodeSize(entry.note)?.seen?.id) ?? null;

function listsOf(entries: readonly LedgerRow[]): (readonly string[])[] {
  return entries.flatMap(({ note }) => {
    const ids = decodeSight(note)?.ids;
    return ids ? [ids] : [];
  });
}

const jobsOf = ({ note }: LedgerRow): number | null => decodeSight(note)?.jobs ?? null;

/**
 * Whether the ordinary job made health count exactly one more, so that its counts are of ours alone, and to the end, so
 * that they are not only of jobs that still wait or run.
 */
function ordinaryCounted(entries: readonly LedgerRow[]): boolean {
  const of = (phase: string) => entries.filter((one) => one.phase === phase).flatMap((one) => jobsOf(one) ?? []);
  const [before, after, end] = [of('before')[0], of('ordinary').at(-1), of('end').at(-1)];
  return before !== undefined && after !== undefined && after === before + 1 && end !== undefined && end >= after;
}

function roundsOf({ bodies }: RefusedJobParameters, entries: readonly LedgerRow[]): RefusedJobFacts['rounds'] {
  return entries.flatMap((entry, index) => {
    const size = entry.phase === 'try' ? decodeSize(entry.note) : null;
    const body = bodies.find(({ operation, bytes }) => operation === entry.operation && bytes === size?.bytes);
    if (!size || !body) return [];
    const next = entries.findIndex((other, at) => at > index && other.phase === 'try');
    const until = entries.slice(index + 1, next === -1 ? entries.length : next);
    const before = entries
      .slice(0, index)
      .flatMap((other) => jobsOf(other) ?? [])
      .at(-1);
    const after = until.flatMap((other) => jobsOf(other) ?? [])[0];
    const named = until.find(({ phase }) => phase === 'named');
    return {
      limitId: body.limitId,
      bytes: body.bytes,
      status: entry.status,
      outcome: payloadOutcome(entry),
      moreJobs: before !== undefined && after !== undefined ? after - before : null,
      named: named ? isSuccess(named.status) : null,
    };
  });
}

/**
 * Ids that came after the ordinary job's. A list that begins with the newest shows them in front of it; of any other
 * only what is not cut into pages tells, which shows by nothing having dropped out.
 */
function strangersIn(
  first: readonly string[],
  second: readonly string[],
  last: readonly string[],
  ordinaryId: string,
): number | null {
  if (second[0] === ordinaryId && last.includes(ordinaryId)) return last.indexOf(ordinaryId);
  if (!first.every((id) => last.includes(id)) || !last.includes(ordinaryId)) return null;
  return last.filter((id) => id !== ordinaryId && !first.includes(id)).length;
}
