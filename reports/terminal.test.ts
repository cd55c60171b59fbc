import { expect, test } from 'vitest';
import { laterNight } from './history/testing/fixtures.ts';
import { finalBlock, type Role } from './terminal.ts';
import { sampleResults } from './testing/fixtures.ts';

const paths = { html: 'proofload-report/x/report.html' };

test('a broken promise is named with its clause and what was seen', () => {
  const lines = finalBlock(sampleResults('failing'), paths);
  expect(lines[0]).toMatch(
    /^✕ Does not conform: http:\/\/127\.0\.0\.1:40123 and https:\/\/jobs\.staging\.example\. 2 of \d+ documented checks fail\./,
  );
  expect(lines.slice(1, 4)).toEqual([
    '  ✕ run.rate.enforced (clause run.rate)',
    '      expected  at most 1,000 requests admitted within any 10 s',
    '      observed  2,100 requests admitted within 10 s, none refused',
  ]);
  expect(lines.at(-2)).toMatch(/^\d+ checks: \d+ pass, 2 fail, 1 warning/);
  expect(lines.at(-1)).toBe('Report proofload-report/x/report.html');
});

test('a passing run takes three lines', () => {
  expect(finalBlock(sampleResults('passing'), paths)).toHaveLength(3);
});

test('the duration stands next to the minimum duration', () => {
  const { run, ...rest } = sampleResults('passing');
  const reported = (durationMs: number, floorMs: number) =>
    finalBlock({ ...rest, run: { ...run, durationMs, floorMs } }, paths).at(-2);
  expect(reported(98_000, 70_000)).toMatch(/; took 1 min 38 s; minimum duration \(rate windows\): 1 min 10 s$/);
  expect(reported(8000, 0)).toMatch(/; took 8 s$/);
});

test('what stayed open is grouped by its reason, and what was skipped as well; warnings are named', () => {
  const text = finalBlock(sampleResults('inconclusive'), paths).join('\n');
  expect(text).toContain('? runsync.rate.enforced inconclusive: the endpoint runs 90 jobs/s');
  const failing = finalBlock(sampleResults('failing'), paths).join('\n');
  expect(failing).toMatch(/2 checks skipped: .*interface A is not configured/);
  expect(failing).toMatch(/2 checks not observable: needs .*--dedicated/);
  expect(failing).toMatch(/! warning: [a-z.-]+: /m);
});

test('a generator that fell short is said so in one line', () => {
  const results = sampleResults('passing');
  const whole = {
    sent: 1,
    unanswered: 0,
    dropped: 0,
    lateness: null,
    leastIdleShare: null,
    loopLagMs: null,
    peakBytes: null,
    clockStepMs: 5000,
  };
  const shortfalls = ['run.rate: the clock stepped by 5000 ms during it', 'a', 'b'];
  const lines = finalBlock(
    { ...results, run: { ...results.run, generator: { probes: [], whole, shortfalls } } },
    paths,
  );
  expect(lines).toContain(
    '  ! load generator shortfall: run.rate: the clock stepped by 5000 ms during it; 2 more in the report',
  );
  expect(lines).toHaveLength(4);
});

test('no text of a target reaches the terminal as an escape or a second line', () => {
  for (const line of finalBlock(sampleResults('hostile'), paths)) {
    expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(line.length).toBeLessThan(500);
  }
});

test('colour is left to the caller', () => {
  const roles: Role[] = [];
  const lines = finalBlock(sampleResults('failing'), paths, (role, text) => {
    roles.push(role);
    return `<${text}>`;
  });
  expect(new Set(roles)).toEqual(new Set(['fail', 'dim', 'inconclusive', 'strong']));
  expect(lines[1]).toBe('  <✕ run.rate.enforced> <(clause run.rate)>');
});

test('new breaks are named, and one line lists the other changes', () => {
  const lines = finalBlock(laterNight(), paths);
  expect(lines[1]).toBe('  ✕ run.rate.enforced (clause run.rate; newly broken)');
  expect(lines.filter((line) => line.startsWith('Since 2026-09-24 03:00 UTC: 2 newly broken'))).toHaveLength(1);
  const problem = { file: 'h', unreadable: 0, runs: [], earlier: 0, leftOut: [], problem: 'the history is gone' };
  expect(finalBlock({ ...sampleResults('passing'), history: problem }, paths)).toContain('  ! the history is gone');
});
