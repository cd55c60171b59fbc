/** Looks at doubling ages: which are made, in which order, and what they come to. */
import { expect, test } from 'vitest';
import { CheckContext } from '../../context.ts';
import type { Reply } from '../../target/reply.ts';
import { json, openFake } from '../../testing/fake-dispatcher.ts';
import { Aging } from './aging.ts';
import { climb } from './cohort.ts';

const AGES = [1000, 2000, 4000, 8000];

/** A service on which jobs are known for so long, and lost by a restart. */
function scene(keptMs: number, restartMs = Number.POSITIVE_INFINITY) {
  const born = new Map<string, number>();
  const asked: string[] = [];
  const target = openFake(({ path }) => {
    const id = path.split('/').at(-1) ?? '';
    asked.push(id);
    const [now, bornMs] = [t.clock.now() - zeroMs, born.get(id) ?? 0];
    const gone = now - bornMs >= keptMs || (bornMs < restartMs && now >= restartMs);
    return gone ? json(404, {}) : json(200, { id, status: 'COMPLETED' });
  });
  const t = new CheckContext(target, new AbortController().signal);
  const zeroMs = t.clock.now();
  const make = async (id: string): Promise<Aging> => {
    const nowMs = t.clock.now();
    born.set(id, nowMs - zeroMs);
    const times = { sentMs: nowMs, headersMs: nowMs, endMs: nowMs };
    const reply: Reply = { request: 'r', status: 200, headers: {}, text: '', json: {}, pieces: [], ...times };
    return new Aging(id, { id, reply, jobs: t.jobs, earliestMs: nowMs, latestMs: nowMs }, t.clock);
  };
  const up = async (waitMs = 0, untilMs = 10_000) => {
    const steps = await Promise.all(AGES.map(async (ageMs) => ({ ageMs, aging: await make(`step-${ageMs}`) })));
    const witness = await make('witness-0');
    await t.sleep(waitMs);
    let count = 0;
    const younger = () => make(`witness-${++count}`);
    const climbed = await climb(t, { steps, sinceMs: zeroMs, witness, untilMs: zeroMs + untilMs, make: younger });
    return { end: climbed.end, asked, tookMs: t.clock.now() - zeroMs };
  };
  return up;
}

test('none is gone: each is looked at once, with the witness that was made before', async () => {
  const { end, asked, tookMs } = await scene(Number.POSITIVE_INFINITY)();
  expect(end).toBe('kept');
  expect(asked).toEqual(AGES.flatMap((age, index) => [`step-${age}`, `witness-${index}`]));
  expect(tookMs).toBeGreaterThanOrEqual(8000);
});

test.each([500, 1000, 1500, 3000, 5000])(
  'jobs that are kept for %i ms are lost while a witness lives',
  async (keptMs) => {
    expect((await scene(keptMs)()).end).toBe(keptMs > 1000 ? 'lost' : 'unsure');
  },
);

test.each([500, 1500, 3000, 7000])('a restart after %i ms takes the witness too', async (restartMs) => {
  expect((await scene(Number.POSITIVE_INFINITY, restartMs)()).end).toBe('unsure');
});

test('after a long pause the oldest age that is over is looked at, and no younger one', async () => {
  const { asked } = await scene(Number.POSITIVE_INFINITY)(5000);
  expect(asked).toEqual(['step-4000', 'witness-0', 'step-8000', 'witness-1']);
});

test('nothing is looked at after the last moment', async () => {
  expect((await scene(Number.POSITIVE_INFINITY)(0, 4500)).asked.filter((id) => id.startsWith('step'))).toEqual([
    'step-1000',
    'step-2000',
    'step-4000',
  ]);
});
