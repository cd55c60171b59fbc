/** Times of probes: from the beginning of the load, in the facts of the probe that they are of. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LoadFacts } from '../../schemas/facts.ts';
import { decodeLedger } from '../../schemas/ledger.ts';
import type { ProbeEnvironment } from '../execute/environment.ts';
import { planLoad } from '../plan/index.ts';
import { quick, usual } from '../plan/testing/targets.ts';
import type { Probe } from '../probe.ts';
import { analyse } from './analyse.ts';
import type { Execute } from './carry-out.ts';
import { Spans } from './spans.ts';
import { ledgerOf, rateLedger } from './testing/fake-execute.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const { probes } = planLoad({ target: usual, profile: 'gate', only: ['cancel.*'], calibration: quick });
const probeOf = (id: string): Probe => {
  const found = probes.find((probe) => probe.id === id);
  if (!found) throw new Error(`no probe ${id}`);
  return found;
};
const rate = probeOf('cancel.rate');
const held = probeOf('cancel.concurrency');

const env: ProbeEnvironment = {
  target: usual,
  credentials: { accessKey: null, jobKey: null, brokeKey: null, otherKey: null },
  runId: 'r',
  k6Bin: 'k6',
  dir: 'dir',
  signal: new AbortController().signal,
  progress() {},
};

const takes =
  (ms: number): Execute =>
  async () => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return ledgerOf();
  };

async function run(spans: Spans, probe: Probe, execute: Execute): Promise<void> {
  const running = spans
    .watch(execute)(probe, env)
    .catch(() => '');
  await vi.runAllTimersAsync();
  await running;
}

const ranOf = (facts: LoadFacts) => (facts.kind === 'missing' ? undefined : facts.health.ran);

test('a probe’s facts say when it ran, also when its sender broke', async () => {
  const spans = new Spans();
  await run(spans, held, takes(300));
  await run(spans, rate, async (...args) => {
    await takes(50)(...args);
    throw new Error('no k6');
  });
  expect(ranOf(spans.tell(analyse(held, decodeLedger(ledgerOf()))))).toEqual({ fromMs: 0, untilMs: 300 });
  expect(ranOf(spans.tell(analyse(rate, decodeLedger(rateLedger(rate, 100)))))).toEqual({ fromMs: 300, untilMs: 350 });
});

test('of what never ran there is nothing to report', () => {
  const spans = new Spans();
  expect(ranOf(spans.tell(analyse(held, decodeLedger(ledgerOf()))))).toBeUndefined();
  const missing: LoadFacts = { kind: 'missing', checkIds: ['a.b'], outcome: { kind: 'not-observable', needs: 'a' } };
  expect(spans.tell(missing)).toBe(missing);
});
