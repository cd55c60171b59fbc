/**
 * Requests at once on the real thing in trouble: held open by their last byte from this process (`requests`), and waiting
 * by themselves from k6 (`status-sync` and `stream`), side by side. A sound target is never called broken, one that
 * keeps another limit, or none, or slots that it should give back, never said to be right.
 */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { scaledTable } from '../scenarios/testing/scaled-table.ts';
import type { LimitTable } from '../schemas/limits.ts';
import { starvedFor } from './support/trouble/k6.ts';
import { having, type Played, play, reasons, type Scene } from './support/trouble/scene.ts';
import { inTurns } from './support/trouble/turns.ts';

const PATIENCE_MS = 120_000;
/** Far above what a probe sends. */
const OFF = 100_000;
const [LISTS, POLLS] = [4, 6];

function tableWith(lists: number, polls: number): LimitTable {
  const rates = { 'requests.rate': 200, 'status.rate': 200, 'run.rate': 200 };
  return scaledTable({ values: { ...rates, 'requests.concurrency': lists, 'status.concurrency': polls } });
}

const requested = {
  table: tableWith(LISTS, POLLS),
  only: ['requests.concurrency.{guarantee,enforced,freed}', 'status.concurrency.{guarantee,enforced}'],
  probes: /^requests\.concurrency$|^status\.concurrency\.long-poll$/,
};

interface Wrong extends Pick<Scene, 'kept' | 'serve'> {
  readonly name: string;
  /** What it can't pass. */
  readonly breaks: RegExp;
}

const wrong: readonly Wrong[] = [
  { name: 'no limit', kept: tableWith(OFF, OFF), breaks: /enforced|freed/ },
  { name: 'one more', kept: tableWith(LISTS + 1, POLLS + 1), breaks: /enforced/ },
  {
    name: 'slots leaked by aborts',
    serve: ['--mutant', 'requests-slot-leaked'],
    breaks: /requests\.concurrency\.freed/,
  },
  { name: 'one fewer', kept: tableWith(LISTS - 1, POLLS - 1), breaks: /guarantee/ },
];

interface Trouble extends Pick<Scene, 'road' | 'k6' | 'acts'> {
  readonly name: string;
  /** What the reason of at least one check is then, where the trouble leaves no choice. */
  readonly says?: RegExp;
}

/** Moments of the held requests: their waves, and the slots that are freed one by one; k6 sends its waves later. */
const [WAVES_MS, SLOTS_MS, POLLS_MS] = [400, 1300, 1900];

const restartAt = (ms: number): Scene['acts'] => [[ms, (stage) => stage.restart(200)]];
const unavailableAt = (ms: number): Scene['acts'] => [
  [ms, ({ road }) => road.change({ unavailable: true })],
  [ms + 1000, ({ road }) => road.change({})],
];

/** The ledger of the held requests goes where there is no room, as that of k6 does. */
const fullDisk: NonNullable<Scene['acts']>[number] = [
  0,
  ({ dir }) => {
    mkdirSync(join(dir, 'ledger'), { recursive: true });
    symlinkSync('/dev/full', join(dir, 'ledger', 'requests.concurrency.ndjson.gz'));
  },
];

const onTheWay: readonly Trouble[] = [
  { name: 'the target is 300 ms away', road: { delayMs: 150 } },
  { name: 'one connection in ten is cut', road: { cutShare: 0.1 } },
  { name: 'the target restarts while slots are freed', acts: restartAt(SLOTS_MS) },
  { name: 'it restarts while k6 waits', acts: restartAt(POLLS_MS) },
  { name: 'k6 is killed', k6: { beside: 'sleep 2; kill -KILL $k6' }, says: /cut off after \d+ of \d+/ },
  { name: 'a gateway answers 503 while k6 waits', acts: unavailableAt(POLLS_MS) },
  { name: 'a gateway answers 503 while slots are freed', acts: unavailableAt(SLOTS_MS) },
  {
    name: 'no disk has room for a ledger',
    k6: { before: 'ulimit -f 0' },
    acts: [fullDisk],
    says: /at least \d+ lines of its ledger could not be written/,
  },
  { name: 'there is little processor', k6: starvedFor(10) },
  {
    name: 'k6 stands still, twice',
    k6: {
      beside:
        'sleep 1.8; kill -STOP $k6; sleep 0.8; kill -CONT $k6; sleep 0.4; kill -STOP $k6; sleep 0.7; kill -CONT $k6',
    },
  },
];

function expectHonest(played: Played, says: RegExp | undefined): void {
  for (const reason of reasons(played)) expect(reason).toMatch(/\d/);
  if (says) expect(reasons(played).join('\n')).toMatch(says);
  expect(having(played, 'error')).toEqual([]);
}

/** A sound target and a wrong one in the same trouble. */
async function meet({ name: _, says, ...happens }: Trouble, { name, breaks, ...target }: Wrong): Promise<void> {
  const [sound, other] = await Promise.all([
    play({ ...requested, ...happens }),
    play({ ...requested, ...happens, ...target }),
  ]);
  expect(having(sound, 'fail', 'warn'), 'of a sound target').toEqual([]);
  expect(
    having(other, 'pass').filter((line) => breaks.test(line.split(' ')[0] ?? '')),
    `of one with ${name}`,
  ).toEqual([]);
  for (const played of [sound, other]) expectHonest(played, says);
}

/** With each trouble another of them, so that slots leak where slots are freed. */
const pick = (index: number): Wrong => wrong[index % wrong.length] ?? { name: 'none', breaks: /^$/ };

const inTurn = inTurns(3);

describe('on the way, at the target, and in k6', { timeout: PATIENCE_MS }, () => {
  test.concurrent.for(onTheWay.map((trouble, index) => ({ ...trouble, index })))('$name', ({ index, ...trouble }) =>
    inTurn(() => meet(trouble, pick(index))),
  );
});

describe('in this process, where all scenes would feel it', { timeout: PATIENCE_MS }, () => {
  let aheadMs = 0;
  const step = () => {
    aheadMs += 900;
  };
  beforeAll(() => {
    const now = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
  });
  afterAll(() => void vi.restoreAllMocks());

  const stepped: Trouble = {
    name: 'the clock is stepped',
    acts: [[WAVES_MS, step]],
    says: /clock stepped by [\d,]+ ms/,
  };
  const still = (atMs: number): Trouble => ({ name: 'the sender stands still', acts: [[atMs, () => block(900)]] });

  test('the clock is stepped', () => meet(stepped, pick(1)));
  test('the sender stands still while waves are sent', () => meet(still(WAVES_MS), pick(1)));
  test('it stands still while slots are freed', () => meet(still(SLOTS_MS), pick(2)));
});

/** Nothing of this process runs meanwhile. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('without trouble', { timeout: PATIENCE_MS }, () => {
  test.concurrent('a sound target passes', async ({ expect }) => {
    const played = await play(requested);
    expect(having(played, 'fail', 'warn', 'inconclusive', 'error')).toEqual([]);
  });

  test.concurrent.for(wrong.slice(1))('$name is found', async ({ name: _, breaks, ...target }) => {
    const failed = having(await play({ ...requested, ...target }), 'fail');
    expect(failed.length).toBeGreaterThan(0);
    for (const line of failed) expect(line.split(' ')[0]).toMatch(breaks);
  });
});
