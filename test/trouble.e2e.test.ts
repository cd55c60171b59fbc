/**
 * The real thing in trouble. Whatever happens to generator, road or target, a sound target is never called broken, one
 * that keeps no limit is never said to keep it, and where the trouble took the evidence away, the verdict says so.
 */
import { describe, expect, test } from 'vitest';
import { scaledTable } from '../scenarios/testing/scaled-table.ts';
import { starvedFor } from './support/trouble/k6.ts';
import { having, type Played, play, reasons, type Scene } from './support/trouble/scene.ts';

const WINDOW_MS = 2000;
const table = scaledTable({ windowMs: WINDOW_MS });
/** Far above what a probe sends. */
const OFF = 100_000;
const none = scaledTable({ windowMs: WINDOW_MS, values: { 'run.rate': OFF, 'status.rate': OFF, 'cancel.rate': OFF } });
const RATES = ['{run,status,cancel}.rate.{guarantee,enforced,shared}'];
/** About when bursts are sent, and in the middle of their pace, ms from the start. */
const [BURST_MS, PACE_MS] = [3200, 7500];
const PATIENCE_MS = 170_000;

interface Trouble extends Omit<Scene, 'table' | 'only' | 'kept'> {
  readonly name: string;
  /** What is asked; default: all of the rates. */
  readonly only?: readonly string[];
  /** What the reason of at least one check is then, where the trouble leaves no choice. */
  readonly says?: RegExp;
}

const stopped = (fromMs: number, forMs: number): string =>
  `sleep ${fromMs / 1000}; kill -STOP $k6; sleep ${forMs / 1000}; kill -CONT $k6`;

/** It takes the processor from everything else on the machine as well, so it comes by itself. */
const starved: Trouble = {
  name: 'k6 gets what processor others leave',
  k6: starvedFor(15),
};

/** Several at a time: each mostly waits, and what they take from one another is only more trouble. */
const troubles: readonly Trouble[] = [
  { name: 'k6 stands still in the burst', k6: { beside: stopped(BURST_MS - 200, 700) } },
  {
    name: 'k6 stands still in the pace, twice',
    k6: { beside: `${stopped(PACE_MS - 800, 300)}; ${stopped(500, 1500)}` },
  },
  { name: 'k6 is killed', k6: { beside: 'sleep 4; kill -KILL $k6' }, says: /cut off after \d+ of \d+/ },
  {
    name: 'k6 is gone half-way and says all is well',
    k6: { beside: 'sleep 4; kill -KILL $k6', exitCode: 0 },
    says: /cut off after \d+ of \d+/,
  },
  { name: 'the disk of the ledger is full', k6: { before: 'ulimit -f 4' }, says: /\d+ lines of its ledger could not/ },
  // So far away a window is asked about again and again, and one operation tells as much as three.
  { name: 'the target is 300 ms away', road: { delayMs: 300 }, only: ['run.rate.{guarantee,enforced,shared}'] },
  { name: 'one connection in a hundred is cut', road: { cutShare: 0.01 } },
  { name: 'one in ten', road: { cutShare: 0.1 } },
  {
    name: 'the target restarts and forgets',
    acts: [[BURST_MS + 300, (stage) => stage.restart(1000)]],
  },
  {
    name: 'a gateway answers 503 for a while',
    acts: [
      [BURST_MS - 100, ({ road }) => road.change({ unavailable: true })],
      [BURST_MS + 2500, ({ road }) => road.change({})],
    ],
  },
  {
    name: 'nothing is answered any more from the pace on',
    // Each request that is waited for takes half a minute.
    only: ['run.rate.{guarantee,enforced}'],
    acts: [[PACE_MS, ({ road }) => road.change({ silent: true })]],
    says: /\d+ (of \d+ planned|answers)/,
  },
];

function expectHonest(played: Played, says: RegExp | undefined): void {
  for (const reason of reasons(played)) expect(reason).toMatch(/\d/);
  if (says) expect(reasons(played).join('\n')).toMatch(says);
  expect(having(played, 'error')).toEqual([]);
}

function honest({ name: _, says, only = RATES, ...scene }: Trouble): void {
  test.concurrent('a sound target is not called broken', async () => {
    const played = await play({ ...scene, table, only });
    expect(having(played, 'fail')).toEqual([]);
    expectHonest(played, says);
    if (scene.road?.cutShare) expect(played.road.cut).toBeGreaterThan(0);
  });

  test.concurrent('one without limits is not said to have them', async () => {
    const played = await play({ ...scene, table, kept: none, only });
    expect(having(played, 'pass').filter((line) => !line.includes('guarantee'))).toEqual([]);
    expect(having(played, 'fail').filter((line) => line.includes('guarantee'))).toEqual([]);
    expectHonest(played, says);
  });
}

describe.concurrent.each(troubles)('$name', { timeout: PATIENCE_MS }, honest);
describe(starved.name, { timeout: PATIENCE_MS }, () => honest(starved));
