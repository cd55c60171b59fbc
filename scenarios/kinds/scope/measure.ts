/** Ledger of a scope probe -> facts: what was asked while the limit was exhausted for sure, and what came of it. */
import type { ScopeAnswers, ScopeFacts } from '../../../schemas/facts.ts';
import type { Ledger } from '../../../schemas/ledger.ts';
import type { LedgerRow } from '../../../schemas/ledger-rows.ts';
import { isSuccess } from '../../../schemas/status.ts';
import { generatorHealth } from '../../analysis/health.ts';
import { countStatuses } from '../../analysis/outcome.ts';
import type { ScopeAsk, ScopeParameters } from '../../probe.ts';
import { noteOf } from './send/note.ts';

const isRefused = ({ status }: LedgerRow): boolean => status === 429;

export function analyseScope(parameters: ScopeParameters, ledger: Ledger, planned: number): ScopeFacts {
  const usual = ledger.entries.filter(({ phase }) => phase === 'usual');
  const after = ledger.entries.find(({ phase }) => phase === 'after');
  const { limitId, instId, operation, technique, asks } = parameters;
  return {
    kind: 'scope',
    limitId,
    instId,
    operation,
    technique,
    usual: { sent: usual.length, refused: usual.filter(isRefused).length },
    ...(after ? { servedAfter: isSuccess(after.status) } : {}),
    asks: asks.map((ask) => answersTo(ask, ledger.entries)),
    health: generatorHealth(ledger, planned),
  };
}

/** The entries stand in the order in which they were sent, one after the other. */
function answersTo(ask: ScopeAsk, entries: readonly LedgerRow[]): ScopeAnswers {
  const own = entries.flatMap((entry, index) =>
    entry.phase === 'ask' && entry.note === noteOf(ask) ? [{ entry, sure: isBetweenRefusals(entries, index) }] : [],
  );
  const sure = own.filter((one) => one.sure).map(({ entry }) => entry);
  const refused = sure.filter(isRefused);
  const admitted = sure.filter(({ status }) => isSuccess(status));
  return {
    ...ask,
    admitted: admitted.length,
    refused: refused.length,
    otherwise: countStatuses(sure.filter((entry) => !refused.includes(entry) && !admitted.includes(entry))),
    unsure: own.length - sure.length,
  };
}

function isBetweenRefusals(entries: readonly LedgerRow[], index: number): boolean {
  const before = entries.slice(0, index).findLast(({ phase }) => phase === 'usual');
  const after = entries.slice(index + 1).find(({ phase }) => phase === 'usual');
  return before !== undefined && after !== undefined && isRefused(before) && isRefused(after);
}
