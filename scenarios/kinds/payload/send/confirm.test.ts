/** What is sent once more where every connection of a size was cut. */
import { expect, test } from 'vitest';
import { encodeMark, type LedgerEntry } from '../../../../schemas/ledger.ts';
import { continued } from '../../../execute/own-ledger.ts';
import { entryOf } from '../../../testing/ledger.ts';
import { CONFIRMATIONS, confirmBreaks, type Sized } from './confirm.ts';
import { encodeSize } from './note.ts';
import { payloadParameters as parameters } from './testing/parameters.ts';

const { acceptBytes, refuseBytes, floorBytes } = parameters;
type Scripted = readonly [bytes: number, status: number, encoding?: 'content-length' | 'chunked'];

const sentAfter = (...reported: readonly Scripted[]): Promise<Sized[]> => sent(reported, () => 0);

/** @param answer status of the so-manieth one that is sent again */
async function sent(reported: readonly Scripted[], answer: (index: number) => number): Promise<Sized[]> {
  const all = continued(encodeMark({ mark: 'end', wallMs: 0, monotonicMs: 0 }));
  if (!all) throw new Error('the ledger has an end');
  const add = ([bytes, status, encoding = 'content-length']: Scripted) => {
    const note = encodeSize({ bytes, encoding, sent: null, seen: null });
    const changes: Partial<LedgerEntry> = { status, error: status === 0 ? 'ECONNRESET' : '', note };
    all.add(entryOf({ phase: 'try', ...changes }));
  };
  reported.forEach(add);
  const list: Sized[] = [];
  await confirmBreaks(parameters, all, async (one) => {
    const again = list.filter(({ phase }) => phase === 'retry').length;
    list.push(one);
    if (one.phase === 'retry') add([one.bytes, answer(again), one.encoding]);
    return 'broken-off';
  });
  return list;
}

const pair = [
  { phase: 'between', bytes: floorBytes, encoding: 'content-length' },
  { phase: 'retry', bytes: refuseBytes, encoding: 'content-length' },
];

test('a size whose every connection was cut is sent again, each time behind a small one', async () => {
  expect(await sentAfter([refuseBytes, 0], [refuseBytes, 0], [acceptBytes, 200])).toEqual([...pair, ...pair]);
});

test('until one lasts', async () => {
  expect(await sent([[refuseBytes, 0]], () => 413)).toEqual(pair);
});

test('one that was answered once, or was not sent, or decides nothing, is not', async () => {
  expect(await sentAfter([refuseBytes, 0], [refuseBytes, 413], [acceptBytes + 5, 0])).toEqual([]);
});

test('never more than is announced', async () => {
  const both = [acceptBytes, refuseBytes].flatMap((bytes): Scripted[] => [
    [bytes, 0],
    [bytes, 0, 'chunked'],
  ]);
  expect(await sentAfter(...both)).toHaveLength(CONFIRMATIONS);
});
