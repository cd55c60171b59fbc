/** What clients are told of a rate limit: the syntax, by whom, and that it is true. */
import { expect, test } from 'vitest';
import { limitFor, limitsOf } from '../../schemas/limits.ts';
import { type DocumentedOperationId, operations } from '../../schemas/operations.ts';
import { limiterKinds } from '../settings/refusals.ts';
import { type Answer, field, type Harness, harness } from '../testing/harness.ts';
import { rateLimitFields } from './rate-limit-fields.ts';
import { slidingLog } from './sliding-log.ts';

/** What RateLimit-Policy and RateLimit say, by the grammar of structured fields as far as it is used here. */
function reported({ headers }: Pick<Answer, 'headers'>): { q: number; w: number; r: number; t: number } {
  const policy = /^"requests";q=(\d+);w=(\d+)$/.exec(headers.get('ratelimit-policy') ?? '');
  const now = /^"requests";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '');
  if (!policy || !now) throw new Error(`not told: ${JSON.stringify([...headers])}`);
  return { q: Number(policy[1]), w: Number(policy[2]), r: Number(now[1]), t: Number(now[2]) };
}

const isReported = ({ headers }: Answer): boolean => headers.has('ratelimit') || headers.has('ratelimit-policy');

function request({ job }: Harness, id: DocumentedOperationId): Promise<Answer> {
  return job(id, { jobId: 'nobody', ...(id.startsWith('run') ? { body: { input: { echo: 1 } } } : {}) });
}

test.for(limitsOf('requests'))('$id: announced in every answer, until nothing is left and beyond', async (limit) => {
  for (const id of limit.operations) {
    const one = harness({ limits: { [limit.id]: 5 } });
    for (const r of [4, 3, 2, 1, 0])
      expect(reported(await request(one, id))).toEqual({ q: 5, w: limit.windowMs / 1000, r, t: 10 });
    const refused = await request(one, id);
    expect(refused.status).toBe(429);
    expect(reported(refused)).toMatchObject({ r: 0, t: Number(refused.headers.get('retry-after')) });
    await one.clock.sleep(limit.windowMs);
    expect(reported(await request(one, id)).r).toBe(4);
  }
});

test('the documented limit and window are announced', async () => {
  const one = harness();
  for (const { id, interface: side, budget } of operations) {
    const limit = budget === null ? undefined : limitFor('requests', budget);
    if (side !== 'jobs' || !limit) continue;
    expect(reported(await request(one, id))).toMatchObject({ q: limit.value, w: limit.windowMs / 1000 });
  }
});

test('status, status-sync and stream announce one shared limit', async () => {
  const one = harness();
  const shared = limitFor('requests', 'status')?.value ?? 0;
  for (const [index, id] of (['status', 'status-sync', 'stream', 'status'] as const).entries()) {
    expect(reported(await request(one, id)).r).toBe(shared - index - 1);
  }
});

test('a refusal for another reason announces the rate too, and so does an answer that came late, as of its moment', async () => {
  const one = harness({ limits: { 'runsync.payload': 40, 'runsync.rate': 5 } });
  expect(reported(await one.job('runsync', { rawBody: '{' }))).toMatchObject({ r: 4 });
  const large = await one.job('runsync', { body: { input: 'x'.repeat(50) } });
  expect([large.status, reported(large).r]).toEqual([413, 3]);
  // By the time it is answered the first two are out of the window.
  const late = await one.job('runsync', { body: { input: { delay_ms: 12_000 } } });
  expect([field(late.body, 'status'), reported(late).r]).toEqual(['COMPLETED', 5]);
  expect(reported(late).t).toBe(0);
});

test('nothing is announced to requests without a limit: unauthenticated ones, health, interface A', async () => {
  const one = harness();
  expect(isReported(await one.job('run', { headers: { authorization: 'Bearer wrong' } }))).toBe(false);
  expect(isReported(await one.job('run', { instId: 'inst-unknown' }))).toBe(false);
  expect(isReported(await one.job('health'))).toBe(false);
  expect(isReported(await one.request('/v1/models'))).toBe(false);
});

test('nothing is announced when that is switched off, or the limit is', async () => {
  expect(isReported(await request(harness({ rateLimitHeaders: false }), 'run'))).toBe(false);
  expect(isReported(await request(harness({ limiter: 'off' }), 'run'))).toBe(false);
  expect(isReported(await request(harness({ limits: { 'run.rate': 'off' } }), 'run'))).toBe(false);
});

test.for(limiterKinds.filter((kind) => kind !== 'off'))(
  '%s: as many as remain are admitted, and not one more',
  async (limiter) => {
    const one = harness({ limiter, limits: { 'cancel.rate': 20 } });
    for (const pause of [0, 3100, 2700, 900, 5000]) {
      await one.clock.sleep(pause);
      const first = await request(one, 'cancel');
      if (first.status === 429) continue;
      for (let left = reported(first).r; left > 10; left -= 1)
        expect((await request(one, 'cancel')).status).not.toBe(429);
    }
    const { r } = reported(await request(one, 'cancel'));
    for (let left = r; left > 0; left -= 1) expect((await request(one, 'cancel')).status).not.toBe(429);
    const refused = await request(one, 'cancel');
    expect([refused.status, reported(refused).r]).toEqual([429, 0]);
  },
);

test('a window that is no whole number of seconds is left out', () => {
  const headers = {};
  rateLimitFields(slidingLog(3, 2500).quota ?? fail())(headers, 0);
  expect(headers).toEqual({
    'ratelimit-policy': '"requests";q=3',
    ratelimit: '"requests";r=3;t=0',
  });
});

function fail(): never {
  throw new Error('no quota');
}
