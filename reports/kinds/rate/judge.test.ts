/** Rate verdicts on ideal limiters: each is simulated, so that what the verdict must be is known by construction. */
import { describe, expect, test } from 'vitest';
import {
  blocking,
  countingSomeTwice,
  logOfAll,
  lossyBucket,
  windowFromFirst,
} from '../../../scenarios/testing/limiters.ts';
import { probed, probeOf } from '../../../scenarios/testing/rate-probed.ts';
import {
  fixedWindow,
  type Limiter,
  slidingCounter,
  slidingLog,
  tokenBucket,
  unlimited,
} from '../../../scenarios/testing/rate-simulation.ts';
import { gate } from '../../verdicts/claim.ts';
import { judgingContext } from '../../verdicts/context.ts';
import { exactConcurrency, wave } from '../../verdicts/testing/facts.ts';
import { judgeRate, rateDoubts } from './judge.ts';
import { measureRate } from './survivors.ts';
import { budgets, dedicated, rateLimit, verdicts } from './testing/verdicts.ts';

const point = (value: number) => ({ lower: value, upper: value });

describe.each(budgets)('%s', (budget) => {
  const { value, windowMs } = rateLimit(budget);

  test('a sliding log at the limit conforms, measured to the unit', () => {
    const seen = verdicts({ budget, limiter: slidingLog(value, windowMs) });
    expect(seen).toMatchObject({ guarantee: 'holds', enforced: 'holds', refusal: 'holds', measured: point(value) });
  });

  test('a fixed window at the limit conforms wherever its boundary falls', { timeout: 60_000 }, () => {
    for (let phase = 0; phase < windowMs; phase += windowMs / 11) {
      const seen = verdicts({ budget, limiter: fixedWindow(value, windowMs, phase) });
      const { guarantee, enforced, measured } = seen;
      expect({ phase, guarantee, enforced, measured }).toEqual({
        phase,
        guarantee: 'holds',
        enforced: 'holds',
        measured: point(value),
      });
    }
  });

  test.each<[string, () => Limiter]>([
    ['a window that begins with a request', () => windowFromFirst(value, windowMs)],
    ['a log that counts refused requests too', () => logOfAll(value, windowMs)],
    ['a block of a whole window', () => blocking(value, windowMs, windowMs)],
  ])('%s of the limit conforms', (_, limiter) => {
    const seen = verdicts({ budget, limiter: limiter() });
    expect(seen).toMatchObject({ guarantee: 'holds', enforced: 'holds', measured: point(value) });
  });

  test('one less than the limit breaks the guarantee and is measured', () => {
    const seen = verdicts({ budget, limiter: slidingLog(value - 1, windowMs) });
    expect(seen).toMatchObject({ guarantee: 'broken', enforced: 'holds', measured: point(value - 1) });
  });

  test.each<[string, () => Limiter]>([
    ['a log', () => slidingLog(value + 1, windowMs)],
    ['a fixed window', () => fixedWindow(value + 1, windowMs, 0.37 * windowMs)],
  ])('%s of one more than the limit breaks the enforcement and is measured', (_, limiter) => {
    const seen = verdicts({ budget, limiter: limiter() });
    expect(seen).toMatchObject({ guarantee: 'holds', enforced: 'broken', measured: point(value + 1) });
  });

  test('no limiter at all breaks the enforcement, and no bound is claimed', () => {
    const seen = verdicts({ budget, limiter: unlimited });
    expect(seen).toMatchObject({ guarantee: 'holds', enforced: 'broken' });
    expect(seen.measured?.upper).toBeNull();
  });

  test('a bucket smaller than the limit breaks the guarantee', () => {
    expect(verdicts({ budget, limiter: tokenBucket(value / 2, value, windowMs) }).guarantee).toBe('broken');
  });

  test('a bucket that loses a part of a request with each one breaks the guarantee', () => {
    const seen = verdicts({ budget, limiter: lossyBucket(value, windowMs), queued: 0 });
    expect(seen.guarantee).toBe('broken');
  });

  test('windows of another length are judged, and measured', () => {
    const [short, long] = [0.8, 1.25].map((share) =>
      verdicts({ budget, limiter: slidingLog(value, share * windowMs) }),
    );
    expect(short).toMatchObject({ guarantee: 'holds', enforced: 'broken' });
    expect(long).toMatchObject({ guarantee: 'broken', enforced: 'holds' });
    expect(long?.measured).toEqual({ ...point(value), windowMs: 1.25 * windowMs });
  });

  test('a bucket that is refilled too fast is no enforcement, and one too slowly no guarantee', () => {
    const refilled = (perWindow: number) => ({ budget, limiter: tokenBucket(value, perWindow, windowMs), queued: 0 });
    expect(verdicts(refilled(1.3 * value)).enforced).toBe('broken');
    expect(verdicts(refilled(0.7 * value)).guarantee).toBe('broken');
  });

  test.each([0, 1])('a token bucket of the limit, and %i more, is measured to within its resolution', (more) => {
    const seen = verdicts({ budget, limiter: tokenBucket(value + more, value, windowMs) });
    expect(seen.guarantee).toBe('holds');
    // Where as many come in as one request is on its way, one more can't be told from none.
    const { lower = 0, upper = 0 } = seen.measured ?? {};
    // Of ten in ten seconds one comes in each second, as into a bucket of ten by whole seconds.
    const isAlike = budget === 'requests' && more > 0;
    expect(seen.enforced).toBe(lower > value ? 'broken' : isAlike ? 'inconclusive' : 'holds');
    expect([lower <= value + more, (upper ?? 0) >= value + more, (upper ?? 0) - lower]).toEqual([
      true,
      true,
      value > 1000 || isAlike ? expect.any(Number) : 0,
    ]);
    expect((upper ?? 0) - lower).toBeLessThanOrEqual(isAlike ? 2 : 1);
  });

  test('half the limit in half its window is enforced, and no guarantee', () => {
    const seen = verdicts({ budget, limiter: slidingLog(value / 2, windowMs / 2) });
    expect(seen).toMatchObject({ guarantee: 'broken', enforced: 'holds' });
  });
});

