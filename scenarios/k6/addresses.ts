/**
 * What one address may have at once, and some more, from every runner at the same time. k6 divides VUs between runners, so
 * there are as many times more of them as one runner needs.
 */
import { vu } from 'k6/execution';
import type { Options } from 'k6/options';
import { controlRequest } from '../execute/control.ts';
import { generation, inTurn, outgoing } from '../execute/requests.ts';
import { sendShare, vusFor } from './lib/at-once.ts';
import { sleepUntil } from './lib/clock.ts';
import { readParameters } from './lib/environment.ts';
import { guardedAsync } from './lib/guard.ts';
import { markEnd } from './lib/ledger.ts';
import { onePerVu, scriptOptions } from './lib/options.ts';
import { type Begun, beginWith } from './lib/runner.ts';
import { TOGETHER_AT_MS } from './lib/schedule.ts';

const { probe, addresses, patienceMs, runner } = readParameters('addresses');
const own = probe.limit + probe.extra;
/** A response that takes so long that all of them are in flight during it. */
const TOKENS = 2048;

export const options: Options = scriptOptions(
  { wave: onePerVu('wave', vusFor(own) * probe.runners, patienceMs) },
  patienceMs,
  addresses,
);

export const setup = (): Begun => beginWith(runner, addresses.runId, () => controlRequest(addresses, probe.operations));

export const wave = guardedAsync(async ({ delayMs }: Begun): Promise<void> => {
  sleepUntil(delayMs + TOGETHER_AT_MS);
  const requestAt = (place: number) => {
    const { id, method } = inTurn(probe.operations, place, addresses.operations);
    return outgoing(addresses, id, { method, body: generation(id, addresses, TOKENS) });
  };
  await sendShare(vu.idInInstance - 1, own, requestAt, () => ({ phase: 'wave', timeoutMs: patienceMs }));
});

export function teardown({ zeroWallMs }: Begun): void {
  markEnd(zeroWallMs);
}
