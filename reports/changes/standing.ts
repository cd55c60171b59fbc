/** What runs are compared by, taken from the results of one: without excuses, pictures and evidence. */
import type { HistoryLimit } from '../../schemas/history.ts';
import type { ResultCheck, ResultLimit } from '../../schemas/results.ts';

/** What was seen of a check, without the excuse that a baseline gives it. */
export const seenOf = ({ verdict, known }: Pick<ResultCheck, 'verdict' | 'known'>): ResultCheck['verdict'] =>
  known?.verdict ?? verdict;

export const bareLimit = ({ id, kind, documented, measured, algorithm, verdict }: ResultLimit): HistoryLimit => ({
  id,
  kind,
  documented,
  measured,
  ...(algorithm ? { algorithm } : {}),
  verdict,
});

export const knownIds = (checks: readonly Pick<ResultCheck, 'id' | 'known'>[]): string[] =>
  checks.flatMap(({ id, known }) => (known ? [id] : []));
