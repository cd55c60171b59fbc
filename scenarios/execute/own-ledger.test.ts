import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { decodeLedger, encodeEntry, encodeMark, type LedgerEntry } from '../../schemas/ledger.ts';
import { generatorHealth } from '../analysis/health.ts';
import { begun, continued, type OwnLedger } from './own-ledger.ts';

const entry = (sentMs: number): LedgerEntry => ({
  phase: 'try',
  operation: 'run',
  sentMs,
  firstByteMs: sentMs,
  endMs: sentMs,
  status: 200,
  error: '',
  note: '',
});
const start = encodeMark({ mark: 'start', wallMs: 5000, monotonicMs: 10 });
const end = (wallMs: number) => encodeMark({ mark: 'end', wallMs, monotonicMs: 1010 });

const { signal } = new AbortController();
const nothing = async (): Promise<void> => {};

function goingOn(text: string): OwnLedger {
  const all = continued(text);
  if (!all) throw new Error('the ledger has an end');
  return all;
}

test('the second sender goes on where the first one ended, under one end mark', async () => {
  const all = goingOn([start, encodeEntry(entry(20)), end(6000)].join('\n'));
  await delay(20);
  const sentMs = all.clock();
  expect(sentMs).toBeGreaterThan(1010);
  all.add(entry(sentMs));
  const { entries, marks, unreadable } = decodeLedger(await all.during(signal, nothing));
  expect(entries.map((one) => one.sentMs)).toEqual([20, expect.closeTo(sentMs, 1)]);
  expect(marks.map(({ mark }) => mark)).toEqual(['start', 'end']);
  expect(marks[1]?.monotonicMs).toBeGreaterThanOrEqual(sentMs - 1);
  expect(unreadable).toBe(0);
  expect(all.all()).toHaveLength(2);
});

test('a clock that stepped under the first sender has stepped in the whole ledger', async () => {
  const text = await goingOn([start, end(9000)].join('\n')).during(signal, nothing);
  const health = generatorHealth(decodeLedger(text), 0);
  expect(health.clockStepMs).toBeGreaterThan(2900);
  expect(health.clockStepMs).toBeLessThan(3100);
});

test('without an end there is nothing to go on from, and unless all was sent there is none', async () => {
  expect(continued(start)).toBeNull();
  expect(continued('')).toBeNull();
  const stopped = new AbortController();
  const text = await goingOn([start, end(6000)].join('\n')).during(stopped.signal, async () => {
    stopped.abort();
    stopped.signal.throwIfAborted();
  });
  expect(decodeLedger(text).marks).toHaveLength(1);
});

test('what went wrong without an abort is thrown', async () => {
  const sent = begun().during(signal, async () => {
    throw new Error('a fault of ours');
  });
  await expect(sent).rejects.toThrow('a fault of ours');
});

test('a ledger of its own begins at nothing', async () => {
  const all = begun();
  expect(all.clock()).toBeLessThan(1000);
  expect(generatorHealth(decodeLedger(await all.during(signal, nothing)), 0)).toMatchObject({
    complete: true,
    sent: 0,
  });
});
