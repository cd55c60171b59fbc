/** How long tokens take, with and without jitter. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seeded } from '../../schemas/seeded.ts';
import { defaultOptions } from '../options.ts';
import { field, harness } from '../testing/harness.ts';
import { firstTokenMs, interTokenMs, wholeMs } from './sse.ts';

const paced = (jitter: number, seed = 1) => ({
  options: { ...defaultOptions({}), firstTokenMs: 100, interTokenMs: 20, jitter },
  random: seeded(seed),
});

test('without jitter it is exact, and the random source is not used', () => {
  const call = {
    ...paced(0),
    random: (): number => {
      throw new Error('chance was asked');
    },
  };
  expect([firstTokenMs(call), interTokenMs(call), wholeMs(call, 11), wholeMs(call, 0)]).toEqual([100, 20, 300, 100]);
});

test('with jitter each time stays within its part, on either side, and is the same for the same chance', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      fc.nat(),
      fc.integer({ min: 1, max: 50 }),
      (jitter, seed, tokens) => {
        const whole = 100 + (tokens - 1) * 20;
        const took = wholeMs(paced(jitter, seed), tokens);
        expect(Math.abs(took - whole)).toBeLessThanOrEqual(whole * jitter);
        expect(wholeMs(paced(jitter, seed), tokens)).toBe(took);
      },
    ),
  );
  const call = paced(0.5);
  const times = Array.from({ length: 200 }, () => interTokenMs(call));
  expect(times.some((ms) => ms < 15) && times.some((ms) => ms > 25)).toBe(true);
  expect(times.every((ms) => ms >= 10 && ms <= 30)).toBe(true);
});

test('a stream with jitter comes at uneven times and says the same', async () => {
  const options = { firstTokenMs: 100, interTokenMs: 20 };
  const [even, uneven] = [harness(options), harness({ ...options, jitter: 0.9 })];
  const body = { model: 'acme/base-70b', prompt: 'x', max_tokens: 30 };
  const took: number[] = [];
  const texts: unknown[] = [];
  for (const one of [even, uneven]) {
    const start = one.clock.now();
    const answer = await one.request('/v1/completions', { method: 'POST', body });
    took.push(one.clock.now() - start);
    texts.push(field(answer.body, 'choices', 0, 'text'));
  }
  expect(took[0]).toBe(100 + 29 * 20);
  expect(took[1]).not.toBe(took[0]);
  expect(texts[1]).toBe(texts[0]);
});
