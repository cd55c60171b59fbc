/** What is sent once more where every connection of a size was cut. */
import { expect, test } from 'vitest';
import { encodeMark, type LedgerEntry } from '../../schemas/ledger.ts';
import { entryOf } from '../testing/ledger.ts';
import { CONFIRMATIONS, confirmCuts } from './confirm.ts';
import { encodeSize } from './note.ts';
import type { Sized } from './search.ts';
import { payloadParameters as parameters } from './testing/parameters.ts';
import { continued } from './timeline.ts';

const { acceptBytes, refuseBytes, floorBytes } = parameters;
type Told = readonly [bytes: number, status: number, encoding?: 'content-length' | 'chunked'];

async function sentAfter(...told: readonly Told[]): Promise<Sized[]> {
  const all = continued(encodeMark({ mark: 'end', wallMs: 0, monotonicMs: 0 }));
  if (!all) throw new Error('the ledger has an end');
  for (const [bytes, status, encoding = 'content-length'] of told) {
    const note = encodeSize({ bytes, encoding, sent: null, seen: null });
    const changes: Partial<LedgerEntry> = { status, error: status === 0 ? 'ECONNRESET' : '', note };
    all.add(entryOf({ phase: 'try', ...changes }));
  }
  const sent: Sized[] = [];
  await confirmCuts(parameters, all, async (one) => {
    sent.push(one);
    return 'reset';
  });
  return sent;
}

test('a size whose every connection was cut is sent behind a small one', async () => {
  expect(await sentAfter([refuseBytes, 0], [refuseBytes, 0], [acceptBytes, 200])).toEqual([
    { phase: 'between', bytes: floorBytes, encoding: 'content-length' },
    { phase: 'again', bytes: refuseBytes, encoding: 'content-length' },
  ]);
});

test('one that was answered once, or was not sent, or decides nothing, is not', async () => {
  expect(await sentAfter([refuseBytes, 0], [refuseBytes, 413], [acceptBytes + 5, 0])).toEqual([]);
});

test('never more than is announced', async () => {
  const both = [acceptBytes, refuseBytes].flatMap((bytes): Told[] => [
    [bytes, 0],
    [bytes, 0, 'chunked'],
  ]);
  expect(await sentAfter(...both)).toHaveLength(CONFIRMATIONS);
});
