import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../../schemas/ledger.ts';
import { queueParameters as parameters } from '../../testing/queue-parameters.ts';
import { purgeFacts } from './measure-purge.ts';

const line = (phase: string, note: string, sentMs = 0, changes: Partial<LedgerEntry> = {}): LedgerEntry => ({
  phase,
  operation: 'status',
  sentMs,
  firstByteMs: sentMs + 1,
  endMs: sentMs + 1,
  status: 200,
  error: '',
  note,
  ...changes,
});
const purge = (sentMs = 100): LedgerEntry => line('purge', '501', sentMs, { operation: 'purge-queue' });
const facts = (...entries: readonly LedgerEntry[]) => purgeFacts(parameters, entries).purge;

test('without a purge there is nothing to say', () => expect(facts(line('cleared', 'cleared'))).toBeUndefined());

test('the effect of a purge is counted only where the target shows it', () => {
  expect(
    facts(
      line('running', 'kept'),
      line('running', 'kept'),
      purge(),
      line('cleared', 'cleared'),
      line('cleared', 'queued'),
      line('cleared', 'unknown'),
      line('kept', 'kept'),
      line('kept', 'unknown'),
      line('next', '', 300, { operation: 'run' }),
    ),
  ).toEqual({
    status: 200,
    queuedBefore: 501,
    sampled: 2,
    cleared: 1,
    notReported: 1,
    countAfter: null,
    leftLater: null,
    running: 1,
    runningKept: 1,
    nextStatus: 200,
    sentInWindow: 1,
  });
});

test('jobs that were still queued are counted again later', () => {
  const left = [line('cleared', 'queued'), line('cleared', 'queued')];
  expect(facts(purge(), ...left, line('cleared-later', 'queued'), line('cleared-later', 'cleared'))?.leftLater).toBe(1);
  expect(facts(purge(), ...left, line('cleared-later', 'cleared'))?.leftLater).toBe(0);
});

describe('the job that was to end soon', () => {
  const room = line('make-room', '', 50, { operation: 'cancel' });
  const ran = line('finisher', 'running', 60);
  const ended = (...notes: readonly string[]) => notes.map((note) => line('finished', note, 200));

  test.each([
    [['running', 'completed'], 'completed'],
    [['cancelled'], 'cancelled'],
    [['running', 'failed'], 'failed'],
    [['gone'], 'gone'],
    [['running'], 'unknown'],
    [['unknown'], 'unknown'],
    [[], 'unknown'],
  ])('seen as %j it came to %s', (notes, finished) => {
    expect(facts(room, ran, purge(), ...ended(...notes))?.finished).toBe(finished);
  });

  test('says nothing when it was not seen running, or may have ended before the purge was answered', () => {
    expect(facts(room, purge(), ...ended('completed'))).not.toHaveProperty('finished');
    expect(facts(ran, purge(), ...ended('completed'))).not.toHaveProperty('finished');
    expect(facts(room, ran, purge(2049), ...ended('completed'))).not.toHaveProperty('finished');
    expect(facts(room, ran, purge(2048), ...ended('completed'))).toHaveProperty('finished');
  });
});

test('health may show how many are left', () => {
  expect(facts(purge(), line('after', '7', 200, { operation: 'health' }))?.countAfter).toBe(7);
  expect(facts(purge(), line('after', '', 200, { operation: 'health' }))?.countAfter).toBeNull();
});

test('submissions before the next one count as far as the window reaches', () => {
  const run = (phase: string, sentMs: number): LedgerEntry => line(phase, '', sentMs, { operation: 'run' });
  const entries = [run('fill', 0), run('fill', 20_000), run('full', 25_000), purge(25_100), run('next', 26_000)];
  expect(facts(...entries)?.sentInWindow).toBe(3);
});

test('long jobs that were not known to run before the purge are no evidence after it', () => {
  const polls = [line('running', 'gone'), line('running', 'kept'), purge(), line('kept', 'gone'), line('kept', 'gone')];
  expect(facts(...polls)).toMatchObject({ running: 1, runningKept: 0 });
});

test.each<[string, string | undefined, readonly LedgerEntry[]]>([
  ['a cancelled job is known to the end', 'kept', [line('witness', 'known'), line('witness-later', 'known')]],
  ['it is unknown at the end', 'lost', [line('witness', 'known'), line('witness-later', 'forgotten')]],
  ['it was unknown before', undefined, [line('witness', 'forgotten'), line('witness-later', 'forgotten')]],
  ['it got no answer', undefined, [line('witness', 'known'), line('witness-later', 'unknown')]],
  [
    'it is unknown, but a job ran to its end',
    'kept',
    [line('witness', 'known'), line('witness-later', 'forgotten'), line('finished', 'completed')],
  ],
])('what the target still knows: %s', (_, memory, polls) => {
  expect(facts(purge(), ...polls)?.memory).toBe(memory);
});
