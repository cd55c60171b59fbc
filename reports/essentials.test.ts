import { expect, test } from 'vitest';
import type { Expectation } from '../schemas/facts.ts';
import type { ReferenceReport, ResultCheck, ResultDifference } from '../schemas/results.ts';
import { credentialOf, decisiveExchange, differenceWords, essentials, leftBehind } from './essentials.ts';
import { renderJunit } from './junit.ts';
import { renderSummary } from './summary.ts';
import { finalBlock } from './terminal.ts';
import { check, exchange, sampleResults } from './testing/fixtures.ts';

const broken = (observed: string, more: Partial<Expectation> = {}): Expectation => {
  return { what: 'POST /api/v1/sl/inst-1/run answers', expected: 'e', observed, holds: false, ...more };
};
const failing = (changes: Partial<ResultCheck> = {}): ResultCheck =>
  check({ id: 'run.a', title: 'a', clauses: ['run.rate'], level: 'documented' }, { verdict: 'fail', ...changes });

test('the exchange that shows the break is the one that its words name', () => {
  const control = exchange({ status: 200, responseBody: '{"id":"a"}' });
  const decisive = exchange({ status: 500, responseBody: '{"error":"no"}' });
  const poll = exchange({ method: 'GET', url: 'http://127.0.0.1:40123/api/v1/sl/inst-1/status/a' });
  const evidence = { expectations: [broken('500 {"error":"no"}')], exchanges: [control, decisive, poll] };
  expect(decisiveExchange({ evidence })).toBe(decisive);
});

test('where the words name none it is the last one; without any there is none', () => {
  const [first, last] = [exchange({ url: 'http://x/a' }), exchange({ url: 'http://x/b' })];
  expect(decisiveExchange({ evidence: { expectations: [broken('o')], exchanges: [first, last] } })).toBe(last);
  expect(decisiveExchange({})).toBeUndefined();
});

test('a line each for the request, the contract and the reference, the key masked', () => {
  const evidence = { expectations: [broken('o', { schemaPath: 'run/convention#/required' })], exchanges: [exchange()] };
  const list = essentials(failing({ evidence, reference: { verdict: 'pass', observed: 'a job id' } }));
  expect(list.map(({ label }) => label)).toEqual(['request', 'contract', 'reference']);
  expect(list[0]?.text).toMatch(/^curl -i -X POST '.*' -H "authorization: Bearer \$\{PROOFLOAD_JOB_KEY/);
  expect(list[0]?.text).not.toContain('\n');
  expect(list.slice(1).map(({ text }) => text)).toEqual(['run/convention#/required', 'pass, a job id']);
  expect(essentials(failing())).toEqual([]);
});

test.each([
  [{ title: 'chat is refused with a key that nobody made' }, 'unsure'],
  [{ id: 'chat.auth.scheme-only' }, 'unsure'],
  [{ clauses: ['inference.authorization'] }, 'unsure'],
  [{ title: 'run refuses a body that is not JSON', clauses: ['jobs.bad-submission'] }, 'configured'],
] as const)('%j: the credential is %s', (changes, credential) => {
  expect(credentialOf(failing(changes))).toBe(credential);
});

test('remarks stand behind a line, or the shell would take it for one', () => {
  const evidence = { expectations: [broken('o')], exchanges: [exchange({ requestBody: 'x'.repeat(900) })] };
  const [request] = essentials(failing({ title: 'refused without a key', evidence }));
  expect(request?.text).toMatch(/^curl .* --data-binary @body # \*\*\* is a credential .* # The file body has to hold/);
});

const results = (changes: Partial<ResultCheck>, reference?: ReferenceReport) => {
  const { reference: _, ...sample } = sampleResults('failing');
  return { ...sample, checks: [failing(changes)], ...(reference ? { reference } : {}) };
};

test('summary and JUnit carry them for a failure', () => {
  const evidence = { expectations: [broken('o', { schemaPath: 'run/convention#/required' })], exchanges: [exchange()] };
  const given = results({ evidence, reference: { verdict: 'pass', observed: 'a job id' } });
  expect(renderSummary(given)).toContain('  - contract `run/convention#/required`\n  - reference `pass, a job id`');
  expect(renderSummary(given)).toContain('  - request `curl -i -X POST');
  expect(renderJunit(given)).toMatch(
    /request: curl -i -X POST[\s\S]*contract: run\/convention#\/required\nreference: pass/,
  );
});

test('what was left behind is said everywhere and changes no verdict', () => {
  const given = results({ leftBehind: ['job 7 is still running'] });
  expect(leftBehind(given)).toEqual([{ id: 'run.a', text: 'job 7 is still running' }]);
  expect(renderSummary(given)).toContain('### Left on the target\n\n- **run.a**: `job 7 is still running`');
  expect(finalBlock(given, { html: 'h' }).join('\n')).toContain(
    '! left on the target by run.a: job 7 is still running',
  );
  expect(renderJunit(given)).toContain('left on the target: job 7 is still running');
  expect(finalBlock(results({}), { html: 'h' }).join('\n')).not.toContain('left on the target');
});

test('differences are counted by kind', () => {
  const one = (kind: ResultDifference['kind']): ResultDifference => ({
    operation: 'run',
    request: 'POST run',
    text: 'has no `id`',
    kind,
    checks: [],
  });
  const report = (differences: readonly ResultDifference[], more = 0): ReferenceReport => ({
    contract: 'asked',
    differences,
    more,
  });
  expect(differenceWords(report([one('spec'), one('different'), one('different')], 4))).toBe(
    '7 differences from the reference: 1 with a failed check, 6 different only.',
  );
  expect(differenceWords(report([one('convention')]))).toBe('1 difference from the reference: 1 with a warning.');
  expect(differenceWords(report([]))).toBe('No differences from the reference.');
  expect(differenceWords({ ...report([]), contract: 'missing', why: 'it broke' })).toContain('it broke');
  expect(differenceWords({ ...report([]), contract: 'itself' })).toBeNull();
  expect(differenceWords(undefined)).toBeNull();
  expect(renderSummary(results({}, report([one('spec')])))).toContain('1 difference from the reference');
});
