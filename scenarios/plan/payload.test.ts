import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitsOf } from '../../schemas/limits.ts';
import { type Attempt, nextSize } from '../k6/lib/bisection.ts';
import type { PayloadParameters } from '../probe.ts';
import { mostBodies, payloadCandidate } from './payload.ts';
import { contextFor, endpoint } from './testing/targets.ts';

const [run, runsync] = limitsOf('content-bytes');
if (!run || !runsync) throw new Error('two payload limits expected');

const parametersOf = (limit: typeof run): PayloadParameters => {
  const parameters = payloadCandidate(limit, contextFor([endpoint('big', 3)])).probe?.parameters;
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
    });
  }
});

test('the announced number of bodies is never exceeded, wherever the border is', () => {
  const parameters = parametersOf(run);
  const anyBorder = fc.integer({ min: 0, max: 3 * parameters.capBytes });
  fc.assert(
    fc.property(anyBorder, (border) => {
      const attempts: Attempt[] = [];
      for (let bytes = nextSize(attempts, parameters); bytes !== null; bytes = nextSize(attempts, parameters)) {
        attempts.push({ bytes, fate: bytes <= border ? 'accepted' : 'refused' });
      }
      expect(attempts.length).toBeLessThanOrEqual(mostBodies(parameters));
      expect(Math.max(...attempts.map(({ bytes }) => bytes))).toBeLessThanOrEqual(parameters.capBytes);
    }),
  );
});

test('large bodies go one at a time, beside other probes that spend little', () => {
  const { probe } = payloadCandidate(run, contextFor([endpoint('big', 3)]));
  expect(probe?.exclusive).toEqual(['bandwidth']);
  expect(probe?.shared).toContain('budget:run');
  expect(probe?.bytes).toBeGreaterThan(mostBodies(parametersOf(run)) * run.upperReading);
});

test('a synchronous job of any size needs a worker; a queued one does not', () => {
  const none = contextFor([endpoint('none', 0)]);
  expect(JSON.stringify(payloadCandidate(runsync, none).missing)).toContain('WorkersMax >= 1');
  expect(payloadCandidate(run, none).probe).toBeDefined();
  expect(payloadCandidate(run, contextFor([])).missing).toMatchObject({ kind: 'skipped' });
});
