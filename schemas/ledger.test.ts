import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeLedger, encodeEntry, encodeMark } from './ledger.ts';

const ms = fc.integer({ min: 0, max: 1e9 }).map((micro) => micro / 1000);
const entry = fc.record({
  phase: fc.string(),
  operation: fc.string(),
  sentMs: ms,
  firstByteMs: ms,
  endMs: ms,
  status: fc.integer({ min: 0, max: 599 }),
  error: fc.string(),
  note: fc.string(),
});

test('what is written is read again, whatever strings it holds', () => {
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      const text = entries.map((one) => `${encodeEntry(one)}\n`).join('');
      expect(decodeLedger(text)).toEqual({ entries, marks: [], unreadable: 0 });
    }),
  );
});

test('marks keep both clocks', () => {
  const mark = { mark: 'start', wallMs: 1234.5, monotonicMs: 6.789 } as const;
  expect(decodeLedger(encodeMark(mark)).marks).toEqual([mark]);
});

test('a line of something else is counted, not dropped', () => {
  const text = ['["burst","run",1,2,3,200,"",""]', '["burst","run",1', 'level=error msg=boom', '[1,2]', '{}', ''].join(
    '\n',
  );
  const ledger = decodeLedger(text);
  expect(ledger.entries).toHaveLength(1);
  expect(ledger.unreadable).toBe(4);
});
