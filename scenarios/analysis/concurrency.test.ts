/** What shows that the waves of a concurrency probe were in the target together, from ledgers made by hand. */
import { expect, test } from 'vitest';
import { encodeEntry, encodeMark, type LedgerEntry } from '../../schemas/ledger.ts';
import { analyseConcurrency } from './index.ts';

const parameters = {
  kind: 'concurrency',
  limitId: 'status.concurrency',
  instId: 'inst-a',
  operations: ['status-sync'],
  technique: 'long-poll',
  limit: 2,
  extra: 1,
  holdMs: 100,
} as const;

function at(phase: string, sentMs: number, firstByteMs: number, status = 200, operation = 'status-sync'): LedgerEntry {
  const note = phase === 'control' ? '' : status === 429 ? 'early' : 'released';
  return { phase, operation, sentMs, firstByteMs, endMs: firstByteMs, status, error: '', note };
}

const control = (sentMs: number, firstByteMs: number, status = 200, operation = 'health') =>
  at('control', sentMs, firstByteMs, status, operation);

function analysed(entries: readonly LedgerEntry[], planned = 3) {
  const mark = (name: 'start' | 'end', ms: number) => encodeMark({ mark: name, wallMs: 1000 + ms, monotonicMs: ms });
  const lines = [mark('start', 0), ...entries.map(encodeEntry), mark('end', 200)];
  return analyseConcurrency(parameters, lines.join('\n'), planned);
}

/** Three wait together from 10 on until 100, as a target without the limit lets them. */
const waiting = [at('within', 1, 100), at('within', 1, 101), at('beyond', 10, 102)];

test('three control requests between the last sending and the first answer show it', () => {
  const facts = analysed([...waiting, control(20, 22), control(23, 25), control(26, 28)]);
  expect(facts).toMatchObject({ arrivedTogether: true, overlapInner: 3, fewestAtRefusal: null });
});

test('a refused control request is an answer too, and so is any status', () => {
  expect(analysed([...waiting, control(20, 22, 429), control(23, 25, 404), control(26, 28, 500)]).arrivedTogether).toBe(
    true,
  );
});

test.each([
  ['there are none', []],
  ['there are only two', [control(20, 22), control(23, 25)]],
  ['one got no answer', [control(20, 22), control(23, 25), control(26, 99, 0)]],
  ['one was sent before the last of the waves', [control(9, 22), control(23, 25), control(26, 28)]],
  ['one was answered after the first of the waves', [control(20, 22), control(23, 25), control(26, 100.5)]],
  ['a target that caught up answered all at once', [control(20, 103), control(104, 105), control(106, 107)]],
])('nothing shows it when %s', (_, controls) => {
  const facts = analysed([...waiting, ...controls]);
  expect(facts).toMatchObject({ arrivedTogether: false, overlapInner: 3 });
});

test('what was refused meanwhile was answered before, and shows nothing else', () => {
  const refused = [at('within', 1, 100), at('within', 1, 101), at('beyond', 10, 12, 429)];
  expect(analysed([...refused, control(20, 22), control(23, 25), control(26, 28)]).arrivedTogether).toBe(true);
});

test('one that was lost before the controls were answered may never have arrived', () => {
  const lost = [...waiting, at('beyond', 10, 21, 0)];
  expect(analysed([...lost, control(20, 22), control(23, 25), control(26, 28)], 4).arrivedTogether).toBe(false);
});

test('control requests are in no count', () => {
  const controls = [control(20, 22), control(23, 25), control(26, 28)];
  const [without, having] = [analysed(waiting, 6), analysed([...waiting, ...controls], 6)];
  expect(having).toEqual({ ...without, arrivedTogether: true });
  expect(having.health).toMatchObject({ sent: 3, planned: 6 });
});

test('a control request that takes a slot may be why another got none', () => {
  const crowded = [at('within', 1, 100), at('within', 15, 30, 429)];
  expect(analysed(crowded).refusedWithinLimit).toBe(1);
  const models = control(20, 22, 200, 'models');
  expect(analysed([...crowded, models])).toMatchObject({ refusedWithinLimit: 0, fewestAtRefusal: 2 });
  expect(analysed([...crowded, control(20, 22)])).toMatchObject({ refusedWithinLimit: 1, fewestAtRefusal: 1 });
});
