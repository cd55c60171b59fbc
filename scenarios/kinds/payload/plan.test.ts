import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitsOf } from '../../../schemas/limits.ts';
import { type Attempt, nextSize } from '../../k6/lib/bisection.ts';
import { contextFor, endpoint } from '../../plan/testing/targets.ts';
import type { PayloadParameters } from '../../probe.ts';
import { payloadCandidate } from './plan.ts';
import { mostBodies, mostRequestsOfPayload } from './send/sizes.ts';

const [run, runsync] = limitsOf('content-bytes');
if (!run || !runsync) throw new Error('two payload limits expected');

const parametersOf = (limit: typeof run, context = contextFor([endpoint('big', 3)])): PayloadParameters => {
  const parameters = payloadCandidate(limit, context).probe?.parameters;
  if (parameters?.kind !== 'payload') throw new Error('no payload probe');
  return parameters;
};

test('both readings of the size are on the right sides', () => {
  for (const limit of [run, runsync]) {
    expect(parametersOf(limit)).toMatchObject({
      operation: limit.budget,
      acceptBytes: limit.value,
      refuseBytes: limit.upperReading + 1,
      capBytes: 2 * limit.upperReading,
      readable: true,
      followsUp: true,
    });
  }
});

test('the announced number of bodies is never exceeded, for any border and any guess', () => {
  const parameters = parametersOf(run);
  const anyBorder = fc.integer({ min: 0, max: 3 * parameters.capBytes });
  fc.assert(
    fc.property(anyBorder, fc.option(anyBorder), (border, guessBytes) => {
      const attempts: Attempt[] = [];
      const sizes = { ...parameters, guessBytes };
      for (let bytes = nextSize(attempts, sizes); bytes !== null; bytes = nextSize(attempts, sizes)) {
        attempts.push({ bytes, fate: bytes <= border ? 'accepted' : 'refused' });
      }
      expect(attempts.length).toBeLessThanOrEqual(mostBodies(parameters) + (guessBytes === null ? 0 : 2));
      expect(Math.max(...attempts.map(({ bytes }) => bytes))).toBeLessThanOrEqual(parameters.capBytes);
    }),
  );
});

test('a small limit, exact to the byte, has its smallest body within it', () => {
  const small = { ...run, value: 600, upperReading: 600 };
  expect(parametersOf(small)).toMatchObject({ floorBytes: 600, acceptBytes: 600, refuseBytes: 601 });
});

test('large bodies go one at a time, together with other probes that spend little', () => {
  const { probe } = payloadCandidate(run, contextFor([endpoint('big', 3)]));
  const { bodies, followUps } = mostRequestsOfPayload(parametersOf(run));
  expect(probe?.exclusive).toEqual(['bandwidth']);
  expect(probe?.shared).toEqual(expect.arrayContaining(['budget:run', 'budget:status']));
  expect(probe?.spends).toEqual({ run: bodies, status: followUps });
  expect(probe?.requests).toBe(bodies + followUps);
  expect(probe?.bytes).toBeGreaterThan(bodies * parametersOf(run).capBytes);
});

test('a synchronous job of any size needs a worker; a queued one does not, and is then not followed up', () => {
  const none = contextFor([endpoint('none', 0)]);
  expect(JSON.stringify(payloadCandidate(runsync, none).missing)).toContain('WorkersMax >= 1');
  expect(parametersOf(run, none).followsUp).toBe(false);
  expect(payloadCandidate(run, none).probe?.spends).not.toHaveProperty('status');
  expect(payloadCandidate(run, contextFor([])).missing).toMatchObject({ kind: 'skipped' });
});

test('a workload without a place for the echo is known to show nothing', () => {
  const context = contextFor([endpoint('big', 3)]);
  const silent = { ...context, target: { ...context.target, workloads: { quick: { prompt: 'hello' } } } };
  expect(parametersOf(run, silent).readable).toBe(false);
});
