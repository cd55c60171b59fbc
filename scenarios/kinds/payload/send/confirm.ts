/**
 * Whether the target cut a connection, or answered with a server error, for the size of a body. A road on which connections
 * break cuts one now and then, or all for a while: so a size that broke off every time is sent again, each time behind a
 * small body that shows whether connections last at that time, until one lasts.
 */
import type { BodyEncoding, PayloadOutcome } from '../../../../schemas/facts.ts';
import type { LedgerEntry } from '../../../../schemas/ledger.ts';
import type { OwnLedger } from '../../../execute/own-ledger.ts';
import { type Attempt, nextSize, type Sizes } from '../../../k6/lib/bisection.ts';
import type { PayloadParameters } from '../../../probe.ts';
import { decodeSize } from './note.ts';
import { fateOf, payloadOutcome } from './outcome.ts';
import { MOST_AGAIN } from './sizes.ts';

/** One body to send. */
export interface Sized {
  readonly phase: 'try' | 'retry' | 'between' | 'control';
  readonly bytes: number;
  readonly encoding: BodyEncoding;
}

export type SendSized = (one: Sized) => Promise<PayloadOutcome>;

/** A body that broke off is tried again at once, so that the search goes on from what became of it. Rejects as `send` does. */
export async function searchSizes(encoding: BodyEncoding, sizes: Sizes, send: SendSized): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = [];
  let again = 0;
  for (let bytes = nextSize(attempts, sizes); bytes !== null; bytes = nextSize(attempts, sizes)) {
    let outcome = await send({ phase: 'try', bytes, encoding });
    if (outcome === 'broken-off' && again < MOST_AGAIN) {
      again += 1;
      outcome = await send({ phase: 'retry', bytes, encoding });
    }
    attempts.push({ bytes, fate: fateOf(outcome) });
  }
  return attempts;
}

const ENCODINGS: readonly BodyEncoding[] = ['content-length', 'chunked'];

/** Where one connection in ten breaks, four in a row are not rare enough among all the sizes that are sent. */
const ROUNDS = 2;

/** Bodies of both documented sizes, with both encodings, each with a small one. */
export const CONFIRMATIONS = 2 * 2 * ENCODINGS.length * ROUNDS;

/** Rejects as `send` does. */
export async function confirmBreaks(
  { acceptBytes, refuseBytes, floorBytes }: PayloadParameters,
  all: OwnLedger,
  send: SendSized,
): Promise<void> {
  for (const encoding of ENCODINGS) {
    for (const bytes of [acceptBytes, refuseBytes]) {
      for (let round = 0; round < ROUNDS && alwaysBrokenOff(all.all(), bytes, encoding); round += 1) {
        await send({ phase: 'between', bytes: floorBytes, encoding: 'content-length' });
        await send({ phase: 'retry', bytes, encoding });
      }
    }
  }
}

function alwaysBrokenOff(entries: readonly LedgerEntry[], bytes: number, encoding: BodyEncoding): boolean {
  const own = entries.filter(({ note }) => {
    const size = decodeSize(note);
    return size?.bytes === bytes && size.encoding === encoding;
  });
  return own.length > 0 && own.every((entry) => payloadOutcome(entry) === 'broken-off');
}
