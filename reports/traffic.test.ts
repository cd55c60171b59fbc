import { expect, test } from 'vitest';
import { trafficWords } from './counts.ts';
import { renderSummary } from './summary.ts';
import { sampleResults } from './testing/fixtures.ts';

const traffic = {
  wiring: { announced: { requests: 22, bytes: 9000 }, sent: { requests: 15, bytes: 300 } },
  contract: { announced: { requests: 5010, bytes: 90_000 }, sent: { requests: 2301, bytes: 40_000 } },
  load: { announced: { requests: 30_000, bytes: 90_000 }, sent: { requests: 21_000 } },
};

test('each part with what it sent and what it had announced', () => {
  expect(trafficWords(traffic)).toBe(
    'Requests sent, of those announced: wiring check 15 of at most 22, contract checks 2,301 of at most 5,010, ' +
      'load 21,000 of at most 30,000.',
  );
  expect(trafficWords({ contract: traffic.contract })).toContain(': contract checks 2,301 of at most 5,010.');
});

test('nothing is said of a run that announced nothing', () => {
  expect(trafficWords(undefined)).toBeNull();
  expect(trafficWords({})).toBeNull();
});

test('the summary says it', () => {
  const base = sampleResults('passing');
  const text = renderSummary({ ...base, run: { ...base.run, traffic } });
  expect(text).toContain('contract checks 2,301 of at most 5,010');
});
