/** How well the generator did its own work, read off the ledger: what it could not send or see limits every verdict. */
import type { GeneratorHealth, Lateness } from '../../schemas/facts.ts';
import type { Ledger, LedgerMark } from '../../schemas/ledger.ts';
import type { LedgerRow, Many } from '../../schemas/ledger-rows.ts';
import { sortedColumn } from './column.ts';

/**
 * @param planned requests the probe meant to send at least; fewer in the ledger means that it was cut short
 */
export function generatorHealth(ledger: Omit<Ledger, 'entries'>, planned: number): GeneratorHealth {
  const unanswered = ledger.rows.filter((entry) => entry.status === 0);
  const start = ledger.marks.find((mark) => mark.mark === 'start');
  const end = ledger.marks.find((mark) => mark.mark === 'end');
  const step = clockStep(ledger.marks);
  const lateness = latenessOf(ledger.rows);
  const sent = ledger.rows.length;
  const onTheWay = sent < planned ? sortedColumn(ledger.rows, ({ sentMs, endMs }) => endMs - sentMs) : [];
  const exchangeMs = onTheWay[Math.floor(sent / 2)];
  return {
    planned,
    sent,
    unanswered: unanswered.length,
    unansweredError: commonestError(unanswered),
    unreadable: ledger.unreadable,
    clockStepMs: Math.round(step),
    complete: start !== undefined && end !== undefined,
    latenessMs: Math.round(lateness?.maxMs ?? 0),
    ...(exchangeMs === undefined ? {} : { exchangeMs: Math.round(exchangeMs) }),
    ...(lateness ? { lateness } : {}),
    ...(ledger.lost ? { lost: ledger.lost } : {}),
    ...(ledger.machine ? { machine: ledger.machine } : {}),
  };
}

/** The largest, with its sign: each runner has a clock of its own. */
function clockStep(marks: readonly LedgerMark[]): number {
  const apart = ({ wallMs, monotonicMs }: LedgerMark): number => wallMs - monotonicMs;
  const steps = marks.map((mark, index) => {
    const before = marks[index - 1];
    return mark.mark === 'end' && before ? apart(mark) - apart(before) : 0;
  });
  return steps.reduce((largest, step) => (Math.abs(step) > Math.abs(largest) ? step : largest), 0);
}

/** Polls have a schedule too, and are few; what has to be steady is this. */
const PACED = 'pace';

/**
 * By how much the sender was behind the moments it was to begin at. The way to the target is not in it; where all
 * connections of a load still wait for answers, that is.
 */
function latenessOf(rows: Many<LedgerRow>): Lateness | undefined {
  const paced = rows.filter(({ phase, dueMs }) => dueMs !== undefined && phase === PACED);
  const late = sortedColumn(paced, ({ sentMs, begunMs = sentMs, dueMs = begunMs }) => Math.max(0, begunMs - dueMs));
  if (late.length === 0) return undefined;
  const at = (share: number): number => tenths(late[Math.min(late.length - 1, Math.floor(late.length * share))] ?? 0);
  return { scheduled: late.length, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), maxMs: at(1) };
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

function commonestError(rows: Many<LedgerRow>): string {
  const counts = new Map<string, number>();
  rows.forEach(({ error }) => void counts.set(error, (counts.get(error) ?? 0) + 1));
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';
}