describe('an operation that is not served', () => {
  test.each<['cancel' | 'requests', number, string, ('cancel' | 'stream')[]?]>([
    ['cancel', 404, 'inconclusive', ['cancel']],
    ['cancel', 404, 'holds', ['stream']],
    ['cancel', 405, 'inconclusive'],
    ['cancel', 409, 'holds'],
    ['requests', 404, 'inconclusive'],
    ['requests', 400, 'inconclusive'],
    ['requests', 200, 'holds'],
  ])('%s answered %i: %s', (budget, status, verdict, absent = []) => {
    const { value, windowMs } = rateLimit(budget);
    for (const limiter of [unlimited, slidingLog(value, windowMs)]) {
      const seen = verdicts({ budget, limiter, servedStatus: status, changes: { absent } });
      const enforced = limiter === unlimited && verdict === 'holds' ? 'broken' : verdict;
      expect(seen).toMatchObject({ guarantee: verdict, enforced });
      expect(seen.claim('served')?.verdict).toBe(verdict);
    }
  });

  test('submissions without an input, each answered 400, show a limit that counts them, and none that does not', () => {
    const { value, windowMs } = rateLimit('run');
    const of = (limiter: Limiter) =>
      verdicts({ budget: 'run', limiter, servedStatus: 400, changes: { withoutInput: 'the jobs take 18 s' } });
    const exact = of(slidingLog(value, windowMs));
    expect(exact).toMatchObject({ guarantee: 'holds', enforced: 'holds', refusal: 'holds', measured: point(value) });
    expect(exact.claim('guarantee')?.observed).toMatch(
      'without an input, so that no jobs are made (the jobs take 18 s)',
    );
    expect(exact.claim('served')).toBeUndefined();
    expect(of(slidingLog(value - 1, windowMs))).toMatchObject({ guarantee: 'broken', measured: point(value - 1) });
    expect(of(slidingLog(value + 1, windowMs))).toMatchObject({ enforced: 'broken', measured: point(value + 1) });
    const uncounted = of(unlimited);
    expect(uncounted).toMatchObject({ guarantee: 'inconclusive', enforced: 'inconclusive' });
    expect(uncounted.claim('enforced')?.reason).toMatch(
      /^the jobs take 18 s; and of \d\d,\d{3} submissions without an input none was refused$/,
    );
  });

  test.each([
    [200, 'broken'],
    [404, 'inconclusive'],
    [410, 'broken'],
  ])('a sibling answered %i and never refused, of one budget: %s', (status, verdict) => {
    const limit = rateLimit('status');
    const facts = probed(probeOf(limit), slidingLog(limit.value, limit.windowMs));
    const [first, ...others] = facts.siblings;
    if (!first) throw new Error('no sibling');
    const siblings = [{ ...first, refused: 0, statuses: { [status]: first.sent } }, ...others];
    const alone = { ...facts, isAlone: true, siblings, absent: [first.operation] };
    const context = judgingContext([alone], dedicated);
    const claims = gate(judgeRate(alone, limit, context), rateDoubts(alone, limit, context));
    expect(claims['status.rate.shared']?.verdict).toBe(verdict);
  });
});

