/**
 * Large bodies, queues and purges, on the real thing in trouble. Whatever happens to sender, road or
 * target, a sound target is never called broken, and one that keeps another limit, or none, is never said to keep it.
 */
import { describe, expect, test } from 'vitest';
import { scaledTable } from '../scenarios/testing/scaled-table.ts';
import { type LimitTable, limitTable } from '../schemas/limits.ts';
import { starvedFor } from './support/trouble/k6.ts';
import { having, type Played, play, reasons, type Scene } from './support/trouble/scene.ts';
import { inTurns } from './support/trouble/turns.ts';

const WINDOW_MS = 1000;
const PATIENCE_MS = 170_000;
/** Far above what a probe sends. */
const OFF = 100_000_000;
const PER_WORKER = 5;
const QUEUE = { 'run.queue': 4, 'runsync.queue': 4 };

function tableWith(values: Readonly<Record<string, number>>): LimitTable {
  const { rows } = scaledTable({ windowMs: WINDOW_MS, values: { ...QUEUE, ...values } });
  return limitTable(rows.map((row) => (row.kind === 'queue' ? { ...row, perWorker: PER_WORKER } : row)));
}

const table = tableWith({});
const bytes = table.of('content-bytes').find(({ id }) => id === 'run.payload');
if (!bytes) throw new Error('the table has a limit on the bytes of run');

/** A target that does not keep what is asked about, and the checks that it can't pass. */
interface Broken extends Pick<Scene, 'kept' | 'serve'> {
  readonly fails: RegExp;
}

interface Kind {
  readonly name: string;
  readonly only: readonly string[];
  readonly broken: Readonly<Record<string, Broken>>;
  /** Two moments in the middle of what it does, ms from the start of the load. */
  readonly atMs: readonly [number, number];
  /** What it is tried with: each by its name. */
  readonly meets: readonly string[];
}

const RESTART = 'the target restarts and forgets';
const LATER = 'it restarts later';
const GATEWAY = 'a gateway answers 503 for a second';
const FULL = 'the disk of the ledger is full';

const kinds: readonly Kind[] = [
  {
    name: 'large bodies',
    only: ['run.payload.{guarantee,enforced,refusal}'],
    broken: {
      none: { kept: tableWith({ 'run.payload': OFF }), fails: /enforced/ },
      'one more': { kept: tableWith({ 'run.payload': bytes.upperReading + 1 }), fails: /enforced/ },
      'one fewer': { kept: tableWith({ 'run.payload': bytes.value - 1 }), fails: /guarantee/ },
    },
    atMs: [400, 600],
    meets: [FULL, 'the target is 300 ms away', 'one in a hundred', 'one in ten', RESTART, LATER, GATEWAY],
  },
  {
    name: 'a queue and its purge',
    only: ['*.queue.{guarantee,enforced,reopens}', 'purge-queue.load.*'],
    broken: {
      'no rule, and no purge': {
        kept: tableWith({ 'run.queue': OFF, 'runsync.queue': OFF }),
        serve: ['--mutant', 'purge-does-nothing'],
        fails: /enforced|reopens|clears-queued/,
      },
    },
    atMs: [2500, 5000],
    meets: [
      'k6 stands still, twice',
      'k6 gets what others leave',
      'k6 is killed',
      FULL,
      'one in ten',
      RESTART,
      LATER,
      GATEWAY,
    ],
  },
];

type Happening = Pick<Scene, 'k6' | 'road' | 'acts'>;

interface Trouble {
  readonly name: string;
  happens(atMs: Kind['atMs']): Happening;
  /** What the reason of at least one check is then, where the trouble leaves no choice. */
  readonly says?: RegExp;
}

const seconds = (ms: number): string => (ms / 1000).toFixed(2);

const troubles: readonly Trouble[] = [
  {
    name: 'k6 stands still, twice',
    happens: ([one, two]) => {
      const stopped = 'kill -STOP $k6; sleep 0.8; kill -CONT $k6';
      return { k6: { beside: `sleep ${seconds(one)}; ${stopped}; sleep ${seconds(two - one)}; ${stopped}` } };
    },
  },
  { name: 'k6 gets what others leave', happens: () => ({ k6: starvedFor(15) }) },
  {
    name: 'k6 is killed',
    happens: () => ({ k6: { beside: 'sleep 0.25; kill -KILL $k6' } }),
    says: /cut off after \d+ (of \d+ )?requests/,
  },
  {
    name: FULL,
    happens: () => ({ k6: { before: 'ulimit -f 1' } }),
  },
  { name: 'the target is 300 ms away', happens: () => ({ road: { delayMs: 150 } }) },
  { name: 'one in a hundred', happens: () => ({ road: { cutShare: 0.01 } }) },
  { name: 'one in ten', happens: () => ({ road: { cutShare: 0.1 } }) },
  {
    name: RESTART,
    happens: ([one]) => ({ acts: [[one, (stage) => stage.restart(300)]] }),
  },
  { name: LATER, happens: ([, two]) => ({ acts: [[two, (stage) => stage.restart(300)]] }) },
  {
    name: GATEWAY,
    happens: ([one]) => ({
      acts: [
        [one, ({ road }) => road.change({ unavailable: true })],
        [one + 1000, ({ road }) => road.change({})],
      ],
    }),
  },
];

function expectHonest(played: Played, says: RegExp | undefined): void {
  for (const reason of reasons(played)) expect(reason).toMatch(/\d/);
  if (says) expect(reasons(played).join('\n')).toMatch(says);
  expect(having(played, 'error')).toEqual([]);
}

const inTurn = inTurns(4);

describe.each(kinds)('$name', { timeout: PATIENCE_MS }, ({ only, broken, atMs, meets }) => {
  const own = troubles.filter(({ name }) => meets.includes(name));
  if (own.length < meets.length) throw new Error(`${meets.length - own.length} of these troubles are none`);
  const targets = Object.entries(broken);

  test.concurrent.for(own.map((trouble, index) => ({ ...trouble, index })))(
    '$name',
    async ({ happens, says, index }, context) => {
      // With each trouble another of them: there are more troubles than ways to be wrong.
      const [name, { fails, ...target } = { fails: /^$/ }] = targets[index % targets.length] ?? [];
      const [sound, wrong] = await Promise.all([
        inTurn(() => play({ ...happens(atMs), table, only })),
        inTurn(() => play({ ...happens(atMs), ...target, table, only })),
      ]);
      context.expect(having(sound, 'fail', 'warn'), 'of a sound target').toEqual([]);
      const passed = having(wrong, 'pass').filter((line) => fails.test(line.split(' ')[0] ?? ''));
      context.expect(passed, `of one with ${name}`).toEqual([]);
      for (const played of [sound, wrong]) expectHonest(played, says);
    },
  );
});

test.concurrent.for(kinds)('without trouble all of it is decided: $name', { timeout: PATIENCE_MS }, async (kind) => {
  const played = await inTurn(() => play({ table, only: kind.only }));
  expect(having(played, 'fail', 'warn', 'inconclusive', 'error')).toEqual([]);
});
