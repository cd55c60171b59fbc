/** The contract checks as a whole: what there is to ask, asking it, and whether the target can be asked at all. */
import type { CheckFacts } from '../schemas/facts.ts';
import type { Progress } from '../schemas/progress.ts';
import type { Credentials, Profile, TargetConfig } from '../schemas/target.ts';
import type { CheckDeclaration } from '../schemas/verdicts.ts';
import { declarationOf } from './check.ts';
import { allChecks } from './checks/index.ts';
import { selected } from './run/select.ts';
import { runUnderVitest } from './run/vitest.ts';

export { observeReference } from './run/observe.ts';
export { checkWiring } from './wiring/wiring.ts';

/** Every contract check there is. Asks nobody. */
export function declaredChecks(): CheckDeclaration[] {
  return allChecks.map(declarationOf);
}

export interface ConformanceInput {
  /** A reference without addresses is the one in-process, on a virtual clock. */
  readonly target: TargetConfig;
  readonly credentials: Credentials;
  readonly profile: Profile;
  /** Globs on check ids; none selects all. */
  readonly only: readonly string[];
  /** Stands in everything that is sent. */
  readonly runId: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

const TASK = 'conformance';

/**
 * Asks the selected checks. When the signal ends the run early, `facts` holds those that had finished; every declared
 * check has facts otherwise.
 *
 * @throws Error when the harness itself broke.
 */
export async function runConformance(
  input: ConformanceInput,
): Promise<{ declared: CheckDeclaration[]; facts: CheckFacts[] }> {
  const { target, credentials, profile, only, runId, progress, signal } = input;
  const declared = selected(allChecks, only).map(declarationOf);
  if (declared.length === 0 || signal.aborted) return { declared, facts: [] };
  progress.begin({ id: TASK, title: 'contract checks', total: declared.length });
  const onFacts = (done: number): void => progress.advance(TASK, done);
  const collected = await runUnderVitest({ input: { target, profile, only, runId }, credentials, signal, onFacts });
  const byId = new Map(collected.map((one) => [one.id, one]));
  const facts = declared.flatMap(({ id }) => byId.get(id) ?? []);
  progress.end(TASK, `${facts.length} of ${declared.length} answered`);
  return { declared, facts };
}
