import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Verdict } from '../../schemas/verdicts.ts';
import { runVerdict } from '../run-verdict.ts';
import { ambiguous, applyBaseline } from './apply.ts';
import type { ReadEntry } from './baseline.ts';
import { anyChecks, anyEntries, checkWith, entry, STAGING, staging, TODAY, YESTERDAY } from './testing/samples.ts';

const apply = (entries: readonly ReadEntry[], checks: readonly ReturnType<typeof checkWith>[]) =>
  applyBaseline({ file: 'baseline.yaml', entries }, checks, { target: staging, today: TODAY });

/** What one entry makes of one check: the check's verdict, and the list in which the entry then stands. */
function met(changes: Partial<ReadEntry>, verdict: Verdict): string {
  const { checks, report } = apply([entry(changes)], [checkWith('run.route', verdict)]);
  const lists = (['stale', 'expired', 'unobserved', 'quiet'] as const).filter((name) => report[name].length > 0);
  return [checks[0]?.verdict, ...lists].join(' ');
}

const flaky = { flaky: true, expires: TODAY };
const late = { expires: YESTERDAY };

test.each([
  [{}, 'fail', 'known'],
  [{ expect: 'warn' }, 'warn', 'known'],
  [{ expect: 'warn' }, 'fail', 'fail stale'],
  [{ expect: 'fail' }, 'warn', 'warn stale'],
  [{}, 'pass', 'pass stale'],
  [{}, 'observed', 'observed stale'],
  [{}, 'inconclusive', 'inconclusive unobserved'],
  [{}, 'not-observable', 'not-observable unobserved'],
  [{}, 'skipped', 'skipped unobserved'],
  [{}, 'error', 'error unobserved'],
  [{ expires: TODAY }, 'fail', 'known'],
  [late, 'fail', 'fail expired'],
  [late, 'pass', 'pass stale'],
  [late, 'inconclusive', 'inconclusive expired'],
  [flaky, 'fail', 'known'],
  [flaky, 'pass', 'pass quiet'],
  [{ ...flaky, ...late }, 'pass', 'pass expired'],
  [{ ...flaky, ...late }, 'fail', 'fail expired'],
  [{ target: 'https://elsewhere.example' }, 'fail', 'fail'],
  [{ check: 'run.job-id' }, 'fail', 'fail unobserved'],
] as const)('%j and %s make %s', (changes, verdict, outcome) => {
  expect(met(changes, verdict)).toBe(outcome);
});

test('a known check keeps what was seen, and says what excuses it', () => {
  const listed = entry({ ticket: 7, expires: '2026-12-01' });
  const { checks, report } = apply([listed], [checkWith('run.route', 'fail'), checkWith('run.job-id', 'pass')]);
  expect(checks[0]).toEqual({
    ...checkWith('run.route', 'fail'),
    verdict: 'known',
    known: { verdict: 'fail', reason: 'the gateway', ticket: '7', expires: '2026-12-01' },
  });
  expect(checks[1]).toEqual(checkWith('run.job-id', 'pass'));
  expect(report).toMatchObject({ file: 'baseline.yaml', entries: 1, known: 1, nextExpires: '2026-12-01' });
});

test('the next day of expiry is that of what is excused, not of what was left alone', () => {
  const entries = [
    entry({ expires: '2027-01-01' }),
    entry({ check: 'run.job-id', expires: '2026-12-24' }),
    entry({ check: 'models.list', expires: '2026-11-30' }),
  ];
  const checks = [checkWith('run.route', 'fail'), checkWith('run.job-id', 'fail'), checkWith('models.list', 'skipped')];
  expect(apply(entries, checks).report).toMatchObject({ nextExpires: '2026-12-24', known: 2, entries: 3 });
});

