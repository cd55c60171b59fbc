/**
 * What a run has collected so far. It can be turned into a report at any moment: after the last check, at a Ctrl-C, or
 * when the harness itself broke; only the first of these is complete.
 */
import { inAll } from '../../reports/counts.ts';
import type { ReferenceView } from '../../reports/differences/index.ts';
import type { CheckFacts, CheckOutcome, LoadFacts } from '../../schemas/facts.ts';
import type { GoalDeclaration } from '../../schemas/goals.ts';
import type { LoadCheckDeclaration } from '../../schemas/load-checks.ts';
import type { Amount, Traffic } from '../../schemas/results.ts';
import type { CheckDeclaration } from '../../schemas/verdicts.ts';

/** Why a run ended early. */
export interface Ending {
  readonly kind: 'interrupted' | 'broken' | 'gone';
  /** For the run as a whole, e.g. `stopped with Ctrl-C`. */
  readonly why: string;
}

export interface RunRecord {
  readonly declaredContract: CheckDeclaration[];
  readonly checkFacts: CheckFacts[];
  readonly declaredLoad: LoadCheckDeclaration[];
  /** Goals that the load's latency is held against. */
  readonly declaredGoals: GoalDeclaration[];
  readonly loadFacts: LoadFacts[];
  /** Of the probes that were retried. */
  readonly retryFacts: LoadFacts[];
  /** What those were to send at most. */
  announcedForRetry: Amount;
  floorMs: number;
  /** What the contract checks announced and sent; absent where there were none. */
  contract?: Traffic['contract'];
  /** What the reference answered to the same checks. */
  reference: ReferenceView;
}

export function emptyRecord(): RunRecord {
  const reference = { kind: 'missing', why: 'no contract check was run' } as const;
  return {
    declaredContract: [],
    checkFacts: [],
    declaredLoad: [],
    declaredGoals: [],
    loadFacts: [],
    retryFacts: [],
    announcedForRetry: { requests: 0, bytes: 0 },
    floorMs: 0,
    reference,
  };
}

/** Adds facts of checks that ran later than the others, in their place. */
export function addLater(
  record: RunRecord,
  { facts, announced, sent }: { readonly facts: readonly CheckFacts[] } & NonNullable<Traffic['contract']>,
): void {
  const order = new Map(record.declaredContract.map(({ id }, index) => [id, index]));
  record.checkFacts.push(...facts);
  record.checkFacts.sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  const before = record.contract;
  record.contract = { announced: inAll(before?.announced, announced), sent: inAll(before?.sent, sent) };
}

/** Ids of everything the run set out to do. */
export function declaredIds(record: RunRecord): readonly string[] {
  return [...record.declaredContract, ...record.declaredLoad, ...record.declaredGoals].map((check) => check.id);
}

/**
 * The facts with an entry for every check that an early ending left without one: it says who stopped it, so that
 * nothing is silently missing. Facts that were collected stand.
 */
export function closed(record: RunRecord, ending: Ending | null): { checks: CheckFacts[]; load: LoadFacts[] } {
  if (ending === null) return { checks: [...record.checkFacts], load: [...record.loadFacts] };
  const outcome = outcomeOf(ending);
  const reported = new Set(record.checkFacts.map((facts) => facts.id));
  const seen = ending.kind === 'gone' ? record.checkFacts.map(withoutTarget) : record.checkFacts;
  const missing = record.declaredContract.filter((check) => !reported.has(check.id));
  return {
    checks: [...seen, ...missing.map((check) => ({ ...check, outcome, exchanges: [], durationMs: 0 }))],
    // The load reports on every declared check once it has begun, also when it is stopped.
    load:
      record.loadFacts.length > 0
        ? [...record.loadFacts]
        : [{ kind: 'missing', checkIds: record.declaredLoad.map((check) => check.id), outcome }],
  };
}

const NOBODY_THERE = /ECONNREFUSED|ECONNRESET|EPIPE|the connection was closed/;

/** A request that met no target breaks no promise, also where the target was not yet known to be gone. */
function withoutTarget(facts: CheckFacts): CheckFacts {
  const unanswered = facts.exchanges.find(({ error = '' }) => NOBODY_THERE.test(error));
  if (!unanswered || facts.outcome.kind !== 'ran' || facts.outcome.expectations.every(({ holds }) => holds)) {
    return facts;
  }
  const reason = `the target was gone before this run was over, and did not answer here: ${unanswered.error}`;
  return { ...facts, outcome: { kind: 'inconclusive', reason, remedy: 'see why it stopped' } };
}

function outcomeOf({ kind, why }: Ending): Exclude<CheckOutcome, { kind: 'ran' }> {
  if (kind === 'broken') return { kind: 'error', message: why };
  const [by, reason] =
    kind === 'gone' ? ['proofload', why] : ['interrupt', 'the run was stopped before this was answered'];
  return { kind: 'skipped', by, why: reason };
}
