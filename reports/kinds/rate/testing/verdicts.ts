/** What a rate probe says of a limiter: sent, analysed and judged in no time. */
import type { RateParameters } from '../../../../scenarios/probe.ts';
import { probed, probeOf } from '../../../../scenarios/testing/rate-probed.ts';
import type { Limiter } from '../../../../scenarios/testing/rate-simulation.ts';
import { limitFor } from '../../../../schemas/limits.ts';
import { oneByOne } from '../../../../test/setup/sweeps.ts';
import { gate } from '../../../verdicts/claim.ts';
import { judgingContext } from '../../../verdicts/context.ts';
import { judgeRate, rateDoubts } from '../judge.ts';
import { measureRate } from '../survivors.ts';

/** Of the two that take thousands of requests one at a time. */
export const budgets = [...oneByOne(['run', 'status'] as const), 'cancel', 'purge-queue', 'requests'] as const;

export const dedicated = [{ instId: 'inst-a', workersMax: 3, dedicated: true }];

export function rateLimit(budget: 'run' | 'status' | 'cancel' | 'purge-queue' | 'requests') {
  const limit = limitFor('requests', budget);
  if (!limit) throw new Error(`no rate limit for ${budget}`);
  return limit;
}

export interface Setting {
  readonly budget: Parameters<typeof rateLimit>[0];
  readonly limiter: Limiter;
  readonly beginsAtMs?: number;
  readonly refusedStatus?: number;
  readonly servedStatus?: number;
  readonly endpoints?: typeof dedicated;
  readonly changes?: Partial<RateParameters>;
  /** Jobs in the queue by health; unknown when not given. */
  readonly queued?: number;
  readonly roundTripMs?: number;
  readonly lateMs?: (() => number) | undefined;
}

/** The whole way a probe goes: send, analyse, judge. */
export function verdicts({ budget, limiter, endpoints = dedicated, changes, ...options }: Setting) {
  const limit = rateLimit(budget);
  const facts = probed(probeOf(limit, changes, options.roundTripMs), limiter, options);
  const context = judgingContext([facts], endpoints);
  const claims = gate(judgeRate(facts, limit, context), rateDoubts(facts, limit, context));
  const claim = (aspect: string) => claims[`${limit.id}.${aspect}`];
  return {
    guarantee: claim('guarantee')?.verdict,
    enforced: claim('enforced')?.verdict,
    shared: claim('shared')?.verdict,
    refusal: claim('refusal')?.verdict,
    measured: measureRate(facts),
    facts,
    claim,
  };
}
