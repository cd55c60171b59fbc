import { expect, test } from 'vitest';
import type { Clause } from '../../schemas/clauses/clause.ts';
import type { ResultCheck } from '../../schemas/results.ts';
import { type Verdict, verdicts } from '../../schemas/verdicts.ts';
import { countChecks } from '../counts.ts';
import { check, sampleResults } from '../testing/fixtures.ts';
import { contractSection } from './contract.ts';
import { coverageSection } from './page.ts';
import type { PageInput } from './parts.ts';

const clause: Clause = { id: 'run.rate', section: '8.2', level: 'documented', text: 'A <thousand>', observable: true };

function input(checks: readonly ResultCheck[], clauses: readonly Clause[] = [clause]): PageInput {
  const results = {
    ...sampleResults('passing'),
    checks,
    counts: countChecks(checks, checks.length),
    coverage: { clauses: 2, observable: 1, checked: 1, byClause: { 'run.rate': checks.map(({ id }) => id), lost: [] } },
  };
  return {
    results,
    clauses: new Map(clauses.map((one) => [one.id, one])),
    checkIds: new Set(checks.map(({ id }) => id)),
    evidence: new Map(),
  };
}

const one = (id: string, verdict: Verdict, changes: Partial<ResultCheck> = {}): ResultCheck =>
  check({ id, title: `title of ${id}`, clauses: ['run.rate'], level: 'documented' }, { verdict, ...changes });

test('a check shows verdict, level, title, expected, observed, reason and clause', () => {
  const { text } = contractSection(
    input([one('run.a', 'inconclusive', { expected: 'e < 1', observed: 'o & 2', reason: 'run it nearer' })]),
  );
  for (const part of [
    '<span class="badge v-inconclusive">inconclusive</span>',
    'data-level="documented"',
    'title of run.a<code>run.a</code>',
    '<dt>Expected</dt><dd>e &lt; 1</dd>',
    '<dt>Observed</dt><dd>o &amp; 2</dd>',
    '<dt>Reason</dt><dd>run it nearer</dd>',
    'A &lt;thousand&gt; <span class="muted small">(section 8.2, <code>run.rate</code>)</span>',
  ]) {
    expect(text).toContain(part);
  }
});

test.each(verdicts.map((verdict) => [verdict, verdict === 'fail' || verdict === 'error'] as const))(
  'a check that is %s starts open: %s',
  (verdict, open) => {
    const { text } = contractSection(input([one('run.a', verdict)]));
    expect(text.includes(`data-verdict="${verdict}" data-level="documented" open>`)).toBe(open);
  },
);

test('checks stand under their operation, with its method, path and counts', () => {
  const { text } = contractSection(input([one('status.a', 'pass'), one('run.b', 'fail'), one('other.c', 'pass')]));
  expect(text).toContain('<h3>run</h3><code class="muted">POST /api/v1/sl/{inst_id}/run</code>');
  expect(text).toContain('<code class="muted">GET or POST /api/v1/sl/{inst_id}/status/{job_id}</code>');
  expect(text).toContain('<h3>other</h3><span class="counts muted small">1 pass</span>');
  expect(text.indexOf('<h3>run<')).toBeLessThan(text.indexOf('<h3>status<'));
});

test('filters are offered for the verdicts that occur', () => {
  const { text } = contractSection(input([one('run.a', 'pass'), one('run.b', 'skipped')]));
  const offered = [...text.matchAll(/name="verdict" value="([a-z-]+)"/g)].map((match) => match[1]);
  expect(offered).toEqual(['pass', 'skipped']);
});

test('checks that differ from the reference can be distinguished, and picked', () => {
  const same = { verdict: 'pass', observed: 'o' } as const;
  const checks = [one('run.a', 'pass', { reference: { ...same, differences: ['has no `id`'] } }), one('run.b', 'pass')];
  const given = input(checks);
  const reference = { contract: 'asked', differences: [], more: 0 } as const;
  const { reference: _, ...before } = given.results;
  const { text } = contractSection({ ...given, results: { ...before, reference } });
  expect(text).toMatch(/id="check-run\.a"[^>]* data-differs>/);
  expect(text).not.toMatch(/id="check-run\.b"[^>]* data-differs/);
  expect(text).toContain('<select name="reference">');
  expect(contractSection({ ...given, results: before }).text).not.toContain('name="reference"');
});

test("the reference's answer stands next to a finding", () => {
  const reference = { verdict: 'pass', observed: 'refused the 1,001st' } as const;
  const { text } = contractSection(input([one('run.a', 'fail', { reference })]));
  expect(text).toMatch(/The reference: .*pass.* refused the 1,001st/);
});

test('a reason that repeats what was observed is said once', () => {
  const { text } = contractSection(input([one('run.a', 'error', { observed: 'it threw', reason: 'it threw' })]));
  expect(text.split('it threw')).toHaveLength(2);
});

test('a very long text is cut on the page', () => {
  const { text } = contractSection(input([one('run.a', 'fail', { observed: 'x'.repeat(5000) })]));
  expect(text).toContain('(3500 more characters)');
});

test('a check that passed is short: what was observed, and the ids of its clauses', () => {
  const { text } = contractSection(input([one('run.a', 'pass', { expected: 'e', observed: 'o & 2' })]));
  expect(text).toContain('<p>o &amp; 2</p><p class="small muted">run.rate</p>');
  expect(text).not.toContain('<dt>');
});

test('coverage links each clause to its checks and names those without any', () => {
  const { text } = coverageSection(input([one('run.a', 'pass'), one('run.b', 'fail')]));
  expect(text).toContain('1 of 1 clauses');
  expect(text).toContain(
    '<a href="?verdict=pass&amp;verdict=observed&amp;text=run.rate#contract">1 check</a> passed or recorded</li><li><span class="badge v-fail">fail</span> <a href="#check-run.b">run.b</a>',
  );
  expect(text).toMatch(/<code class="muted">lost<\/code>[\s\S]*not checked/);
});
