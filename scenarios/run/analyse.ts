/** Ledger of any probe -> facts. */
import type { LoadFacts } from '../../schemas/facts.ts';
import type { Ledger } from '../../schemas/ledger.ts';
import { runnersHealth } from '../analysis/runners.ts';
import { kindOf } from '../kinds/index.ts';
import type { Probe } from '../probe.ts';
import { withPaced } from './paced.ts';
import { withPlannedPace } from './planned-pace.ts';

/** Throws what the analysis throws. */
export function analyse(probe: Probe, ledger: Ledger): LoadFacts {
  const { parameters } = probe;
  const kind = kindOf(parameters);
  const facts = kind.analyse(parameters, ledger, kind.least(parameters));
  return withRunners(withPaced(probe, ledger, withPlannedPace(probe, facts)), probe, ledger);
}

function withRunners(facts: LoadFacts, { parameters }: Probe, { runners: parts = [] }: Ledger): LoadFacts {
  const runners = runnersHealth(parts, kindOf(parameters).togetherFromMs?.(parameters) ?? 0);
  return runners && 'health' in facts ? { ...facts, health: { ...facts.health, runners } } : facts;
}
