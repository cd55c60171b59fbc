/**
 * The queue rule of spec part 7 as a truth table, through the whole service: 429 exactly when the queue holds more than
 * 50 jobs and more than WorkersMax x 500. Whether the new job counts is left open, so both readings are tried.
 */
import { expect, test } from 'vitest';
import { limitFor, limitsOf } from '../schemas/limits.ts';
import { field, type Harness, harness } from './testing/harness.ts';

const kinds = ['run', 'runsync'] as const;
const readings = ['before', 'after'] as const;
const workers = [0, 1, 2, 3, 5];

type Kind = (typeof kinds)[number];

/** The rule again, as two lines that can be read off the spec: the queue as it is counted must exceed both. */
function refuses(kind: Kind, counted: number, workersMax: number): boolean {
  const limit = limitFor('queue', kind);
  if (!limit) throw new Error(`no queue rule for '${kind}'`);
  const fewerThanBoth = counted <= limit.value || counted <= workersMax * limit.perWorker;
  return !fewerThanBoth;
}

/** Queue lengths one below, at and one above either border. */
function lengths(kind: Kind, workersMax: number): number[] {
  const limit = limitFor('queue', kind);
  const borders = [limit?.value ?? 0, workersMax * (limit?.perWorker ?? 0)];
  const around = borders.flatMap((border) => [border - 1, border, border + 1]).filter((length) => length >= 0);
  return [...new Set(around)].sort((a, b) => a - b);
}

const row = kinds.flatMap((kind) =>
  workers.flatMap((workersMax) => readings.map((queueMeasured) => ({ kind, workersMax, queueMeasured }))),
);

const submission = { input: { delay_ms: 500_000 } };

async function queued({ job }: Harness): Promise<number> {
  return Number(field((await job('health')).body, 'jobs', 'inQueue'));
}

/** A service whose workers are all busy; nothing but the queue can refuse. */
async function busy(workersMax: number, queueMeasured: (typeof readings)[number]): Promise<Harness> {
  const rates = Object.fromEntries(limitsOf('requests').map(({ id }) => [id, 'off' as const]));
  const one = harness({ limits: rates, queueMeasured, instances: [{ instId: 'inst-1', workersMax }] });
  for (let taken = 0; taken < workersMax; taken += 1) await one.job('run', { body: submission });
  return one;
}

test.for(row)(
  '$kind, WorkersMax $workersMax, counted $queueMeasured insertion: refused exactly beyond both borders',
  async ({ kind, workersMax, queueMeasured }) => {
    const one = await busy(workersMax, queueMeasured);
    const counts = queueMeasured === 'after' ? 1 : 0;
    const seen: [number, boolean][] = [];
    const expected: [number, boolean][] = [];
    for (const length of lengths(kind, workersMax)) {
      for (let missing = length - (await queued(one)); missing > 0; missing -= 1) {
        if ((await one.job('run', { body: submission })).status !== 200) break;
      }
      // A queue that the rule doesn't let grow to this length is a row that cannot be.
      const reached = await queued(one);
      if (reached < length) {
        expect(refuses('run', reached + counts, workersMax)).toBe(true);
        continue;
      }
      const { status } = await one.job(kind, { body: submission, query: kind === 'runsync' ? '?wait=1' : '' });
      expect([200, 429]).toContain(status);
      seen.push([length, status === 429]);
      expected.push([length, refuses(kind, length + counts, workersMax)]);
      expect(await queued(one)).toBe(status === 200 ? length + 1 : length);
    }
    expect(seen).toEqual(expected);
    // Both sides of the border were seen, or the table would say little.
    expect(new Set(seen.map(([, refused]) => refused)).size).toBe(2);
  },
);
