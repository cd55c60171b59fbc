import { expect, test } from 'vitest';
import { laterNight } from './history/testing/fixtures.ts';
import { renderSummary } from './summary.ts';
import { hostileTexts, sampleResults } from './testing/fixtures.ts';

test('the verdict comes first, what broke next', () => {
  const lines = renderSummary(sampleResults('failing')).split('\n');
  expect(lines[0]).toBe('## ✕ Does not conform: http://127.0.0.1:40123 and https://jobs.staging.example');
  const text = lines.join('\n');
  expect(text.indexOf('### Failures')).toBeLessThan(text.indexOf('### Limits'));
  expect(text).toContain('- **run.rate.enforced**: ');
  expect(text).toContain('  - observed `2,100 requests admitted within 10 s, none refused`');
  expect(text).toContain('  - clause `run.rate` (documented)');
});

test('a limit is one line with documented, measured and verdict', () => {
  const text = renderSummary(sampleResults('failing'));
  expect(text).toContain(
    '| run rate | 1,000 requests per 10 s | no bound found: at least 1,000 requests per 10 s (unknown) | ✕ fail: ',
  );
  expect(text).toContain('| cancel concurrency | 20 requests at once per endpoint | 20 requests at once | ✓ pass |');
});

test('nothing that was not decided looks green', () => {
  const text = renderSummary(sampleResults('inconclusive'));
  expect(text).toMatch(/\| run queue \|.*\| not measured \| ∅ not observable: /);
  expect(text).toContain(
    '**inference.concurrency.guarantee**, **inference.concurrency.enforced** skipped: `interface A is not configured: set --base-url`',
  );
});

test('a passing run says so, and where the rest is', () => {
  const text = renderSummary(sampleResults('passing'));
  expect(text).toContain('No documented check failed.');
  expect(text).toContain('`report.html`');
  expect(text).not.toContain('### Undecided');
});

test('an interrupted run says how far it came', () => {
  expect(renderSummary(sampleResults('interrupted'))).toMatch(/## \? Interrupted: .*\n\n.*Stopped early .*40 of/);
});

test('text of a target stays in its code span', () => {
  const text = renderSummary(sampleResults('hostile'));
  const outside = text.replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '');
  expect(outside).not.toMatch(/<script|<img|<svg|javascript:|@everyone|^# heading|onerror=/im);
  for (const line of text.split('\n')) expect(line.length).toBeLessThan(1500);
  expect(hostileTexts.some((hostile) => text.includes(hostile.slice(0, 8)))).toBe(true);
});

test('it stays short enough for a chat message', () => {
  expect(renderSummary(sampleResults('failing')).length).toBeLessThan(6000);
});

test('what changed since the last comparable run stands below what broke, with the version that made it', () => {
  const later = laterNight();
  expect(renderSummary(later)).toMatch(/^Since 2026-09-24 03:00 UTC: 2 newly broken, .*run\.rate\.enforced/m);
  const upgraded = { ...later, run: { ...later.run, suiteVersion: '9.0.0' } };
  expect(renderSummary(upgraded)).toMatch(/^Since 2026-09-24 03:00 UTC, by proofload 0\.1\.0: /m);
  expect(renderSummary(sampleResults('failing'))).not.toContain('Since');
  const problem = {
    file: 'h',
    unreadable: 0,
    runs: [],
    earlier: 0,
    leftOut: [],
    problem: 'this run is not in the history: ENOSPC',
  };
  expect(renderSummary({ ...later, history: problem })).toContain('**this run is not in the history: ENOSPC**');
});
