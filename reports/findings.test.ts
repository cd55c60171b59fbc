import { expect, test } from 'vitest';
import type { Results } from '../schemas/results.ts';
import { assemble } from './assemble.ts';
import { headline, limitReason, openQuestions, sentence, unbroken } from './findings.ts';
import { check, sampleResults } from './testing/fixtures.ts';

test.each([
  ['passing', 'Conforms', /^All \d+ documented checks that could be judged pass\.$/],
  ['failing', 'Does not conform', /^2 of \d+ documented checks fail\. 2 checks are inconclusive\. 1 client convention/],
  ['inconclusive', 'Not conclusive', /^No documented check failed, but 2 of \d+ documented checks are inconcl/],
  [
    'interrupted',
    'Interrupted',
    /^No documented .* until then\. Stopped early \(Ctrl-C\): 40 of \d+ checks reported\.$/,
  ],
] as const)('%s results read well', (kind, head, text) => {
  const results = sampleResults(kind);
  expect(headline(results)).toBe(head);
  expect(sentence(results)).toMatch(text);
});

const documented = (id: string, verdict: 'pass' | 'fail' | 'error' | 'known' | 'skipped' | 'observed', clause = id) =>
  check({ id, title: id, clauses: [clause], level: verdict === 'observed' ? 'observed' : 'documented' }, { verdict });

function of(checks: readonly ReturnType<typeof documented>[], declared = checks.map(({ id }) => id)): Results {
  const { run, target } = sampleResults('passing');
  return assemble({ checks, limits: [], declared, run, target, clauses: [] });
}

test.each([
  ['one pass', of([documented('a', 'pass')]), 'The one documented check passes.'],
  [
    'a known deviation',
    of([documented('a', 'pass'), documented('b', 'known')]),
    /passes, apart from known failures\.$/,
  ],
  [
    'two checks on one promise',
    of([documented('a', 'fail', 'x'), documented('b', 'fail', 'x')]),
    /^2 of 2 documented checks fail\./,
  ],
  [
    'a break and an error',
    of([documented('a', 'fail'), documented('b', 'error')]),
    /^1 of 2 documented checks fails\. 1 check could not/,
  ],
  ['an error', of([documented('b', 'error')]), '1 check could not be run because of a fault of proofload.'],
  ['nothing selected', of([]), 'No check was selected.'],
  ['all skipped', of([documented('a', 'skipped')]), /^Every check was skipped or not observable/],
  [
    'a pass beside a skipped check',
    of([documented('a', 'pass'), documented('b', 'skipped')]),
    /passes\. 1 check was skipped\.$/,
  ],
  ['only recorded', of([documented('a', 'observed')]), 'No documented check could be judged.'],
  ['lost checks', of([documented('a', 'pass')], ['a', 'b']), /^1 of 2 declared checks did not report: b/],
  [
    'a break in a run that lost checks',
    of([documented('a', 'fail')], ['a', 'b']),
    /fails\. The run is incomplete: 1 of 2/,
  ],
] as const)('%s is reported', (_, results, text) => {
  if (typeof text === 'string') expect(sentence(results)).toBe(text);
  else expect(sentence(results)).toMatch(text);
});

test('a pass of conventions alone does not claim documented promises', () => {
  const convention = check({ id: 'a', title: 'a', clauses: [], level: 'convention' });
  expect(sentence(of([convention]))).toBe('All selected checks pass; none of them is documented.');
});

test('documented limits that were not tested are named, with the options that would change it', () => {
  const results = sampleResults('failing');
  expect(sentence(results)).toMatch(/\d documented limits? (was|were) not judged: .*run\.queue.* \(give --dedicated\)/);
  const only = { ...documented('b', 'skipped'), missing: ['--dedicated'] };
  const { run, target } = results;
  const strict = assemble({
    ...{ checks: [documented('a', 'pass'), only], limits: [], declared: ['a', 'b'], clauses: [] },
    ...{ run, target, strict: true },
  });
  expect([strict.exitCode, headline(strict)]).toEqual([3, 'Not conclusive']);
  expect(sentence(strict)).toMatch(/^No documented check failed, but 1 of 2 documented checks could not be/);
});

test('a limit says what decided it', () => {
  const results = sampleResults('failing');
  const reason = (id: string) => {
    const limit = results.limits.find((one) => one.id === id);
    return limit && limitReason(results, limit);
  };
  expect(reason('run.rate')).toContain('2,100 requests admitted');
  expect(reason('runsync.rate')).toContain('the probe needs 200');
  expect(reason('run.queue')).toContain('--dedicated');
  expect(reason('cancel.rate')).toBeUndefined();
});

test('open questions with one reason are one question, the gravest first', () => {
  const groups = openQuestions(sampleResults('failing'));
  expect(groups.map((group) => [group.verdict, group.checks.length])).toEqual([
    ['inconclusive', 1],
    ['inconclusive', 1],
    ['not-observable', 2],
    ['skipped', 2],
  ]);
  expect(openQuestions(of([documented('a', 'skipped')]))[0]?.reason).toBe('no reason recorded');
});

const goal = (id: string, verdict: 'pass' | 'fail' | 'inconclusive') =>
  check({ id, title: id, clauses: [], level: 'goal' }, { verdict });

test('goals are distinguished from documented promises', () => {
  const missed = of([documented('a', 'pass'), goal('goal.run.p99', 'fail')]);
  expect([headline(missed), missed.exitCode]).toEqual(['Misses its goals', 1]);
  expect(sentence(missed)).toBe('1 goal of the configuration is missed.');
  const both = of([documented('a', 'fail'), goal('b', 'fail'), goal('c', 'fail')]);
  expect(headline(both)).toBe('Does not conform');
  expect(sentence(both)).toBe('1 of 1 documented check fails. 2 goals of the configuration are missed.');
  const open = of([documented('a', 'pass'), goal('b', 'inconclusive')]);
  expect(sentence(open)).toMatch(/^No documented check failed, but 1 goal of the configuration is inconclusive/);
  expect(headline(of([documented('a', 'pass'), goal('b', 'pass')]))).toBe('Conforms');
});

test('what broke is said of the part that ran', () => {
  expect(unbroken(sampleResults('passing'))).toBe('No documented check failed.');
  expect(unbroken(sampleResults('interrupted'))).toBe('No documented check failed in the part that ran.');
});
