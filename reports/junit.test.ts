import { expect, test } from 'vitest';
import type { Results } from '../schemas/results.ts';
import { type Verdict, verdicts } from '../schemas/verdicts.ts';
import { assemble } from './assemble.ts';
import { renderJunit } from './junit.ts';
import { check, exchange, type SampleKind, sampleResults } from './testing/fixtures.ts';

const count = (xml: string, tag: string): number =>
  xml.split(`<${tag} `).length - 1 + (xml.split(`<${tag}>`).length - 1);

function withVerdicts(list: readonly Verdict[]): Results {
  const { run, target } = sampleResults('passing');
  const checks = list.map((verdict, index) =>
    check(
      { id: `run.c${index}`, title: `title ${index}`, clauses: ['run.rate', 'run.queue'], level: 'documented' },
      { verdict, expected: 'a', observed: 'b', ...(verdict === 'pass' ? {} : { reason: `why ${index}` }) },
    ),
  );
  return assemble({ checks, limits: [], declared: checks.map(({ id }) => id), run, target, clauses: [] });
}

test.each(['passing', 'failing', 'inconclusive', 'interrupted', 'hostile'] as const)(
  'the failures of %s results are its failed checks, in elements and in attributes',
  (kind: SampleKind) => {
    const results = sampleResults(kind);
    const xml = renderJunit(results);
    expect(count(xml, 'failure')).toBe(results.counts.fail);
    expect(xml).toContain(
      `<testsuites name="proofload" tests="${results.counts.emitted + (results.complete ? 0 : 1)}" `,
    );
    expect(xml).toContain(`failures="${results.counts.fail}"`);
    const { skipped, inconclusive, notObservable } = results.counts;
    expect(count(xml, 'skipped')).toBe(skipped + inconclusive + notObservable);
  },
);

test.each([
  ['pass', null],
  ['fail', '<failure type="documented" message="title 0: expected a, observed b">'],
  ['error', '<error type="harness" message="why 0">'],
  ['skipped', '<skipped message="skipped: why 0"/>'],
  ['not-observable', '<skipped message="not observable: why 0"/>'],
  ['inconclusive', '<skipped message="inconclusive: why 0"/>'],
  ['warn', '<system-out>warning\n'],
  ['observed', '<system-out>observed\n'],
  ['known', '<skipped message="known, why 0">title 0'],
] as const)('%s becomes %s', (verdict, element) => {
  const xml = renderJunit(withVerdicts([verdict]));
  const own = ['<failure', '<error ', '<skipped ', '<system-out'].filter((tag) =>
    xml.slice(xml.indexOf('name="run.c0"')).split('</testcase>')[0]?.includes(tag),
  );
  expect(own).toHaveLength(element === null ? 0 : 1);
  if (element) expect(xml).toContain(element);
});

test('the whole file, for one check of each kind', () => {
  expect(verdicts).toHaveLength(9);
  expect(renderJunit(withVerdicts(['pass', 'fail']))).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="proofload" tests="2" failures="1" errors="0" time="252.000">
  <testsuite name="proofload.run" tests="2" failures="1" errors="0" skipped="0" time="0.000" timestamp="2026-11-21T02:57:12.000Z">
    <properties>
      <property name="run.c0.clauses" value="run.rate run.queue"/>
      <property name="run.c0.level" value="documented"/>
      <property name="run.c0.verdict" value="pass"/>
      <property name="run.c0.title" value="title 0"/>
      <property name="run.c1.clauses" value="run.rate run.queue"/>
      <property name="run.c1.level" value="documented"/>
      <property name="run.c1.verdict" value="fail"/>
      <property name="run.c1.title" value="title 1"/>
    </properties>
    <testcase classname="proofload.run" name="run.c0" time="0.000"/>
    <testcase classname="proofload.run" name="run.c1" time="0.000">
      <failure type="documented" message="title 1: expected a, observed b">title 1
expected: a
observed: b
reason: why 1
clauses: run.rate, run.queue (documented)</failure>
    </testcase>
  </testsuite>
</testsuites>
`);
});

test('an interrupted run is not green in a CI viewer', () => {
  const xml = renderJunit(sampleResults('interrupted'));
  expect(xml).toContain('<error type="incomplete" message="Ctrl-C">');
  expect(xml).toContain('errors="1"');
});

test('a run that says nothing is not green either', () => {
  expect(renderJunit(withVerdicts([]))).toContain(
    '<error type="incomplete" message="no check was selected or none could run',
  );
  expect(renderJunit(withVerdicts(['skipped']))).toContain('<error type="incomplete"');
});

test('the time of a case is that of its requests', () => {
  const results = withVerdicts(['pass']);
  const evidence = { exchanges: [exchange({ durationMs: 1200 }), exchange({ durationMs: 34 })] };
  const timed = { ...results, checks: results.checks.map((one) => ({ ...one, evidence })) };
  expect(renderJunit(timed)).toContain('name="run.c0" time="1.234"');
});

test('checks stand in a suite for each operation', () => {
  const xml = renderJunit(sampleResults('passing'));
  for (const name of ['models', 'run', 'purge-queue', 'inference'])
    expect(xml).toContain(`<testsuite name="proofload.${name}"`);
});
