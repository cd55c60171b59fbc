/** The page's section on earlier runs: what it says where there are none, and that every picture has its words. */
import { expect, test } from 'vitest';
import { historyReport } from '../history/index.ts';
import { historyLine } from '../history/line.ts';
import { laterNight, night } from '../history/testing/fixtures.ts';
import { sampleResults } from '../testing/fixtures.ts';
import type { Html } from './html.ts';
import type { PageInput } from './parts.ts';
import { trendSection } from './trend.ts';

function section(results: PageInput['results']): string {
  const checkIds = new Set(results.checks.map(({ id }) => id));
  const made: Html | false = trendSection({ results, clauses: new Map(), checkIds, evidence: new Map() });
  return made === false ? '' : made.text;
}

test('without a history there is no section', () => {
  expect(section(sampleResults('passing'))).toBe('');
});

test('the first run of a history is not compared with anything, and says why', () => {
  const other = night(0, 'passing', { run: { ...night(0).run, profile: 'nightly' } });
  const now = night(3);
  const history = historyReport(now, 'h.ndjson', { lines: [historyLine(other)], unreadable: 0 });
  const text = section({ ...now, history });
  expect(text).toContain('No comparable earlier run');
  expect(text).toContain('1 run of the file left out: with another profile.');
  expect(text).not.toContain('<svg');
});

test('changes stand first, then each limit and each latency with a picture that says the same in words', () => {
  const text = section(laterNight());
  expect(text.indexOf('Newly broken')).toBeLessThan(text.indexOf('Limits, from run to run'));
  expect(text).toContain('href="#check-run.rate.enforced"');
  expect(text).toContain(
    'aria-label="runsync.rate: 2,000 requests per 10 s, then 1,800 to 1,850 requests per 10 s since',
  );
  expect(text.match(/<svg/g)?.length).toBe(text.match(/<svg[^>]*aria-label="[^"]+: [^"]+"/g)?.length);
});

test('a history that could not be written is said', () => {
  const now = night(1);
  const history = {
    ...historyReport(now, 'h', { lines: [], unreadable: 3 }),
    problem: 'this run is not in the history: <ENOSPC>',
  };
  const text = section({ ...now, history });
  expect(text).toContain('this run is not in the history: &lt;ENOSPC&gt;.');
  expect(text).toContain('3 lines of the file could not be read.');
});
