/**
 * What the plan knows of a probe and its ledger does not: which probe it was, how many slots its schedule had, and how
 * far apart the lateness of its sends may be. It goes into the health of the facts, where the verdicts look for it.
 */
import type { GeneratorHealth, LoadFacts } from '../../schemas/facts.ts';
import { latestMs, slots } from '../k6/lib/schedule.ts';
import type { Probe } from '../probe.ts';

export function withPlannedPace({ id, parameters }: Probe, facts: LoadFacts): LoadFacts {
  if (facts.kind === 'missing') return facts;
  const { health } = facts;
  if (parameters.kind === 'rate' && facts.kind === 'rate') {
    const { pace, limit, windowMs } = parameters;
    const dropped = Math.max(0, slots(pace) - facts.pace.sent);
    return { ...facts, health: { ...paced(health, dropped, latestMs(pace, limit, windowMs)), probe: id } };
  }
  if (parameters.kind === 'unlimited' && facts.kind === 'unlimited') {
    const { periodMs, durationMs } = parameters;
    const dropped = Math.max(0, slots({ fromMs: 0, periodMs, untilMs: durationMs }) - facts.part.sent);
    // However unevenly it comes, more than any limit at once is what it is about.
    return { ...facts, health: { ...paced(health, dropped), probe: id } };
  }
  return { ...facts, health: { ...health, probe: id } };
}

function paced(health: GeneratorHealth, dropped: number, roomMs?: number): GeneratorHealth {
  const { lateness } = health;
  if (!lateness || roomMs === undefined) return { ...health, dropped };
  return { ...health, dropped, lateness: { ...lateness, roomMs } };
}
