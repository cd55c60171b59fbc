/** An operation without a stated limit: a steady load far beyond the others' limits, none of it to be refused. */
import { scenario } from 'k6/execution';
import type { Options } from 'k6/options';
import { controlRequest } from '../execute/control.ts';
import { now } from './lib/clock.ts';
import { readParameters } from './lib/environment.ts';
import { guarded } from './lib/guard.ts';
import { markEnd } from './lib/ledger.ts';
import { byFreeVu, scriptOptions } from './lib/options.ts';
import { sendSlot } from './lib/pace.ts';
import { type Begun, beginWith } from './lib/runner.ts';
import { slots, TOGETHER_AT_MS } from './lib/schedule.ts';

const { probe, addresses, patienceMs, runner } = readParameters('unlimited');
const span = { fromMs: 0, periodMs: probe.periodMs, untilMs: probe.durationMs };
const START_AFTER_MS = 200;

export const options: Options = scriptOptions(
  { pace: byFreeVu('pace', probe.vus, slots(span), patienceMs) },
  patienceMs,
  addresses,
);

interface Prepared extends Begun {
  readonly baseMs: number;
}

export function setup(): Prepared {
  const begun = beginWith(runner, addresses.runId, () => controlRequest(addresses, [probe.operation]));
  return { ...begun, baseMs: runner ? begun.delayMs + TOGETHER_AT_MS : now() + START_AFTER_MS };
}

export const pace = guarded(({ baseMs }: Prepared): void => {
  const { vus, operation } = probe;
  const pace = { span, latestMs: Number.POSITIVE_INFINITY, vus, operations: [operation] };
  sendSlot(addresses, pace, scenario.iterationInTest, baseMs);
});

export function teardown({ zeroWallMs }: Prepared): void {
  markEnd(zeroWallMs);
}
