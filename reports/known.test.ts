/** The baseline in every rendering: what is owed shows where all is green, and what is outdated is never green. */
import { expect, test } from 'vitest';
import { clauses } from '../schemas/clauses/index.ts';
import { headline, limitReason, sentence } from './findings.ts';
import { renderPage } from './html/page.ts';
import { renderJunit } from './junit.ts';
import { stored } from './stored.ts';
import { renderSummary } from './summary.ts';
import { finalBlock } from './terminal.ts';
import { type BaselineKind, baselineResults } from './testing/fixtures-baseline.ts';
import { schemaBreaks } from './validate.ts';

const kinds: readonly BaselineKind[] = ['green', 'outdated', 'settled'];
const green = baselineResults('green');
const outdated = baselineResults('outdated');
const terminal = (results: typeof green): string => finalBlock(results, { html: 'report.html' }).join('\n');

test.each(kinds)('%s results keep to their schema', (kind) => {
  expect(schemaBreaks(stored(baselineResults(kind)))).toEqual([]);
});

test('a run in which only what is expected broke is green, and says what is owed', () => {
  expect(green).toMatchObject({ verdict: 'inconclusive', exitCode: 0, counts: { fail: 0, warn: 0, known: 3 } });
  expect(sentence(green)).toContain('2 known failures and 1 known warning, next expires 2026-12-01.');
  const decided = { ...green, verdict: 'pass' as const };
  expect(headline(decided)).toBe('Conforms, given the baseline');
  expect(sentence(decided)).toMatch(
    /^All \d+ documented checks that could be judged pass, apart from known failures\./,
  );
});

test('a baseline that is out of date is exit 1 and no break of the service', () => {
  const settled = { ...outdated, checks: outdated.checks.filter((check) => check.verdict !== 'fail') };
  const counts = { ...outdated.counts, fail: 0 };
  expect(outdated).toMatchObject({ verdict: 'fail', exitCode: 1, counts: { fail: 1, known: 2 } });
  expect(headline(outdated)).toBe('Does not conform');
  expect(headline({ ...settled, counts })).toBe('The baseline is outdated');
  expect(sentence({ ...settled, counts })).toMatch(
    /^No documented check failed that is not in the baseline\. The baseline has 1 stale and 1 expired entry\./,
  );
});

test('the terminal names what is known, what is owed and what lacks words', () => {
  const text = terminal(green);
  expect(text).toContain(
    '≈ run.rate.enforced, expected to fail: The gateway keeps a counter of its own <for each node> (GATE-412, expires 2026-12-01)',
  );
  expect(text).toContain(
    '! 1 entry of baseline.yaml has no reason yet: write one in place of TODO, for run.payload.refusal.',
  );
  expect(text).toContain('1 entry of baseline.yaml not observed in this run, and left alone: 1 inconclusive.');
  expect(text).toContain('3 known');
});

test('the terminal names outdated entries with their place and remedy', () => {
  const text = terminal(outdated);
  expect(text).toContain('✕ cancel.rate.enforced (stale baseline entry, baseline.yaml:18)');
  expect(text).toContain('the check passes now: remove the entry, or run again with --update-baseline');
  expect(text).toContain('✕ run.rate.enforced (expired baseline entry, baseline.yaml:4)');
  expect(text).toContain('expired on 2026-11-20, and the check still fails: ');
});

test('a long list of known failures is cut in the terminal', () => {
  const known = green.checks.filter((check) => check.known).slice(0, 1);
  const many = Array.from({ length: 9 }, (_, index) => known.map((one) => ({ ...one, id: `run.c${index}` }))).flat();
  expect(terminal({ ...green, checks: many })).toContain('  … and 4 more in the report');
});

test('JUnit has a skipped case for what is known, and an error for what is outdated', () => {
  const xml = renderJunit(green);
  expect(xml).toContain('failures="0" errors="0" time=');
  expect(xml.match(/<skipped /g)).toHaveLength(9);
  expect(xml).toContain(
    '<skipped message="known, expected to fail: The gateway keeps a counter of its own &lt;for each',
  );
  expect(xml).toContain('<property name="run.rate.enforced.verdict" value="known"/>');
  expect(xml).toContain('observed: 2,100 requests admitted within 10 s, none refused');
  const red = renderJunit(outdated);
  expect(red.match(/<failure /g)).toHaveLength(outdated.counts.fail);
  expect(red).toContain('<testsuite name="proofload.baseline" tests="2" failures="0" errors="2"');
  expect(red).toContain('<error type="baseline-stale" message="baseline.yaml:18: the check passes now">');
  expect(red).toContain('<error type="baseline-expired"');
});

test('the summary lists both', () => {
  const text = renderSummary(green);
  expect(text).toContain(
    '### Expected by the baseline\n\n- **run.rate.enforced**, expected to fail: The gateway keeps a counter of its own ' +
      '&lt;for each node\\> (GATE-412, expires 2026-12-01); observed `2,100 requests admitted',
  );
  expect(text).toContain('No documented check failed, apart from known failures.');
  expect(text).not.toContain('out of date');
  expect(renderSummary(outdated)).toContain(
    '### The baseline is outdated\n\n- **cancel.rate.enforced** (stale, `baseline.yaml:18`): the check passes now; ',
  );
});

test('the page lists both, and the entry of the baseline stands next to the check', () => {
  const page = renderPage(green, clauses);
  expect(page).toContain('<h2>Expected by the baseline</h2>');
  expect(page).toContain('<a href="#check-run.rate.enforced">');
  expect(page).toContain('expected to fail: The gateway keeps a counter of its own &lt;for each node&gt;');
  expect(page).toMatch(/Without the baseline: .*fail.* It is expected to fail: The gateway/);
  expect(page).toContain('<dd>baseline.yaml, 4 entries for this target</dd>');
  expect(page).not.toContain('The baseline is outdated');
  expect(renderPage(outdated, clauses)).toContain('<h2>The baseline is outdated</h2>');
  expect(renderPage(baselineResults('settled'), clauses)).not.toContain('Expected by the baseline');
});

test('a limit whose check is known is known, with what was seen and why', () => {
  const row = green.limits.find((limit) => limit.id === 'run.rate');
  expect(row?.verdict).toBe('known');
  expect(row && limitReason(green, row)).toMatch(/^2,100 requests admitted .*; expected to fail: The gateway/);
  expect(outdated.limits.find((limit) => limit.id === 'run.rate')?.verdict).toBe('fail');
  expect(green.limits.find((limit) => limit.id === 'run.payload')?.verdict).toBe('pass');
});
