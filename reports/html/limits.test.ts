import { expect, test } from 'vitest';
import type { ResultCheck, ResultLimit } from '../../schemas/results.ts';
import { type Verdict, verdicts } from '../../schemas/verdicts.ts';
import { check, sampleResults } from '../testing/fixtures.ts';
import { limitsAtAGlance, limitsSection } from './limits.ts';
import type { PageInput } from './parts.ts';

function input(limit: Partial<ResultLimit>, checks: readonly ResultCheck[] = []): PageInput {
  const row: ResultLimit = {
    id: 'run.rate',
    kind: 'requests',
    operations: ['run'],
    documented: { value: 1000, windowMs: 10_000 },
    measured: null,
    verdict: 'pass',
    checks: checks.map(({ id }) => id),
    ...limit,
  };
  const results = { ...sampleResults('passing'), limits: [row], checks };
  return { results, clauses: new Map(), evidence: new Map(), checkIds: new Set(checks.map(({ id }) => id)) };
}

const one = (id: string, verdict: Verdict, changes: Partial<ResultCheck> = {}): ResultCheck =>
  check({ id, title: id, clauses: [], level: 'documented' }, { verdict, ...changes });

test.each([
  [{ lower: 1000, upper: 1000 }, '1,000 requests per 10 s'],
  [{ lower: 990, upper: 1010 }, '990 to 1,010 requests per 10 s'],
  [{ lower: 2100, upper: null }, 'no bound found: at least 2,100 requests per 10 s'],
  [null, 'not measured'],
])('measured %j reads %s', (measured, words) => {
  expect(limitsSection(input({ measured })).text).toContain(`data-label="Measured">${words}</td>`);
});

test('the algorithm stands with the measurement', () => {
  const { text } = limitsSection(input({ measured: { lower: 1000, upper: 1000 }, algorithm: 'fixed-window' }));
  expect(text).toContain('algorithm: fixed-window');
});

test('the row names its checks by their aspects, each with its sign and word', () => {
  const checks = [one('run.rate.guarantee', 'pass'), one('run.rate.enforced', 'fail', { observed: 'none refused' })];
  const { text } = limitsSection(input({ verdict: 'fail' }, checks));
  expect(text).toContain(
    '<a href="#check-run.rate.enforced"><span aria-hidden="true">✕</span> enforced<span class="skip">: fail</span></a>',
  );
  expect(text).toContain('<p class="why">none refused</p>');
});

test('a check with an id of another limit keeps its whole id', () => {
  expect(limitsSection(input({}, [one('purge-queue.load.keeps', 'pass')])).text).toContain(' purge-queue.load.keeps<');
});

test('a very long reason is cut in the row', () => {
  const checks = [one('run.rate.enforced', 'inconclusive', { reason: 'y'.repeat(900) })];
  expect(limitsSection(input({ verdict: 'inconclusive' }, checks)).text).toContain('(500 more characters)');
});

test.each(verdicts)('a limit that is %s shows that verdict and no other', (verdict) => {
  const { text } = limitsSection(input({ verdict }));
  expect([...text.matchAll(/badge v-([a-z-]+)/g)].map((match) => match[1])).toEqual([verdict]);
  const glance = limitsAtAGlance(input({ verdict })) || undefined;
  expect(glance?.text).toContain(`<li class="v-${verdict}">`);
});

test('all pictures of a limit are drawn', () => {
  const queue = { kind: 'queue', instId: 'i', border: 50, points: [] } as const;
  const { text } = limitsSection(input({ pictures: [queue, { ...queue, border: 500 }] }));
  expect(text.split('<svg')).toHaveLength(3);
});

test('the row that only some limits have says which limits were left out', () => {
  const { text } = limitsSection(input({}));
  expect(text).toContain('Not part of this run: inference.concurrency, run.concurrency,');
  expect(text).not.toContain('Not part of this run: run.rate');
});
