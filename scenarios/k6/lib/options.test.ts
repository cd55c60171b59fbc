import { expect, test, vi } from 'vitest';
import { byFreeVu, DRAIN_MS, onePerVu, scriptOptions } from './options.ts';

const http = vi.hoisted(() => ({ setResponseCallback: vi.fn() }));
vi.mock('k6/http', () => ({ default: http }));

const ms = (duration: unknown): number => Number(String(duration).replace('ms', ''));

test('a scenario may go on long enough for its last answer', () => {
  const one = onePerVu('burst', 50, 20_000);
  expect(one).toMatchObject({ executor: 'per-vu-iterations', exec: 'burst', vus: 50, iterations: 1 });
  expect(ms('maxDuration' in one ? one.maxDuration : 0)).toBe(20_000 + DRAIN_MS);
  expect(ms('gracefulStop' in one ? one.gracefulStop : 0)).toBe(DRAIN_MS);
});

test('k6 wants no more VUs than iterations', () => {
  expect(byFreeVu('pace', 50, 3, 1000)).toMatchObject({ executor: 'shared-iterations', vus: 3, iterations: 3 });
  expect(byFreeVu('pace', 5, 300, 1000)).toMatchObject({ vus: 5, iterations: 300 });
});

test('every request says whose it is', () => {
  expect(scriptOptions({}, 1000, { runId: 'r-7' })).toMatchObject({ userAgent: 'proofload (run r-7)' });
});

test('nothing is decided by thresholds, nothing is kept of the answers, no redirect is followed, nothing is counted as failed', () => {
  const options = scriptOptions({ burst: onePerVu('burst', 1, 1000) }, 1000, { runId: 'r' });
  expect(options).toMatchObject({ discardResponseBodies: true, maxRedirects: 0, systemTags: [] });
  expect(options).not.toHaveProperty('thresholds');
  expect(ms(options.setupTimeout)).toBeGreaterThan(1000);
  expect(http.setResponseCallback).toHaveBeenCalledWith(null);
});
