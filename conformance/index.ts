/** The contract checks as a whole: what there is to ask, asking it, and whether the target can be asked at all. */
import type { CheckFacts } from '../schemas/facts.ts';
import type { Progress } from '../schemas/progress.ts';
import type { Amount } from '../schemas/results.ts';
import type { Credentials, Profile, TargetConfig } from '../schemas/target.ts';
import type { CheckDeclaration } from '../schemas/verdicts.ts';
import { declarationOf } from './check.ts';
import { allChecks } from './checks/index.ts';
import { announced } from './costs/costs.ts';
import { selected } from './run/select.ts';
import { runUnderVitest } from './run/vitest.ts';
import type { Announced } from './target/allowance.ts';
import { openTarget } from './target/open.ts';

export { observeReference } from './run/observe.ts';
export { wiringAmount } from './wiring/amount.ts';
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
const NOTHING: Amount = { requests: 0, bytes: 0 };

const amountOf = ({ requests, bytes }: Amount): Amount => ({ requests, bytes });

/** What the selected checks would send to this target at most, and never more. Asks nobody. */
export async function announceContract({
  target: config,
  credentials,
  profile,
  only,
}: Pick<ConformanceInput, 'target' | 'credentials' | 'profile' | 'only'>): Promise<Announced> {
  const target = await openTarget(config, credentials);
  try {
    return announced(selected(allChecks, only), target, profile);
  } finally {
    await target.close();
  }
}

/**
 * Asks the selected checks. When the signal ends the run early, `facts` holds those that had finished; every declared
 * check has facts otherwise.
 *
 * @throws Error when the harness itself broke.
 */
export async function runConformance(
  input: ConformanceInput,
): Promise<{ declared: CheckDeclaration[]; facts: CheckFacts[]; traffic: { announced: Amount; sent: Amount } }> {
  const { target, credentials, profile, only, runId, progress, signal } = input;
  const declared = selected(allChecks, only).map(declarationOf);
  const announcement = await announceContract(input);
  if (declared.length === 0 || signal.aborted)
    return { declared, facts: [], traffic: { announced: amountOf(announcement), sent: NOTHING } };
  progress.begin({ id: TASK, title: 'contract checks', total: declared.length });
  const onFacts = (done: number): void => progress.advance(TASK, done);
  const told = { target, profile, only, runId, announced: announcement };
  const collected = await runUnderVitest({ input: told, credentials, signal, onFacts });
  const byId = new Map(collected.facts.map((one) => [one.id, one]));
  const facts = declared.flatMap(({ id }) => byId.get(id) ?? []);
  progress.end(TASK, `${facts.length} of ${declared.length} answered`);
  return { declared, facts, traffic: { announced: amountOf(announcement), sent: collected.sent } };
}
