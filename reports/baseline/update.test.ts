import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Verdict } from '../../schemas/verdicts.ts';
import { runVerdict } from '../run-verdict.ts';
import { applyBaseline } from './apply.ts';
import type { ReadEntry } from './baseline.ts';
import { editText, readEntries } from './file.ts';
import { anyChecks, anyEntries, checkWith, entry, STAGING, staging, TODAY, YESTERDAY } from './testing/samples.ts';
import { changesFor } from './update.ts';

const context = { target: staging, today: TODAY };
const changes = (entries: readonly ReadEntry[], verdict: Verdict) =>
  changesFor(entries, [checkWith('run.route', verdict)], context);

const untouched = { added: [], seen: [], removed: [] };

test('a failure or a warning that is not listed is added, with a placeholder', () => {
  expect(changes([], 'fail').added).toEqual([
    {
      check: 'run.route',
      target: STAGING,
      expect: 'fail',
      reason: 'TODO: say why this is expected',
      firstSeen: TODAY,
      lastSeen: TODAY,
    },
  ]);
  expect(changes([], 'warn').added).toMatchObject([{ expect: 'warn' }]);
  expect(changes([entry({ target: 'https://elsewhere.example' })], 'fail')).toMatchObject({
    ...untouched,
    added: [{}],
  });
});

test.each(['pass', 'observed', 'inconclusive', 'not-observable', 'skipped', 'error'] as const)(
  '%s adds nothing',
  (verdict) => expect(changes([], verdict)).toEqual(untouched),
);

test('an entry that is seen again gets the day, and what is now expected, and nothing else', () => {
  const listed = entry({ firstSeen: '2026-11-03', lastSeen: '2026-11-03', expires: YESTERDAY });
  expect(changes([listed], 'fail')).toEqual({ ...untouched, seen: [{ index: 0, fields: { lastSeen: TODAY } }] });
  expect(changes([listed], 'warn').seen).toEqual([{ index: 0, fields: { expect: 'warn', lastSeen: TODAY } }]);
  expect(changes([entry()], 'fail').seen).toEqual([{ index: 0, fields: { firstSeen: TODAY, lastSeen: TODAY } }]);
  expect(changes([entry({ firstSeen: TODAY, lastSeen: TODAY })], 'fail')).toEqual(untouched);
});

test.each([
  ['passes', {}, 'pass', [0]],
  ['is not judged any more', {}, 'observed', [0]],
  ['passes after it expired', { expires: YESTERDAY }, 'pass', [0]],
  ['is flaky and passes', { flaky: true, expires: TODAY }, 'pass', []],
  ['speaks of others too', { target: 'https://*.staging.example' }, 'pass', []],
  ['speaks of another', { target: 'https://elsewhere.example' }, 'pass', []],
  ['was not decided', {}, 'inconclusive', []],
  ['was skipped', {}, 'skipped', []],
  ['could not be carried out', {}, 'error', []],
] as const)('an entry whose check %s', (_, fields, verdict, removed) => {
  expect(changes([entry(fields)], verdict).removed).toEqual(removed);
});

test('an entry whose check did not report is left alone', () => {
  expect(changesFor([entry()], [], context)).toEqual(untouched);
});

const exact = [STAGING, 'https://inference.staging.example', 'https://elsewhere.example'];
const textOf = (entries: readonly ReadEntry[]): string =>
  editText(null, { added: entries.map(({ at: _, ...rest }) => rest), seen: [], removed: [] });
const update = (text: string, checks: readonly ReturnType<typeof checkWith>[]): string =>
  editText(text, changesFor(readEntries(text, 'b.yaml'), checks, context));
const listed = (text: string) => readEntries(text, 'b.yaml').map(({ at: _, ...rest }) => rest);

/** Each run reads and writes YAML several times, which a busy machine takes its time for. */
const patient = { timeout: 30_000 };
const runs = { numRuns: 50 };

test('updating twice is updating once', patient, () => {
  fc.assert(
    fc.property(anyEntries(), anyChecks, (entries, checks) => {
      const once = update(textOf(entries), checks);
      expect(update(once, checks)).toBe(once);
    }),
    runs,
  );
});

test(
  'after an update the same run has nothing stale, and is green but for what expired or broke on our side',
  patient,
  () => {
    fc.assert(
      fc.property(anyEntries(exact), anyChecks, (entries, checks) => {
        const read = readEntries(update(textOf(entries), checks), 'b.yaml');
        const applied = applyBaseline({ file: 'b.yaml', entries: read }, checks, context);
        expect(applied.report.stale).toEqual([]);
        if (applied.report.expired.length > 0) return;
        expect(applied.checks.map((check) => check.verdict)).not.toContain('fail');
        expect(runVerdict(applied.checks, { complete: true, outdated: false }).exitCode).not.toBe(1);
      }),
      runs,
    );
  },
);

test('an update keeps each word of what it keeps, and drops nothing that was not seen to pass here', patient, () => {
  fc.assert(
    fc.property(anyEntries(), anyChecks, (entries, checks) => {
      const after = listed(update(textOf(entries), checks));
      const passed = new Set(checks.filter(({ verdict }) => /pass|observed/.test(verdict)).map(({ id }) => id));
      for (const { at: _, expect: __, firstSeen, lastSeen: ___, ...words } of entries) {
        const kept = after.find((one) => one.check === words.check && one.target === words.target);
        if (kept) expect(kept).toMatchObject({ ...words, ...(firstSeen ? { firstSeen } : {}) });
        else expect(passed.has(words.check) && words.target !== 'https://elsewhere.example').toBe(true);
      }
    }),
    runs,
  );
});

test('entries that are kept stay in their order, and new ones come last', patient, () => {
  fc.assert(
    fc.property(anyEntries(), anyChecks, (entries, checks) => {
      const key = (one: { check: string; target: string }): string => `${one.check} ${one.target}`;
      const before = entries.map(key);
      const after = listed(update(textOf(entries), checks)).map(key);
      const kept = after.filter((one) => before.includes(one));
      expect(kept).toEqual(before.filter((one) => after.includes(one)));
      expect(after.slice(0, kept.length)).toEqual(kept);
    }),
    runs,
  );
});
