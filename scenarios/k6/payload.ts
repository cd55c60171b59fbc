/** Payload limit: bodies of chosen sizes, one by one over connections of their own, until the border is known. */
import type { Options } from 'k6/options';
import { isSuccess } from '../../schemas/status.ts';
import { outgoing } from '../execute/requests.ts';
import { type Attempt, type Fate, nextSize } from './lib/bisection.ts';
import { bodyOf, frameOf } from './lib/body.ts';
import { now } from './lib/clock.ts';
import { readParameters } from './lib/environment.ts';
import { isCut } from './lib/error-text.ts';
import { guarded } from './lib/guard.ts';
import { type Answer, send } from './lib/http.ts';
import { markEnd, markStart } from './lib/ledger.ts';
import { DRAIN_MS, onePerVu, scriptOptions } from './lib/options.ts';

interface Prepared {
  readonly zeroWallMs: number;
}

const { probe, addresses, patienceMs } = readParameters('payload');
const frame = frameOf(addresses);
const TIMEOUT_MS = DRAIN_MS;
const OVERSIZED: readonly number[] = [400, 413];

export const options: Options = scriptOptions({ sizes: onePerVu('sizes', 1, patienceMs) }, patienceMs, addresses);

export function setup(): Prepared {
  return { zeroWallMs: markStart() };
}

export const sizes = guarded((): void => {
  const attempts: Attempt[] = [];
  const range = { ...probe, floorBytes: Math.max(frame.smallest, probe.floorBytes) };
  for (let bytes = nextSize(attempts, range); bytes !== null; bytes = nextSize(attempts, range)) {
    if (now() > patienceMs) return;
    attempts.push({ bytes, fate: fateOf(trySize(bytes)) });
  }
});

export function teardown({ zeroWallMs }: Prepared): void {
  markEnd(zeroWallMs);
}

/** In a function of its own, so that only one large body is alive at a time. */
function trySize(bytes: number): Answer {
  return send(outgoing(addresses, probe.operation, { body: null }), {
    phase: 'try',
    bytes: bodyOf(frame, bytes),
    timeoutMs: TIMEOUT_MS,
    freshConnection: true,
    note: () => String(bytes),
  });
}

/** A refusal for another limit, a server error or silence says nothing about the size. */
function fateOf({ status, error }: Answer): Fate {
  if (isSuccess(status)) return 'accepted';
  return OVERSIZED.includes(status) || (status === 0 && isCut(error)) ? 'refused' : 'unclear';
}
