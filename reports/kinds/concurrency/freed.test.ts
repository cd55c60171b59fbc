/** What is said of slots that come back, that do not, and where it can't be told. */
import { describe, expect, test } from 'vitest';
import type { ConcurrencyFacts } from '../../../schemas/facts.ts';
import { limitsOf } from '../../../schemas/limits.ts';
import { judgingContext } from '../../verdicts/context.ts';
import { exactConcurrency, wave } from '../../verdicts/testing/facts.ts';
import { judgeFreed } from './freed.ts';

const row = limitsOf('concurrent-requests').find(({ id }) => id === 'cancel.concurrency');
if (!row) throw new Error('cancel has a concurrency limit');
const limit = row;

const there = { afterFree: true, aborted: true, afterAbort: true, tries: 3 };
const refused = wave(1, { refusedEarly: 1 });

function reported(changes: Partial<ConcurrencyFacts>, dedicated = true, lowered?: number) {
  const facts = exactConcurrency(limit.id, limit.value, { slotTakers: there, ...changes });
  const context = judgingContext([facts], [{ instId: 'inst-a', workersMax: 3, dedicated }]);
  const rateFloor = lowered === undefined ? context.rateFloor : () => lowered;
  return judgeFreed(facts, limit, { ...context, rateFloor });
}

test('both taken, and surely there, holds', () => {
  expect(reported({}).verdict).toBe('holds');
});

test.each([
  ['afterFree', 'the one after the answer'],
  ['aborted', 'was aborted'],
  ['afterAbort', 'after the abort'],
])('where nothing shows that %s had arrived, nothing is said', (name, words) => {
  const { verdict, reason } = reported({ slotTakers: { ...there, [name]: false } });
  expect(verdict).toBe('inconclusive');
  expect(reason).toContain('1 of 3');
  expect(reason).toContain(words);
});

describe('refused, however often it was tried', () => {
  test('is a slot that is kept', () => {
    expect(reported({ afterFree: refused }).verdict).toBe('broken');
    expect(reported({ afterAbort: refused }).verdict).toBe('broken');
  });

  test('is none where the one that was aborted may have been read only later', () => {
    const late = { ...there, aborted: false };
    expect(reported({ afterAbort: refused, slotTakers: late })).toMatchObject({ verdict: 'inconclusive' });
    // The one that was answered had its answer.
    expect(reported({ afterFree: refused, slotTakers: late }).verdict).toBe('broken');
  });

  test('is none on an endpoint that others use', () => {
    const claim = reported({ afterAbort: refused }, false);
    expect(claim).toMatchObject({ verdict: 'inconclusive', reason: expect.stringMatching(/dedicated.*20/) });
  });

  test('is none where a lower rate limit explains it', () => {
    const claim = reported({ afterAbort: refused }, true, limit.value + 4);
    expect(claim).toMatchObject({ verdict: 'inconclusive', reason: expect.stringMatching(/at 24 per window.* 26 /) });
  });
});

test('refused only when the others were released is neither', () => {
  const claim = reported({ afterFree: wave(1, { refusedLate: 1 }) });
  expect(claim).toMatchObject({ verdict: 'inconclusive', reason: expect.stringContaining('1 of those tries') });
  expect(claim.observed).toContain('refused when the others were released');
});

test('a try without a usable answer says nothing', () => {
  expect(reported({ afterAbort: wave(1, { lost: 1 }) })).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringContaining('1 of those tries got no usable answer'),
  });
});
