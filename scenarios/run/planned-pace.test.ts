/** What the plan adds to the health of each kind of facts. */
import { expect, test } from 'vitest';
import { decodeLedger, encodeEntry } from '../../schemas/ledger.ts';
import { analyseRate } from '../kinds/rate/measure/index.ts';
import { analyseUnlimited } from '../kinds/unlimited/index.ts';
import type { Probe, ProbeParameters, UnlimitedParameters } from '../probe.ts';
import { rateParameters, simulateRate, slidingLog } from '../testing/rate-simulation.ts';
import { withPlannedPace } from './analyse.ts';

const probeOf = (parameters: ProbeParameters): Probe => ({
  id: 'a-probe',
  title: '',
  checkIds: [],
  parameters,
  requests: 0,
  bytes: 0,
  estimateMs: 0,
  floorMs: 0,
  exclusive: [],
});

const health = (facts: ReturnType<typeof withPlannedPace>) => (facts.kind === 'missing' ? undefined : facts.health);

test('slots of the pace that nothing was sent for are counted', () => {
  const parameters = rateParameters(100, 1000);
  const whole = simulateRate(parameters, slidingLog(100, 1000));
  const lines = whole.split('\n');
  const paced = lines.filter((line) => line.startsWith('["pace"'));
  const without = lines.filter((line) => !paced.slice(10, 14).includes(line)).join('\n');
  const dropped = (ledger: string) =>
    health(withPlannedPace(probeOf(parameters), analyseRate(parameters, decodeLedger(ledger), 0)))?.dropped;
  expect([dropped(whole), dropped(without)]).toEqual([0, 4]);
});

test('a load without a limit may be as uneven as it likes, so it gets no room', () => {
  const parameters: UnlimitedParameters = {
    kind: 'unlimited',
    instId: 'inst-a',
    operation: 'health',
    vus: 1,
    periodMs: 10,
    durationMs: 100,
    windowMs: 1000,
  };
  const entry = { phase: 'pace', operation: 'health', sentMs: 1, firstByteMs: 2, endMs: 2, status: 200 };
  const ledger = `${encodeEntry({ ...entry, error: '', note: '' })}\n`;
  const facts = withPlannedPace(probeOf(parameters), analyseUnlimited(parameters, decodeLedger(ledger), 0));
  expect(health(facts)).toMatchObject({ probe: 'a-probe', dropped: 9 });
  expect(health(facts)?.lateness?.roomMs).toBeUndefined();
});

test('facts of a probe that was not carried out stay as they are', () => {
  const outcome = { kind: 'error', message: 'broken' } as const;
  const facts = { kind: 'missing', checkIds: [], outcome } as const;
  expect(withPlannedPace(probeOf(rateParameters(100, 1000)), facts)).toBe(facts);
});
