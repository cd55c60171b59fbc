import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeLedger, encodeEntry, encodeMark, encodeShort, headOf } from './ledger.ts';
import { plainEntry } from './ledger-rows.ts';

const entriesOf = (text: string) => decodeLedger(text).entries.map(plainEntry);

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

test('what is written is read again, with any strings', () => {
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      const text = entries.map((one) => `${encodeEntry(one)}\n`).join('');
      expect(entriesOf(text)).toEqual(entries);
      expect(decodeLedger(text)).toMatchObject({ marks: [], unreadable: 0 });
    }),
  );
});

test('the moments at which it was due and at which the sender began are kept as well', () => {
  const scheduled = fc
    .tuple(entry, fc.option(fc.record({ dueMs: ms, begunMs: ms }), { nil: {} }))
    .map((parts) => Object.assign({}, ...parts));
  fc.assert(
    fc.property(fc.array(scheduled), (entries) => {
      expect(entriesOf(entries.map(encodeEntry).join('\n'))).toEqual(entries);
    }),
  );
});

test('one row of many keeps its own, whichever it is', () => {
  const all = Array.from({ length: 1000 }, (_, index) => {
    const times = { sentMs: index, firstByteMs: index + 0.25, endMs: index + 0.5 };
    const due = index % 3 === 0 ? { dueMs: index - 0.25, begunMs: index - 0.125 } : {};
    return {
      phase: `p${index % 4}`,
      operation: 'run',
      ...times,
      status: 200 + index,
      error: '',
      note: `${index}`,
      ...due,
    };
  });
  expect(entriesOf(all.map(encodeEntry).join('\n'))).toEqual(all);
});

test('a sender that does not say when it began did so when it sent', () => {
  const times = { sentMs: 12, firstByteMs: 13, endMs: 14 };
  const one = { phase: 'pace', operation: 'run', ...times, status: 200, error: '', note: '', dueMs: 10 };
  expect(entriesOf(encodeEntry(one))).toEqual([{ ...one, begunMs: 12 }]);
});

test('a row is read as plain JSON', () => {
  fc.assert(
    fc.property(entry, (one) => {
      const { phase, operation, sentMs, firstByteMs, endMs, status, error, note } = one;
      const row = [phase, operation, sentMs, firstByteMs, endMs, status, error, note];
      expect(JSON.parse(encodeEntry(one))).toEqual(row);
      expect(JSON.parse(encodeEntry({ ...one, dueMs: 1.5, begunMs: 2 }))).toEqual([...row, 1.5, 2]);
    }),
  );
});

test('a short row is the long one of the same request', () => {
  const took = fc.double({ min: 0, max: 1e5, noNaN: true });
  fc.assert(
    fc.property(
      entry,
      took,
      took,
      took,
      fc.option(took, { nil: undefined }),
      (one, begunMs, blocked, receiving, dueMs) => {
        const endMs = begunMs + blocked + receiving;
        const { phase, operation, status } = one;
        const times = { sentMs: begunMs + blocked, firstByteMs: endMs - receiving, endMs };
        const due = dueMs === undefined ? {} : { dueMs, begunMs };
        const long = encodeEntry({ phase, operation, ...times, status, error: '', note: '', ...due });
        const short = encodeShort(headOf(phase, operation), begunMs, blocked, receiving, endMs, status, dueMs);
        expect(entriesOf(short)).toEqual(entriesOf(long));
        expect(entriesOf(short)).toHaveLength(1);
      },
    ),
  );
});

test('ledgers from before the moments were written are read as they were', () => {
  const [only] = entriesOf('["burst","run",1,2,3,200,"",""]');
  expect(only).toEqual({
    phase: 'burst',
    operation: 'run',
    sentMs: 1,
    firstByteMs: 2,
    endMs: 3,
    status: 200,
    error: '',
    note: '',
  });
  expect(Object.keys(only ?? {})).not.toContain('dueMs');
});

test.each([
  '["pace","run",1,2,3,200,"","",4]',
  '["pace","run",1,2,3,200,"","",4,null]',
  '["pace","run",1,2,3,200,"","",4,5,6]',
  '["pace","run",1,2,3,200]',
  '["pace","run",1,2,3,null,200]',
  '["pace","run",1,2,3,4,200,""]',
  '["pace",1,2,3,4,5,200]',
  '["pace","run",1,2,3,4,200,5,6]',
])('a row of another form is unreadable: %s', (line) => {
  expect(decodeLedger(line)).toMatchObject({ entries: [], unreadable: 1 });
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
