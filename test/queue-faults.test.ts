/**
 * Every planted fault of the queue rule against the steps, the analysis and the judge together, without k6: the rule of
 * the faulty reference answers the submissions, and what was sent becomes a ledger. At every WorkersMax of the truth
 * table, so also where a run would take too long to be repeated for each fault.
 */
import { describe, expect, test } from 'vitest';
import { applyMutants, mutants } from '../reference/mutants.ts';
import { defaultOptions } from '../reference/options.ts';
import { judge } from '../reports/verdicts/index.ts';
import { analyseQueue } from '../scenarios/kinds/queue/measure.ts';
import { planLoad } from '../scenarios/plan/index.ts';
import type { QueueParameters } from '../scenarios/probe.ts';
import { type Played, play } from '../scenarios/testing/queue-model.ts';
import type { QueueFacts } from '../schemas/facts.ts';
import { decodeLedger, encodeEntry, encodeMark, type LedgerEntry } from '../schemas/ledger.ts';
import { limitsOf } from '../schemas/limits.ts';
import { loadChecks } from '../schemas/load-checks.ts';

const WORKERS = [0, 1, 2, 5];
const queueLimits = limitsOf('queue');
const declaredLoad = loadChecks.filter(({ id }) => id.includes('.queue.'));
const endpoints = WORKERS.map((workersMax) => ({ instId: `w${workersMax}`, workersMax, dedicated: true }));
const target = { kind: 'remote', baseUrl: null, jobBaseUrl: 'http://127.0.0.1:2', endpoints, model: null } as const;
const { probes } = planLoad({ target, profile: 'nightly', only: ['*.queue.*'], calibration: null });

type Line = Partial<LedgerEntry>;
const health = (phase: string, note: number | string): Line => ({ phase, operation: 'health', note: `${note}` });

/** What the script writes for a step. */
function linesOf({ step, fates, min, max, really }: Played, refusal: number): Line[] {
  if (step.kind === 'free') {
    const left = fates.includes('freed') ? really - 1 : really;
    return [health('count', really), { phase: 'free', operation: 'cancel' }, health('count', left)];
  }
  if (step.kind !== 'submit') return [];
  return fates.flatMap((fate) => [
    {
      phase: step.phase,
      operation: step.operation,
      note: `${min}:${max + fates.length - 1}`,
      status: fate === 'refused' ? refusal : 200,
    },
    ...(step.operation === 'runsync' && fate === 'accepted' ? [health('counted', really + 1)] : []),
  ]);
}

/** @param elsewhere what another endpoint, where none waits, answers with this one full, and when it was purged */
function ledgerOf(
  log: readonly Played[],
  { refusal, workersMax }: QueueParameters,
  [meanwhile, later]: readonly [number, number],
): string {
  const last = log.at(-1)?.really ?? 0;
  const held = Array.from({ length: workersMax }, (): Line => ({ phase: 'held', operation: 'status', note: 'busy' }));
  const purge: Line = { phase: 'purge', operation: 'purge-queue', note: `${last}` };
  const requested = Array.from({ length: 3 }, (): Line => ({ phase: 'elsewhere', status: meanwhile }));
  const behind: Line[] = [...requested, purge, { phase: 'next' }, { phase: 'elsewhere-later', status: later }];
  const lines = [health('before', 0), ...held, ...log.flatMap((one) => linesOf(one, refusal)), ...behind];
  const entries = lines.map((line, index): LedgerEntry => {
    const times = { sentMs: 10 * index, firstByteMs: 10 * index + 1, endMs: 10 * index + 1 };
    return { phase: '', operation: 'run', ...times, status: 200, error: '', note: '', ...line };
  });
  const [start, end] = (['start', 'end'] as const).map((mark) => encodeMark({ mark, wallMs: 0, monotonicMs: 0 }));
  return [start, ...entries.map(encodeEntry), end].join('\n');
}

/** What a target with this rule makes of the probes of these endpoints. */
function brokenUnder(names: readonly string[], workers: readonly number[] = WORKERS): string[] {
  const { rules } = applyMutants(defaultOptions({}), names);
  const loadFacts = probes.flatMap(({ parameters }): QueueFacts[] => {
    if (parameters.kind !== 'queue' || !workers.includes(parameters.workersMax)) return [];
    const refuses = (queued: number, workersMax: number, operation: string): boolean => {
      const limit = queueLimits.find(({ budget }) => budget === operation);
      return limit !== undefined && rules.queueRefuses(queued, workersMax, limit);
    };
    const { log } = play(parameters, {
      answer: ({ queued, operation }) => (refuses(queued, parameters.workersMax, operation) ? 'refused' : 'accepted'),
    });
    const other = endpoints.find(({ instId }) => instId === parameters.otherInstId)?.workersMax ?? 0;
    const statusThere = (): number => (refuses(0, other, 'run') ? parameters.refusal : 200);
    const meanwhile = statusThere();
    refuses(0, parameters.workersMax, 'run');
    const ledger = ledgerOf(log, parameters, [meanwhile, statusThere()]);
    return [analyseQueue(parameters, decodeLedger(ledger), 1)];
  });
  const { checks } = judge({ checkFacts: [], loadFacts, declaredLoad, endpoints });
  return checks.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : [])).sort();
}

const queueIds = (ids: readonly string[]): string[] => ids.filter((id) => /^run(sync)?\.queue\./.test(id)).sort();
const { queueRefuses } = defaultOptions({}).rules;
/** In the rule itself, not in what a refusal looks like. */
const faults = mutants.filter(
  ({ killedBy, apply }) =>
    queueIds(killedBy).length > 0 && apply(defaultOptions({})).rules.queueRefuses !== queueRefuses,
);
const SHORT = [0, 1, 2];

test('a sound rule breaks nothing', () => expect(brokenUnder([])).toEqual([]));

test('there are faults of each kind', () => expect(faults.length).toBeGreaterThanOrEqual(16));

describe.each(faults.map((one) => [one.name, one] as const))('%s', (name, { killedBy }) => {
  test('turns red what it should, and nothing else', () =>
    expect(brokenUnder([name], SHORT)).toEqual(queueIds(killedBy)));
});

const LONG_MS = 60_000;

test.each(WORKERS)('one job too early or late is found at WorkersMax %i', { timeout: LONG_MS }, (workers) => {
  for (const operation of ['run', 'runsync']) {
    const early = brokenUnder([`${operation}-queue-one-early`], [workers]);
    expect(early.filter((id) => !id.endsWith('.reopens'))).toEqual([`${operation}.queue.guarantee`]);
    expect(brokenUnder([`${operation}-queue-one-late`], [workers])).toEqual([`${operation}.queue.enforced`]);
  }
});
