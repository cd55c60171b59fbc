import { expect, test } from 'vitest';
import { exchange, sampleResults } from '../testing/fixtures.ts';
import { soundHealth } from '../verdicts/testing/facts.ts';
import { configurationSection, generatorSection } from './appendix.ts';
import { evidenceView } from './evidence.ts';
import { limitsAtAGlance, limitsSection } from './limits.ts';
import { openSection } from './page.ts';
import { checkLink, type PageInput } from './parts.ts';
import { verdictSection } from './verdict.ts';

const input = (results = sampleResults('passing')): PageInput => ({
  results,
  clauses: new Map(),
  checkIds: new Set(results.checks.map((check) => check.id)),
  evidence: new Map(),
});

test('a run without load says so instead of showing empty tables', () => {
  const bare = input({ ...sampleResults('passing'), limits: [] });
  expect(generatorSection(bare).text).toContain('No load was sent');
  expect(limitsSection(bare).text).not.toContain('<table');
  expect(limitsSection(bare).text).toContain('Not part of this run: inference.concurrency, run.rate');
  expect(limitsAtAGlance(bare)).toBe(false);
});

test('a run in which all was decided says so', () => {
  expect(openSection(input()).text).toContain('Every check of this run was decided');
});

test('what never reported is not said to be decided', () => {
  const { text } = openSection(input(sampleResults('interrupted')));
  expect(text).not.toContain('Every check of this run was decided');
  expect(text).toMatch(/\d+ of \d+ checks did not report, as this run is not whole \(Ctrl-C\)/);
});

test('the generator is shown with its shortfalls', () => {
  const results = sampleResults('passing');
  const [limit] = results.limits;
  const health = {
    planned: 10,
    sent: 8,
    unanswered: 2,
    unansweredError: 'ECONNRESET',
    unreadable: 1,
    clockStepMs: -1200,
    complete: false,
    latenessMs: 30,
  };
  const text = generatorSection(input({ ...results, limits: limit ? [{ ...limit, health }] : [] })).text;
  for (const words of ['8 of 10', '2 (ECONNRESET)', '<td>no</td>']) expect(text).toContain(words);
});

test('of every probe that was late or short of anything, the numbers', () => {
  const { results } = input();
  const machine = { idleShare: 0.42, leastIdleShare: 0.031, loopLagMs: 12.34, peakBytes: 81_000_000 };
  const probe = {
    planned: 10,
    sent: 10,
    unanswered: 0,
    unansweredError: '',
    unreadable: 0,
    clockStepMs: 0,
    complete: true,
    latenessMs: 9,
    probe: 'health.unlimited',
    lateness: { scheduled: 10, p50Ms: 0.4, p95Ms: 2, p99Ms: 3.2, maxMs: 9 },
    dropped: 2,
    lost: { lines: 7, why: 'no space left on device' },
    machine,
  };
  const whole = { ...machine, sent: 10, unanswered: 0, dropped: 2, lateness: null, clockStepMs: 0 };
  const generator = { probes: [probe], whole, shortfalls: ['health.unlimited: it fell <short>'] };
  const { text } = generatorSection(input({ ...results, run: { ...results.run, generator } }));
  for (const words of [
    '<th scope="row">health.unlimited</th>',
    '7 (no space left on device)',
    '0.4 ms / 3.2 ms / 9 ms',
    '42 %, 3 %',
    '81 MB',
    'it fell &lt;short&gt;',
  ]) {
    expect(text).toContain(words);
  }
});

test('the probes are listed in the order in which they ran, with the times that show what ran side by side', () => {
  const { results } = input();
  const probes = [
    soundHealth({ probe: 'of.old' }),
    soundHealth({ probe: 'run.rate', ran: { fromMs: 25_040, untilMs: 78_000 } }),
    soundHealth({ probe: 'queue.one', ran: { fromMs: 0, untilMs: 9180 } }),
  ];
  const whole = { sent: 3, unanswered: 0, dropped: 0, lateness: null, leastIdleShare: null, loopLagMs: null };
  const generator = { probes, whole: { ...whole, peakBytes: null, clockStepMs: 0 }, shortfalls: [] };
  const { text } = generatorSection(input({ ...results, run: { ...results.run, generator } }));
  const rows = [...text.matchAll(/<th scope="row">([^<]+)<\/th><td>([^<]+)<\/td>/g)].map(([, id, ran]) => [id, ran]);
  expect(rows).toEqual([
    ['queue.one', '0.0 to 9.2 s'],
    ['run.rate', '25.0 to 78.0 s'],
    ['of.old', '–'],
  ]);
});

test('the configuration shows what was not given', () => {
  const results = sampleResults('passing');
  const text = configurationSection(input({ ...results, target: { ...results.target, baseUrl: null } })).text;
  expect(text).toContain('not configured');
  expect(text).toContain('WorkersMax not given, shared with others');
  expect(text).toContain('WorkersMax 3, dedicated');
});

test('evidence without an answer says why', () => {
  const [check] = sampleResults('passing').checks;
  if (!check) throw new Error('the sample has checks');
  const { status: _, responseBody: __, ...lost } = exchange({ error: 'ECONNREFUSED' });
  const view = evidenceView({ ...check, evidence: { exchanges: [lost] } }, [lost]);
  expect(view || undefined).toHaveProperty('text', expect.stringContaining('no answer: ECONNREFUSED'));
  expect(evidenceView({ ...check, evidence: { exchanges: [], expectations: [] } }, [])).toBe(false);
});

test('a check that is not on the page is named, not linked', () => {
  expect(checkLink(input(), 'elsewhere').text).toBe('elsewhere');
});

test('a long list of broken promises is cut on the first screen only', () => {
  const results = sampleResults('passing');
  const checks = results.checks.map((check) => ({ ...check, verdict: 'fail' as const }));
  const text = verdictSection(input({ ...results, checks, verdict: 'fail' })).text;
  expect(text.split('<h3>')).toHaveLength(13);
  const [, more] = /([0-9]+) more broken checks/.exec(text) ?? [];
  const named = new Set([...text.matchAll(/href="#(check-[^"]+)"/g)].map((match) => match[1]));
  expect(named.size + Number(more)).toBe(checks.length);
});

test('the configuration shows the selection', () => {
  const results = sampleResults('passing');
  const asked = { contract: true, load: false, only: ['run.*'], goals: { 'goal.run.p99': 500 } };
  const text = configurationSection(input({ ...results, run: { ...results.run, asked } })).text;
  for (const words of ['contract checks', 'run.*', 'goal.run.p99 at most 500 ms']) expect(text).toContain(words);
  expect(text).not.toContain('and load');
  expect(configurationSection(input()).text).not.toContain('Selection');
});
