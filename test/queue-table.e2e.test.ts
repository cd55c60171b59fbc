/**
 * The truth table of the queue rule in one load of seconds: four endpoints with their borders, both readings of the rule,
 * and other limits that refuse before the queue does and must not be taken for it.
 */
import { expect, test } from 'vitest';
import { scaledTable } from '../scenarios/testing/scaled-table.ts';
import { runScaledLoad } from './support/scaled-load.ts';

const WINDOW_MS = 1000;
/** Borders 10, 100, 200 and 500. */
const VALUES = { 'run.queue': 10, 'runsync.queue': 10, 'run.rate': 200, 'status.rate': 1000, 'cancel.rate': 100 };
const table = scaledTable({ windowMs: WINDOW_MS, values: { ...VALUES, 'purge-queue.rate': 4, 'runsync.rate': 100 } });
const WORKERS = [0, 1, 2, 5];
const endpoints = WORKERS.map((workersMax) => ({ instId: `w${workersMax}`, workersMax, dedicated: true }));
const instances = [
  '--set',
  `instances=${JSON.stringify(endpoints.map(({ instId, workersMax }) => ({ instId, workersMax })))}`,
];
const only = ['*.queue.*', 'purge-queue.load.*'];

test.each(['before', 'after'])(
  'at WorkersMax 0, 1, 2 and 5, measured %s insertion, all of it holds',
  async (reading) => {
    const serve = [...instances, '--set', `queueMeasured=${reading}`];
    const { checks, limits } = await runScaledLoad({ table, serve, only, endpoints, profile: 'nightly' });
    const wrong = checks.filter(({ verdict, level }) => verdict !== (level === 'observed' ? 'observed' : 'pass'));
    expect(wrong.map(({ id, verdict, observed, reason }) => ({ id, verdict, observed, reason }))).toEqual([]);
    const last = (border: number): number => border + (reading === 'before' ? 0 : -1);
    for (const operation of ['run', 'runsync']) {
      const reported = checks.find(({ id }) => id === `${operation}.queue.lengths`)?.observed ?? '';
      for (const [index, border] of [10, 100, 200, 500].entries()) {
        const words = new RegExp(
          `w${WORKERS[index]}, [^;]*\\b${last(border)} queued, refused with ${last(border) + 1}(;|$)`,
        );
        expect(reported).toMatch(words);
      }
    }
    expect(limits.map(({ measured }) => measured)).toEqual([
      { lower: 10, upper: 10 },
      { lower: 10, upper: 10 },
    ]);
  },
);

test('a lower rate and one request at once refuse long before the queue, and are not taken for it', async () => {
  const values = { ...VALUES, 'run.rate': 20, 'run.concurrency': 1, 'runsync.concurrency': 1, 'purge-queue.rate': 4 };
  const kept = scaledTable({ windowMs: WINDOW_MS, values });
  const { checks, facts } = await runScaledLoad({ table, kept, serve: instances, only, endpoints });
  expect(checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([]);
  const refused = facts.flatMap((one) => (one.kind === 'queue' ? one.attempts : []));
  expect(refused.filter(({ persisted }) => persisted === false).length).toBeGreaterThan(0);
});
