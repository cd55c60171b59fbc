/** Ledgers of streams -> when each token arrived, counted from where its stream began. */
import { expect, test } from 'vitest';
import { decodeLedger, encodeEntry, encodeMark, type LedgerEntry } from '../../../schemas/ledger.ts';
import type { StreamTimingParameters } from '../../probe.ts';
import { analyseStreamTiming } from './index.ts';
import { noteOf } from './send/index.ts';

const chat: StreamTimingParameters = {
  kind: 'stream-timing',
  instId: '',
  operation: 'chat',
  streams: 2,
  tokens: 3,
  apartMs: 0,
  readsMost: 0,
};

function entry(
  phase: string,
  sentMs: number,
  endMs: number,
  tokens: readonly number[] = [],
  status = 200,
): LedgerEntry {
  const times = { sentMs, firstByteMs: sentMs + 1, endMs };
  return { phase, operation: 'chat', ...times, status, error: '', note: noteOf(tokens) };
}

const analysed = (entries: readonly LedgerEntry[]) => {
  const mark = (name: 'start' | 'end') => encodeMark({ mark: name, wallMs: 0, monotonicMs: 0 });
  return analyseStreamTiming(
    chat,
    decodeLedger([mark('start'), ...entries.map(encodeEntry), mark('end')].join('\n')),
    2,
  );
};

test('a completion is a stream by itself', () => {
  const { streams, health } = analysed([
    entry('completion', 10, 40, [15, 25, 39.5]),
    entry('completion', 50, 55, [], 500),
  ]);
  expect(streams).toEqual([
    { status: 200, tokensMs: [5, 15, 29.5], wholeMs: 30 },
    { status: 500, tokensMs: [], wholeMs: 5 },
  ]);
  expect(health).toMatchObject({ sent: 2, planned: 2, complete: true });
});

test('a job is one from its submission to the last answer about it', () => {
  const job = [entry('submit', 100, 101), entry('read', 102, 110, [108]), entry('read', 111, 130, [112, 129], 200)];
  expect(analysed([...job, entry('submit', 200, 201, [], 429)]).streams).toEqual([
    { status: 200, tokensMs: [8, 12, 29], wholeMs: 30 },
    { status: 429, tokensMs: [], wholeMs: 1 },
  ]);
});