test('what fails the run names the place and the remedy', () => {
  expect(apply([entry()], [checkWith('run.route', 'pass')]).report.stale).toEqual([
    {
      check: 'run.route',
      at: 'baseline.yaml:3',
      target: STAGING,
      why: 'the check passes now',
      remedy: 'remove the entry, or run again with --update-baseline',
    },
  ]);
  const [wide] = apply([entry({ target: '*' })], [checkWith('run.route', 'pass')]).report.stale;
  expect(wide?.remedy).toContain('narrow its target');
  const [worse] = apply([entry({ expect: 'warn' })], [checkWith('run.route', 'fail')]).report.stale;
  expect(worse?.why).toBe('the check fails now, where the entry expects it to warn');
  const [over] = apply([entry(late)], [checkWith('run.route', 'fail')]).report.expired;
  expect(over?.why).toBe('expired on 2026-11-20, and the check still fails');
});

test('a missing reason is reported', () => {
  const entries = [entry({ reason: 'TODO: say why this is expected' }), entry({ check: 'run.job-id' })];
  const checks = [checkWith('run.route', 'fail'), checkWith('run.job-id', 'fail')];
  expect(apply(entries, checks).report.unexplained).toEqual(['run.route']);
});

test('two entries for one check are a question only where both speak of the target', () => {
  const wide = entry({ target: '*', at: 'baseline.yaml:9' });
  expect(ambiguous([entry(), wide], staging)).toEqual([entry(), wide]);
  expect(ambiguous([entry(), { ...wide, target: 'https://elsewhere.example' }], staging)).toBeUndefined();
  expect(ambiguous([entry(), { ...wide, check: 'run.job-id' }], staging)).toBeUndefined();
});

const shuffled = <T>(list: readonly T[]) => fc.shuffledSubarray([...list], { minLength: list.length });

test('neither the order of the entries nor that of the checks decides anything', () => {
  const cases = fc
    .tuple(anyEntries(), anyChecks)
    .chain(([entries, checks]) => fc.tuple(fc.constant({ entries, checks }), shuffled(entries), shuffled(checks)));
  fc.assert(
    fc.property(cases, ([{ entries, checks }, mixedEntries, mixedChecks]) => {
      const sorted = ({ checks, report }: ReturnType<typeof apply>) => ({
        checks: [...checks].sort((a, b) => a.id.localeCompare(b.id)),
        report: Object.fromEntries(
          Object.entries(report).map(([name, value]) => [
            name,
            Array.isArray(value) ? value.map((one) => JSON.stringify(one)).sort() : value,
          ]),
        ),
      });
      expect(sorted(apply(mixedEntries, mixedChecks))).toEqual(sorted(apply(entries, checks)));
    }),
  );
});

test('a baseline never hides what it does not list', () => {
  fc.assert(
    fc.property(anyEntries(), anyChecks, (entries, checks) => {
      const applied = apply(entries, checks);
      const outdated = applied.report.stale.length + applied.report.expired.length > 0;
      if (runVerdict(applied.checks, { complete: true, outdated }).exitCode !== 0) return;
      for (const failed of checks.filter((check) => check.verdict === 'fail')) {
        const listed = entries.filter((one) => one.check === failed.id && one.target !== 'https://elsewhere.example');
        expect(listed).toMatchObject([{ expect: 'fail' }]);
        expect((listed[0]?.expires ?? TODAY) >= TODAY).toBe(true);
      }
    }),
  );
});

test('only what fails or warns becomes known, and an error never', () => {
  fc.assert(
    fc.property(anyEntries(), anyChecks, (entries, checks) => {
      const before = new Map(checks.map((check) => [check.id, check.verdict]));
      for (const check of apply(entries, checks).checks) {
        const was = before.get(check.id);
        if (check.verdict === 'known') expect(was).toBe(check.known?.verdict);
        else expect(check.verdict).toBe(was);
      }
    }),
  );
});

test('every entry for the target comes to exactly one thing', () => {
  fc.assert(
    fc.property(anyEntries(), anyChecks, (entries, checks) => {
      const { report } = apply(entries, checks);
      const { known, stale, expired, unobserved, quiet } = report;
      expect(known + stale.length + expired.length + unobserved.length + quiet.length).toBe(report.entries);
      expect(report.entries + report.elsewhere).toBe(entries.length);
    }),
  );
});
