import { expect, test, vi } from 'vitest';
import { sleepUntil } from './clock.ts';

const k6 = vi.hoisted(() => ({ sleep: vi.fn(), instance: { currentTestRunDuration: 1000.5 } }));
vi.mock('k6', () => ({ sleep: k6.sleep }));
vi.mock('k6/execution', () => ({ instance: k6.instance }));

test('it sleeps until the moment, in seconds', () => {
  expect(sleepUntil(1250.5)).toBe(0);
  expect(k6.sleep).toHaveBeenCalledWith(0.25);
});

test('it does not sleep when the moment is over, and says by how much', () => {
  k6.sleep.mockClear();
  expect(sleepUntil(900)).toBe(100.5);
  expect(k6.sleep).not.toHaveBeenCalled();
});

test('the time is read each time, from an object that is made once', async () => {
  vi.resetModules();
  const had = vi.fn();
  let time = 0;
  const clock = {
    get currentTestRunDuration() {
      time += 1;
      return time;
    },
  };
  vi.doMock('k6/execution', () => ({
    get instance() {
      had();
      return clock;
    },
  }));
  const { now } = await import('./clock.ts');
  expect(had).not.toHaveBeenCalled();
  expect([now(), now(), now()]).toEqual([1, 2, 3]);
  expect(had).toHaveBeenCalledTimes(1);
});