test('a limit that never admits more is no lack of enforcement, whatever it looks like', () => {
  const { value, windowMs } = rateLimit('purge-queue');
  const [limit, longer] = [slidingLog(value, windowMs), slidingLog(2 * value, 4 * windowMs)];
  // A request that the first refuses is not asked of the second, which counts what it lets through.
  const seen = verdicts({ budget: 'purge-queue', limiter: (atMs) => limit(atMs) && longer(atMs) });
  expect(seen).toMatchObject({ guarantee: 'broken', enforced: 'inconclusive' });
});

describe('a sliding counter', () => {
  const { value, windowMs } = rateLimit('run');

  test.each([0.05, 0.3, 0.6, 0.9])('refuses a client within the limit, at phase %f of its windows', (phase) => {
    const seen = verdicts({ budget: 'run', limiter: slidingCounter(value, windowMs, phase * windowMs), queued: 0 });
    expect(seen.guarantee).toBe('broken');
    expect(seen.enforced).not.toBe('broken');
    expect(seen.facts.survivors.map(({ algorithm }) => algorithm)).toContain('sliding-counter');
  });

  test.each([
    ['run', 0.8],
    ['run', 2],
    ['cancel', 0.6],
    ['cancel', 1.25],
    ['requests', 2],
  ] as const)('of %s with %f of the documented window is measured', (name, share) => {
    const row = rateLimit(name);
    const limiter = slidingCounter(row.value, share * row.windowMs, 0.4 * row.windowMs);
    const { measured, enforced, facts } = verdicts({ budget: name, limiter });
    expect(measured).toMatchObject({ windowMs: share * row.windowMs });
    expect(measured?.lower).toBeLessThanOrEqual(row.value);
    expect(measured?.upper).toBeGreaterThanOrEqual(row.value);
    expect(facts.survivors.every(({ differsTwice }) => differsTwice)).toBe(true);
    expect(enforced).not.toBe(share > 1 ? 'broken' : 'holds');
  });

  test('is proved to by a request of a client that was never over', () => {
    const seen = verdicts({ budget: 'run', limiter: slidingCounter(value, windowMs, 0.3 * windowMs) });
    const { first } = seen.facts.within;
    expect(first?.inWindow).toBeLessThanOrEqual(value);
    expect(seen.claim('guarantee')?.observed).toContain(`at most ${first?.inWindow} in the window before`);
  });
});

test('what a client beyond the limit is refused says nothing against the guarantee', () => {
  const { value, windowMs } = rateLimit('cancel');
  const seen = verdicts({ budget: 'cancel', limiter: blocking(value, windowMs, 3 * windowMs, true) });
  expect(seen).toMatchObject({ guarantee: 'holds', enforced: 'holds' });
});

test.each(['burst', 'pace'])(
  'a limiter that blocks since before the probe, until its %s, leaves the guarantee open',
  (until) => {
    const row = rateLimit('cancel');
    const { burstAtMs, paces } = probeOf(row);
    const untilMs = until === 'burst' ? burstAtMs + 0.5 * row.windowMs : (paces[0]?.fromMs ?? 0) + 0.5 * row.windowMs;
    const [log, own] = [slidingLog(row.value, row.windowMs), slidingLog(row.value, row.windowMs)];
    const seen = verdicts({ budget: 'cancel', limiter: (atMs) => atMs >= untilMs && log(atMs) });
    expect(seen).toMatchObject({ guarantee: 'inconclusive', enforced: 'holds' });
    expect(seen.claim('guarantee')?.reason).toContain('run it again after a pause');
    const late = verdicts({
      budget: 'cancel',
      limiter: (atMs) => (atMs < burstAtMs + 20 || atMs >= untilMs) && own(atMs),
    });
    expect(late.facts.burst.admitted).toBeGreaterThan(0);
    expect(late.facts.pace.admitted).toBeGreaterThan(0);
    expect(late.guarantee).toBe('broken');
  },
);

