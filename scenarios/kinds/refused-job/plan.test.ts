import { expect, test } from 'vitest';
import { documentedTable, limitsOf } from '../../../schemas/limits.ts';
import { speedOf } from '../../plan/assumptions.ts';
import { contextFor, endpoint } from '../../plan/testing/targets.ts';
import { inferencePayloadCandidate } from '../inference-payload/index.ts';
import { mostCoarse } from '../payload/send/inference.ts';
import { refusedJobCandidates, refusedJobCheckIds } from './index.ts';

const planned = (...endpoints: Parameters<typeof contextFor>[0]) => refusedJobCandidates(contextFor(endpoints));

test('every payload limit has a check for what becomes of refused bodies', () => {
  expect(refusedJobCheckIds(documentedTable)).toEqual(limitsOf('content-bytes').map(({ id }) => `${id}.refused-job`));
});

test('it has an endpoint exclusively, and sends what every reading refuses', () => {
  const probe = planned(endpoint('other', 5, false), endpoint('own', 1))[0]?.probe;
  if (probe?.parameters.kind !== 'refused-job') throw new Error('no such probe');
  expect(probe.exclusive).toEqual(expect.arrayContaining(['queue:own', 'workers:own', 'bandwidth']));
  const sizes = limitsOf('content-bytes').map((limit) => limit.upperReading + 1);
  expect(probe.parameters.bodies.map(({ bytes }) => bytes)).toEqual(sizes);
  expect(probe.bytes).toBeGreaterThan(2 * sizes.reduce((a, b) => a + b));
  const list = limitsOf('requests').find(({ budget }) => budget === 'requests');
  expect(probe.spends.requests).toBeLessThan((list?.value ?? 0) / 2);
});

test('on an endpoint with other users it is not observable, and says what it needs', () => {
  expect(planned(endpoint('other', 5, false))[0]?.missing).toMatchObject({
    kind: 'not-observable',
    needs: expect.stringContaining('--dedicated'),
  });
});

test('the largest body of interface A costs few requests and few megabytes', () => {
  const { probe } = inferencePayloadCandidate({ speed: speedOf(null) });
  if (probe?.parameters.kind !== 'inference-payload') throw new Error('no such probe');
  expect(probe.requests).toBe(mostCoarse(probe.parameters));
  expect(probe.requests).toBeLessThan(15);
  expect(probe.bytes).toBeLessThan(60_000_000);
});
