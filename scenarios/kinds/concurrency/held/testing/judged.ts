/** A held-request probe from its sending to its claims, against any address, with a limit small enough for a test. */
import { judgeConcurrency } from '../../../../../reports/kinds/concurrency/judge.ts';
import { measureConcurrency } from '../../../../../reports/kinds/concurrency/measure.ts';
import type { Claim } from '../../../../../reports/verdicts/claim.ts';
import { judgingContext } from '../../../../../reports/verdicts/context.ts';
import type { Measured } from '../../../../../reports/verdicts/measure.ts';
import type { ConcurrencyFacts, LoadFacts } from '../../../../../schemas/facts.ts';
import { decodeLedger } from '../../../../../schemas/ledger.ts';
import { type ConcurrencyLimit, limitsOf } from '../../../../../schemas/limits.ts';
import type { BudgetId } from '../../../../../schemas/operations.ts';
import { addressesFor } from '../../../../execute/testing/addresses.ts';
import type { ConcurrencyParameters } from '../../../../probe.ts';
import { analyseConcurrency } from '../../measure.ts';
import { sendHeld } from '../index.ts';

export interface Judged {
  readonly facts: ConcurrencyFacts;
  readonly measured: Measured | null;
  /** By the last word of the check. */
  readonly claims: Readonly<Record<string, Claim | undefined>>;
  /** The same without anything but the verdict. */
  readonly words: Readonly<Record<string, string | undefined>>;
}

const EXTRA = 3;
/** Its queue takes all that a test sends: with no workers known, 51 jobs in all may be refused for the queue. */
const ENDPOINT = { instId: 'inst-1', workersMax: 3, dedicated: true };

/** The row of the table with another value. */
export function limitOf(budget: BudgetId, value: number): ConcurrencyLimit {
  const row = limitsOf('concurrent-requests').find((one) => one.budget === budget);
  if (!row) throw new Error(`no limit on requests at once for '${budget}'`);
  return { ...row, value };
}

export async function judgedAt(
  url: string,
  row: ConcurrencyLimit,
  changes: Partial<ConcurrencyParameters> = {},
  others: readonly LoadFacts[] = [],
): Promise<Judged> {
  const parameters: ConcurrencyParameters = {
    kind: 'concurrency',
    limitId: row.id,
    instId: ENDPOINT.instId,
    operations: row.operations.filter((id) => id !== 'models'),
    technique: 'held-body',
    limit: row.value,
    extra: EXTRA,
    holdMs: 1000,
    ...changes,
  };
  const sending = {
    addresses: addressesFor({ baseUrl: url, model: 'acme/base-70b' }),
    workersMax: ENDPOINT.workersMax,
    key: 'k',
  };
  const env = { signal: new AbortController().signal, progress: () => {} };
  const ledger = await sendHeld(parameters, sending, env);
  const facts = analyseConcurrency(parameters, decodeLedger(ledger), row.value + parameters.extra);
  const all = judgeConcurrency(facts, row, judgingContext([facts, ...others], [ENDPOINT]));
  const claims = Object.fromEntries(Object.entries(all).map(([id, claim]) => [id.replace(`${row.id}.`, ''), claim]));
  const words = Object.fromEntries(Object.entries(claims).map(([aspect, { verdict }]) => [aspect, verdict]));
  return { facts, measured: measureConcurrency(facts), claims, words };
}
