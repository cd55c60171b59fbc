import { expect, test } from 'vitest';
import { describePlan } from './describe.ts';
import { planLoad } from './index.ts';
import { endpoint, quick, targetWith, usual } from './testing/targets.ts';

const linesFor = (target = usual, only: readonly string[] = []) =>
  describePlan(planLoad({ target, profile: 'gate', only, calibration: quick }));

test('every probe has a line with when, how much and what it needs exclusively', () => {
  const text = linesFor().join('\n');
  for (const { id, requests } of planLoad({ target: usual, profile: 'gate', only: [], calibration: quick }).probes) {
    const line = text.split('\n').find((one) => one.includes(` ${id} `));
    expect(line).toContain(requests.toLocaleString('en-US'));
  }
  expect(text).toMatch(/run\.rate .* budget:run .*queue:big/);
});

test('columns are aligned, in order of time', () => {
  const [head = '', ...rows] = linesFor();
  const table = rows.slice(0, rows.indexOf(''));
  const column = head.indexOf('probe');
  expect(table.every((row) => row[column - 1] === ' ' && row[column] !== ' ')).toBe(true);
  const units: Record<string, number> = { ms: 1, s: 1000, min: 60_000 };
  const starts = table.map((row) =>
    [...(row.split('  ')[0] ?? '').matchAll(/([\d.]+) (\w+)/g)].reduce(
      (ms, [, amount, unit = '']) => ms + Number(amount) * (units[unit] ?? Number.NaN),
      0,
    ),
  );
  expect(starts).toEqual([...starts].sort((a, b) => a - b));
});

test('a check that is not answered is listed with its reason', () => {
  const text = linesFor(targetWith([endpoint('shared', null, false)])).join('\n');
  expect(text).toMatch(/run\.rate\.guarantee, run\.rate\.enforced.*: needs an endpoint .*--dedicated/);
  expect(linesFor({ ...usual, baseUrl: null }).join('\n')).toMatch(/inference\..*: skipped by target: .*--base-url/);
});

test('the last lines are the totals and the floor', () => {
  const [cost, time] = linesFor().slice(-2);
  expect(cost).toMatch(/^\d+ checks, \d+ probes; at most [\d,]+ requests and [\d,]+ MB$/);
  expect(time).toMatch(/^about 1 min \d+ s; minimum duration \(rate windows\): 1 min \d+ s$/);
  expect(linesFor(usual, ['run.payload.*']).at(-1)).toMatch(
    /^about \d+(\.\d)? s; no rate window has to be waited for$/,
  );
});

test('what is needed at first only is distinguished from what is shared all through', () => {
  const line = linesFor().find((one) => one.includes(' runsync.concurrency.long-poll '));
  expect(line).toMatch(/budget:cancel budget:run budget:status \(at first\)$/);
});

test('an empty plan says so', () => {
  expect(linesFor({ ...usual, baseUrl: null, jobBaseUrl: null })[0]).toBe('Nothing would be sent.');
});