test('a limiter that counts some requests twice keeps the limit, and is like none otherwise', () => {
  const { value, windowMs } = rateLimit('run');
  const seen = verdicts({ budget: 'run', limiter: countingSomeTwice(value, windowMs) });
  expect(seen.facts.survivors.map(({ algorithm }) => algorithm)).toEqual(['unknown']);
  expect(seen).toMatchObject({ guarantee: 'holds', enforced: 'holds' });
  for (const share of [1.02, 1.1, 1.3]) {
    const more = verdicts({ budget: 'run', limiter: countingSomeTwice(Math.round(share * value), windowMs) });
    expect(more.enforced, `${share}`).not.toBe('holds');
  }
});

test('where every request is refused, neither of its limits excuses the other', () => {
  const limit = rateLimit('cancel');
  const facts = { ...verdicts({ budget: 'cancel', limiter: () => false }).facts, inFlightOuter: 2 };
  const none = { within: wave(20, { refusedEarly: 20 }), overlapInner: 0, overlapOuter: 0, fewestAtRefusal: 0 };
  const context = judgingContext([facts, exactConcurrency('cancel.concurrency', 20, none)], dedicated);
  const claims = gate(judgeRate(facts, limit, context), rateDoubts(facts, limit, context));
  const observed = expect.stringContaining('run it again after a pause') as string;
  expect(claims).toMatchObject({ 'cancel.rate.guarantee': { verdict: 'broken', observed } });
});

test('jobs that were not seen to finish may fill the queue, unless health shows that they do not', () => {
  const { value, windowMs } = rateLimit('run');
  const oneRefusalLate = (): Limiter => {
    const honest = slidingLog(value, windowMs);
    let refusals = 0;
    return (atMs) => (atMs > 2.9 * windowMs && refusals++ === 0 ? false : honest(atMs));
  };
  const setting = { budget: 'run' } as const;
  expect(verdicts({ ...setting, limiter: oneRefusalLate() }).guarantee).toBe('inconclusive');
  expect(verdicts({ ...setting, limiter: oneRefusalLate(), queued: 3 }).guarantee).toBe('broken');
  expect(verdicts({ ...setting, limiter: oneRefusalLate(), queued: 1600 }).guarantee).toBe('inconclusive');
});

test('older jobs in the queue may be why the first burst is refused', () => {
  let taken = 0;
  const full = (room: number): Limiter => {
    taken = 0;
    return () => taken++ < room;
  };
  const setting = { budget: 'run' } as const;
  expect(verdicts({ ...setting, limiter: full(560), queued: 950 })).toMatchObject({
    guarantee: 'inconclusive',
    enforced: 'inconclusive',
  });
  expect(verdicts({ ...setting, limiter: full(560), queued: 3 }).guarantee).toBe('broken');
});

test('one refusal in a hundred inside the limit is found', () => {
  const { value, windowMs } = rateLimit('run');
  const honest = slidingLog(value, windowMs);
  let count = 0;
  const moody: Limiter = (atMs) => ++count % 100 !== 0 && honest(atMs);
  const seen = verdicts({ budget: 'run', limiter: moody });
  expect(seen.guarantee).toBe('broken');
  expect(seen.enforced).not.toBe('broken');
});

test('one error of the server among thousands is found, and counted', () => {
  const limit = rateLimit('run');
  const { facts, claim } = verdicts({ budget: 'run', limiter: slidingLog(limit.value, limit.windowMs) });
  expect(claim('served')).toMatchObject({ verdict: 'holds', observed: expect.stringMatching(/fewer than 1 in \d+/) });
  const pace = {
    ...facts.pace,
    admitted: facts.pace.admitted - 1,
    statuses: { '200': facts.pace.admitted - 1, '500': 1 },
  };
  const one = { ...facts, pace };
  const context = judgingContext([one], dedicated);
  const served = gate(judgeRate(one, limit, context), rateDoubts(one, limit, context))['run.rate.served'];
  expect(served).toMatchObject({ verdict: 'broken', observed: expect.stringMatching(/^1 of [\d,]+ .*500 x 1/) });
});

