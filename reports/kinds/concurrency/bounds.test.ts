/** Claims on requests at once where more was opened than the waves, where the bounds differ, and where others refuse. */
import { describe, expect, test } from 'vitest';
import type { ConcurrencyFacts, LoadFacts } from '../../../schemas/facts.ts';
import { limitsOf } from '../../../schemas/limits.ts';
import { judgingContext } from '../../verdicts/context.ts';
import { exactConcurrency, soundHealth, wave } from '../../verdicts/testing/facts.ts';
import { judgeConcurrency } from './judge.ts';
import { measureConcurrency } from './measure.ts';

const dedicated = [{ instId: 'inst-a', workersMax: 3, dedicated: true }];
const row = limitsOf('concurrent-requests').find((one) => one.id === 'run.concurrency');
if (!row) throw new Error('run has a concurrency limit');
const run = row;

function judged(facts: ConcurrencyFacts, others: readonly LoadFacts[] = []) {
  const claims = judgeConcurrency(facts, run, judgingContext([facts, ...others], dedicated));
  const word = (aspect: string) => claims[`run.concurrency.${aspect}`]?.verdict;
  return { guarantee: word('guarantee'), enforced: word('enforced'), freed: word('freed'), refusal: word('refusal') };
}

const exact = (changes: Partial<ConcurrencyFacts> = {}) => exactConcurrency('run.concurrency', run.value, changes);

describe('what was opened further', () => {
  const silent = { beyond: wave(3), refusals: { statuses: {}, withRetryAfter: 0 } };

  test('and refused there is a limit that is too high, measured', () => {
    const most = run.value + 103;
    const facts = exact({
      beyond: wave(3),
      further: wave(110, { refusedEarly: 10 }),
      overlapInner: most,
      overlapOuter: most,
      fewestAtRefusal: most,
    });
    expect(judged(facts)).toMatchObject({ guarantee: 'holds', enforced: 'broken' });
    expect(measureConcurrency(facts)).toEqual({ lower: most, upper: most });
  });

  test('and not refused says nothing alone, but how many there were', () => {
    const most = run.value + 203;
    const facts = exact({ ...silent, further: wave(200), overlapInner: most, overlapOuter: most });
    const claims = judgeConcurrency(facts, run, judgingContext([facts], dedicated));
    expect(claims['run.concurrency.enforced']).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining(`${most} were held at once and none was refused`),
    });
  });
});

describe('where the two bounds differ', () => {
  const apart = { overlapInner: run.value - 10, overlapOuter: run.value + 5 };

  test('both are said', () => {
    const facts = exact({ beyond: wave(3), technique: 'long-poll', ...apart });
    const claims = judgeConcurrency(facts, run, judgingContext([facts], dedicated));
    expect(claims['run.concurrency.guarantee']?.observed).toContain(
      `at least ${run.value - 10} and at most ${run.value + 5} at once`,
    );
  });

  test('and some were lost, a refusal beyond the limit at most shows nothing', () => {
    const facts = exact({ within: wave(run.value, { lost: 10 }), refusedWithinLimit: 0, ...apart });
    expect(judged(facts)).toMatchObject({ guarantee: 'inconclusive', enforced: 'inconclusive' });
  });

  test('a refusal while even the outer one is within the limit is an enforced limit, whatever was lost', () => {
    const lost = { within: wave(run.value, { lost: 10 }), overlapInner: run.value - 10, overlapOuter: run.value };
    expect(judged(exact({ ...lost, refusedWithinLimit: 0 }))).toMatchObject({ enforced: 'holds' });
  });
});

test('a target that gives up held requests is recognised by its 408, and how many overlapped', () => {
  const facts = exact({ within: wave(run.value, { lost: 150 }), statuses: { 200: 53, 408: 150 }, overlapInner: 53 });
  const claims = judgeConcurrency({ ...facts, refusedWithinLimit: 0 }, run, judgingContext([facts], dedicated));
  expect(claims['run.concurrency.guarantee']).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringMatching(/408 x 150.*does not wait.*at most 53 overlapped/),
  });
});

test('refusals that the rate limit may explain enforce nothing', () => {
  const low = exactConcurrency('requests.concurrency', 20, { within: wave(20, { refusedEarly: 5 }) });
  const requests = limitsOf('concurrent-requests').find((one) => one.id === 'requests.concurrency');
  if (!requests) throw new Error('requests has a concurrency limit');
  const claims = judgeConcurrency(low, { ...requests, value: 20 }, judgingContext([low], dedicated));
  expect(claims['requests.concurrency.enforced']).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringContaining('rate limit'),
  });
});

test('a slot that is refused for good is found, though the other was not tried any more', () => {
  const { afterAbort: _, ...facts } = exact({ afterFree: wave(1, { refusedEarly: 1 }) });
  expect(judged(facts).freed).toBe('broken');
});

test('a sender that was cut off has shown nothing of another address', () => {
  const elsewhere = {
    address: '10.0.0.2',
    alone: wave(1),
    meanwhile: wave(3, { refusedEarly: 3 }),
    stillFull: wave(1, { refusedEarly: 1 }),
    statuses: { 200: 1, 429: 3 },
    error: '',
  };
  const verdictOf = (health: ConcurrencyFacts['health']) => {
    const facts = exact({ elsewhere, health });
    return judgeConcurrency(facts, run, judgingContext([facts], dedicated))['run.concurrency.per-address']?.verdict;
  };
  expect(verdictOf(soundHealth())).toBe('broken');
  expect(verdictOf(soundHealth({ planned: 5, sent: 1 }))).toBe('broken');
  expect(verdictOf(soundHealth({ complete: false }))).toBe('inconclusive');
});

test('another address is judged where there is one, and only there', () => {
  const facts = exact();
  expect(Object.keys(judgeConcurrency(facts, run, judgingContext([facts], dedicated)))).not.toContain(
    'run.concurrency.per-address',
  );
});
