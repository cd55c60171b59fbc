/**
 * Requests at once, bodies and queues in trouble: what a rate is asked by many requests, these are asked by few, so a
 * single one that goes astray must not be taken for the target's fault.
 */
import { describe, expect, test } from 'vitest';
import { scaledTable } from '../scenarios/testing/scaled-table.ts';
import { having, play, reasons, type Scene } from './support/trouble/scene.ts';

const table = scaledTable({ windowMs: 2000 });
const OFF = 100_000;
const kept = scaledTable({ windowMs: 2000, values: { 'cancel.concurrency': OFF, 'run.payload': 1_000_000 } });
const PATIENCE_MS = 170_000;

interface Trouble extends Omit<Scene, 'table' | 'only' | 'kept'> {
  readonly name: string;
}

const troubles: readonly Trouble[] = [
  { name: 'the target is 300 ms away', road: { delayMs: 300 } },
  { name: 'one connection in ten is cut', road: { cutShare: 0.1 } },
  { name: 'the target restarts and forgets', acts: [[1500, (stage) => stage.restart(500)]] },
  {
    name: 'a gateway answers 503 for a while',
    acts: [
      [1200, ({ road }) => road.change({ unavailable: true })],
      [2400, ({ road }) => road.change({})],
    ],
  },
  {
    name: 'this process is kept from running',
    acts: [
      [900, stall],
      [1500, stall],
      [2100, stall],
    ],
  },
];

/** Nothing of this process runs for a while: neither its timers nor the answers that come in. */
function stall(): void {
  const untilMs = performance.now() + 400;
  while (performance.now() < untilMs);
}

describe.each(troubles)('$name', { timeout: PATIENCE_MS }, ({ name: _, ...scene }) => {
  test.concurrent('a sound target is not called broken', async () => {
    const only = [
      '{cancel,requests}.concurrency.*',
      'run.payload.{guarantee,enforced}',
      'run.queue.*',
      'purge-queue.load.*',
    ];
    const played = await play({ ...scene, table, only });
    expect(having(played, 'fail', 'error')).toEqual([]);
    for (const reason of reasons(played)) expect(reason).toMatch(/\d/);
  });

  test.concurrent('one without limits is not said to have them', async () => {
    const played = await play({ ...scene, table, kept, only: ['{cancel.concurrency,run.payload}.enforced'] });
    expect(having(played, 'pass', 'error')).toEqual([]);
  });
});
