/** What was spent is counted only where the ledger surely has all of it. */
import { expect, test } from 'vitest';
import { decodeLedger } from '../../schemas/ledger.ts';
import { encodeLost } from '../../schemas/ledger-machine.ts';
import { documentedTable } from '../../schemas/limits.ts';
import { spentOf } from './spent.ts';
import { ledgerOf, line, mark } from './testing/fake-execute.ts';

const spends = { run: 5, status: 100, cancel: 0 };
const of = (text: string) => spentOf({ spends }, decodeLedger(text), documentedTable);

test('each operation counts against its limit, with any outcome', () => {
  const lines = [line('setup', 'run', 1), line('held', 'status', 2, 429), line('over', 'status-sync', 3, 0)];
  expect(of(ledgerOf(...lines, line('follow-up', 'stream', 4), line('watch', 'health', 5)))).toEqual({
    run: 1,
    status: 3,
    cancel: 0,
  });
  expect(of(ledgerOf())).toEqual({ run: 0, status: 0, cancel: 0 });
});

test('never more than was announced for one window: the rest was spent in another', () => {
  const many = Array.from({ length: 9 }, (_, index) => line('fill', 'run', index));
  expect(of(ledgerOf(...many))).toEqual({ run: 5, status: 0, cancel: 0 });
});

test('where lines may be missing, all that was announced counts', () => {
  expect(of('')).toEqual(spends);
  expect(of([mark('start'), line('setup', 'run', 1)].join('\n'))).toEqual(spends);
  expect(of(`${ledgerOf(line('setup', 'run', 1))}["torn`)).toEqual(spends);
  expect(of(`${ledgerOf(line('setup', 'run', 1))}${encodeLost({ lines: 3, why: 'the disk is full' })}\n`)).toEqual(
    spends,
  );
});
