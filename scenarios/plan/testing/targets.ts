/** Targets for the planner's tests: a typical one, and arbitrary ones. */
import fc from 'fast-check';
import { documentedTable } from '../../../schemas/limits.ts';
import type { Calibration, EndpointConfig, Profile, TargetConfig } from '../../../schemas/target.ts';
import { profiles } from '../../../schemas/target.ts';
import { speedOf } from '../assumptions.ts';
import type { PlanContext } from '../context.ts';
import { byFitness } from '../endpoints.ts';

export const endpoint = (instId: string, workersMax: number | null, dedicated = true): EndpointConfig => ({
  instId,
  workersMax,
  dedicated,
});

export const quick: Calibration = { roundTripMs: 2, quickJobMs: 5, chatMs: 20 };

export function targetWith(endpoints: readonly EndpointConfig[]): TargetConfig {
  const addresses = { baseUrl: 'http://127.0.0.1:1', jobBaseUrl: 'http://127.0.0.1:2', otherAddress: '127.0.0.2' };
  return { kind: 'remote', ...addresses, endpoints, model: 'a/b' };
}

export const usual = targetWith([endpoint('big', 3), endpoint('one', 1), endpoint('none', 0)]);

export function contextFor(
  endpoints: readonly EndpointConfig[],
  calibration: Calibration | null = quick,
  profile: Profile = 'gate',
): PlanContext {
  const speed = speedOf(calibration);
  const target = targetWith(endpoints);
  return { target, profile, table: documentedTable, speed, endpoints: byFitness(target, speed) };
}

const anyEndpoint = fc.record({
  instId: fc.constantFrom('a', 'b', 'c', 'd'),
  workersMax: fc.option(fc.integer({ min: 0, max: 20 })),
  dedicated: fc.boolean(),
});

const anyTemplate = fc.constantFrom(null, 7, { say: '{{echo}}', ms: '{{delay_ms}}' });

export const anyTarget: fc.Arbitrary<TargetConfig> = fc.record(
  {
    kind: fc.constantFrom('reference' as const, 'remote' as const),
    baseUrl: fc.option(fc.constant('http://127.0.0.1:1')),
    jobBaseUrl: fc.option(fc.constant('http://127.0.0.1:2')),
    endpoints: fc.uniqueArray(anyEndpoint, { maxLength: 4, selector: (one) => one.instId }),
    model: fc.option(fc.constant('a/b')),
    otherAddress: fc.constant('127.0.0.2'),
    workloads: fc.record({ quick: anyTemplate, slow: anyTemplate }, { requiredKeys: [] }),
  },
  { requiredKeys: ['kind', 'baseUrl', 'jobBaseUrl', 'endpoints', 'model'] },
);

export const anyCalibration: fc.Arbitrary<Calibration | null> = fc.option(
  fc.record({
    roundTripMs: fc.double({ min: 0.1, max: 500, noNaN: true }),
    quickJobMs: fc.option(fc.double({ min: 0.1, max: 3000, noNaN: true })),
    chatMs: fc.option(fc.double({ min: 1, max: 5000, noNaN: true })),
  }),
);

export const anyProfile = fc.constantFrom(...profiles);

export const anySelection = fc.constantFrom<readonly string[]>(
  [],
  ['*.rate.*'],
  ['run.*'],
  ['status.concurrency.freed'],
  ['purge-queue.load.keeps-running'],
  ['health.*', 'inference.*'],
  ['*.queue.enforced'],
);

export const anyInput = fc.record({
  target: anyTarget,
  profile: anyProfile,
  only: anySelection,
  calibration: anyCalibration,
});