test('a target that stops answering is found where so little could be sent', () => {
  const limit = rateLimit('run');
  const { facts } = verdicts({ budget: 'run', limiter: slidingLog(limit.value, limit.windowMs) });
  const few = { ...facts, health: { ...facts.health, planned: 2 * facts.health.sent } };
  const pace = { ...few.pace, admitted: few.pace.admitted - 1 };
  const context = judgingContext([few], dedicated);
  const verdictOf = (one: typeof facts) =>
    gate(judgeRate(one, limit, context), rateDoubts(one, limit, context))['run.rate.served']?.verdict;
  expect([verdictOf({ ...few, pace }), verdictOf(few)]).toEqual(['broken', 'inconclusive']);
});

test('a success with wrong content is found, and counted', () => {
  const limit = rateLimit('run');
  const { facts } = verdicts({ budget: 'run', limiter: slidingLog(limit.value, limit.windowMs) });
  const one = { ...facts, pace: { ...facts.pace, wrong: { 'without a field': 2 } } };
  const context = judgingContext([one], dedicated);
  const served = gate(judgeRate(one, limit, context), rateDoubts(one, limit, context))['run.rate.served'];
  expect(served).toMatchObject({
    verdict: 'broken',
    observed: expect.stringMatching(/^2 of [\d,]+ .*2 without a field/),
  });
});

describe('a shared budget', () => {
  const { value, windowMs } = rateLimit('status');

  test.each<[string, () => Limiter, string]>([
    ['a log', () => slidingLog(value, windowMs), 'holds'],
    ['a bucket, which gets some back meanwhile', () => tokenBucket(value, value, windowMs), 'holds'],
    ['no limiter', () => unlimited, 'inconclusive'],
  ])('of %s', (_, limiter, verdict) => {
    expect(verdicts({ budget: 'status', limiter: limiter() }).shared).toBe(verdict);
  });

  test.each([1999, 2000, 2001])('what its siblings take of a bucket of %i while the burst goes on counts', (size) => {
    const probe = probeOf(rateLimit('status'));
    const seen = measureRate(probed(probe, tokenBucket(size, size, windowMs), { siblingsEarly: true }));
    expect(seen?.lower).toBeLessThanOrEqual(size);
    expect(seen?.upper).toBeGreaterThanOrEqual(size);
    expect((seen?.upper ?? 0) - (seen?.lower ?? 0)).toBeLessThanOrEqual(2);
  });
});

test('on an endpoint that others use, a refusal proves nothing', () => {
  const { value, windowMs } = rateLimit('cancel');
  const endpoints = [{ instId: 'inst-a', workersMax: 3, dedicated: false }];
  const seen = verdicts({ budget: 'cancel', limiter: slidingLog(value - 1, windowMs), endpoints });
  expect(seen.guarantee).toBe('inconclusive');
});

test('with several runners a limiter may count each alone: that more is admitted says nothing then', () => {
  const limit = rateLimit('run');
  const seen = verdicts({ budget: 'run', limiter: slidingLog(limit.value + 1, limit.windowMs) });
  expect(seen.enforced).toBe('broken');
  const runners = { count: 2, skewMs: 0, errorMs: 0, faults: [] };
  const facts = { ...seen.facts, health: { ...seen.facts.health, runners } };
  const context = judgingContext([facts], dedicated);
  const enforced = gate(judgeRate(facts, limit, context), rateDoubts(facts, limit, context))['run.rate.enforced'];
  expect(enforced).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringContaining('a single runner would decide it'),
  });
});

test.each([403, 503])('a refusal with %i is a refusal, of an unusual form', (refusedStatus) => {
  const { value, windowMs } = rateLimit('cancel');
  const seen = verdicts({ budget: 'cancel', limiter: slidingLog(value, windowMs), refusedStatus });
  expect(seen).toMatchObject({ guarantee: 'holds', enforced: 'holds', refusal: 'broken' });
  const less = verdicts({ budget: 'cancel', limiter: slidingLog(value - 1, windowMs), refusedStatus });
  expect(less.guarantee).toBe('broken');
});
