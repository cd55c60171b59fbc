/** Payload limit: bodies of chosen sizes, one by one over connections of their own, until the border is known. */
import type { Options } from 'k6/options';
import { outgoing } from '../execute/requests.ts';
import { echoIn } from '../kinds/payload/send/job-echo.ts';
import { encodeSize } from '../kinds/payload/send/note.ts';
import { fateOf, payloadOutcome } from '../kinds/payload/send/outcome.ts';
import { markOfBody, rangeOf } from '../kinds/payload/send/sizes.ts';
import { type Attempt, nextSize } from './lib/bisection.ts';
import { bodyOf, frameOf } from './lib/body.ts';
import { now } from './lib/clock.ts';
import { readParameters } from './lib/environment.ts';
import { guarded } from './lib/guard.ts';
import { type Answer, send } from './lib/http.ts';
import { markEnd, markStart } from './lib/ledger.ts';
import { DRAIN_MS, onePerVu, scriptOptions } from './lib/options.ts';

interface Prepared {
  readonly zeroWallMs: number;
}

const ENCODING = 'content-length';
const { probe, addresses, patienceMs } = readParameters('payload');
const TIMEOUT_MS = DRAIN_MS;

export const options: Options = {
  ...scriptOptions({ sizes: onePerVu('sizes', 1, patienceMs) }, patienceMs, addresses),
  noConnectionReuse: true,
};

export function setup(): Prepared {
  return { zeroWallMs: markStart() };
}

export const sizes = guarded((): void => {
  const attempts: Attempt[] = [];
  const range = rangeOf(probe, addresses);
  for (let bytes = nextSize(attempts, range); bytes !== null; bytes = nextSize(attempts, range)) {
    if (now() > patienceMs) return;
    attempts.push({ bytes, fate: fateOf(payloadOutcome(trySize(bytes))) });
  }
});

export function teardown({ zeroWallMs }: Prepared): void {
  markEnd(zeroWallMs);
}

/** In a function of its own, so that only one large body is alive at a time. */
function trySize(bytes: number): Answer {
  const frame = frameOf(addresses, markOfBody(probe, { bytes, encoding: ENCODING }));
  return send(outgoing(addresses, probe.operation, { body: null }), {
    phase: 'try',
    bytes: bodyOf(frame, bytes),
    timeoutMs: TIMEOUT_MS,
    keepBody: true,
    note: ({ body }) => encodeSize({ bytes, encoding: ENCODING, sent: null, seen: echoIn(body, frame.word) }),
  });
}
