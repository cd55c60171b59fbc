import { expect, test } from 'vitest';
import type { LoadFacts } from '../../schemas/facts.ts';
import { limits } from '../../schemas/limits.ts';
import { loadChecks } from '../../schemas/load-checks.ts';
import { judge } from './index.ts';
import { exactConcurrency, filledQueue, payloadFacts, wave } from './testing/facts.ts';

const endpoints = [{ instId: 'inst-a', workersMax: 1, dedicated: true }];
const only = (pattern: RegExp) => loadChecks.filter((check) => pattern.test(check.id));

function judgeLoad(loadFacts: readonly LoadFacts[], declaredLoad = loadChecks) {
  return judge({ checkFacts: [], loadFacts, declaredLoad, endpoints });
}

test('every declared check gets a verdict; one that no probe answered is an error', () => {
  const { checks } = judgeLoad([]);
  expect(checks.map((check) => check.id)).toEqual(loadChecks.map((check) => check.id));
  expect(new Set(checks.map((check) => check.verdict))).toEqual(new Set(['error']));
});

test('a probe that did not run gives its reason to each of its checks', () => {
  const declared = only(/^run\.rate\./);
  const missing: LoadFacts = {
    kind: 'missing',
    checkIds: declared.map((one) => one.id),
    outcome: { kind: 'not-observable', needs: 'WorkersMax >= 3' },
  };
  const { checks, limits: rows } = judgeLoad([missing], declared);
  expect(checks.every((check) => check.verdict === 'not-observable' && check.reason === 'needs WorkersMax >= 3')).toBe(
    true,
  );
  expect(rows).toMatchObject([{ id: 'run.rate', verdict: 'not-observable', measured: null }]);
});

test('a row stands for its checks, with the measured point', () => {
  const { limits: rows } = judgeLoad([exactConcurrency('cancel.concurrency', 20)], only(/^cancel\.concurrency\./));
  expect(rows).toMatchObject([
    { id: 'cancel.concurrency', verdict: 'pass', documented: { value: 20 }, measured: { lower: 20, upper: 20 } },
  ]);
});

test('an unusual form of refusal warns on its check and leaves the row alone', () => {
  const facts = exactConcurrency('cancel.concurrency', 20, { refusals: { statuses: { 429: 3 }, withRetryAfter: 0 } });
  const { checks, limits: rows } = judgeLoad([facts], only(/^cancel\.concurrency\./));
  expect(checks.find((check) => check.id.endsWith('.refusal'))?.verdict).toBe('warn');
  expect(rows[0]?.verdict).toBe('pass');
});

test('a row of a limit that was measured passes though a freed slot could not be recognised', () => {
  const { afterFree, afterAbort, ...rest } = exactConcurrency('cancel.concurrency', 20);
  expect([afterFree?.opened, afterAbort?.opened]).toEqual([1, 1]);
  const { checks, limits: rows } = judgeLoad([rest], only(/^cancel\.concurrency\./));
  expect(checks.find((check) => check.id.endsWith('.freed'))?.verdict).toBe('inconclusive');
  expect(rows[0]?.verdict).toBe('pass');
});

test('a slot that leaks breaks the row', () => {
  const facts = exactConcurrency('cancel.concurrency', 20, { afterAbort: wave(1, { refusedEarly: 1 }) });
  expect(judgeLoad([facts], only(/^cancel\.concurrency\./)).limits[0]?.verdict).toBe('fail');
});

test('of two techniques the one that measured counts', () => {
  const held = exactConcurrency('cancel.concurrency', 20);
  const vague = {
    ...held,
    technique: 'long-poll' as const,
    beyond: { ...held.beyond, refusedEarly: 0, held: 3 },
    overlapInner: 2,
  };
  const { limits: rows } = judgeLoad([vague, held], only(/^cancel\.concurrency\./));
  expect(rows[0]).toMatchObject({ verdict: 'pass', measured: { lower: 20, upper: 20 } });
  expect(rows[0]?.pictures).toHaveLength(2);
});

test('what is said does not depend on which probe was done first', () => {
  const held = exactConcurrency('cancel.concurrency', 20);
  const polled = { ...held, technique: 'long-poll' as const };
  const queues = [filledQueue(0, 50, 51, { instId: 'inst-b' }), filledQueue(1, 500, 501)];
  const all: LoadFacts[] = [held, polled, ...queues];
  expect(judgeLoad(all.toReversed())).toEqual({ ...judgeLoad(all), limits: expect.anything() });
});

test('queues: the smallest border is measured, every filled one is pictured', () => {
  const facts = [filledQueue(1, 500, 501), filledQueue(0, 50, 51, { instId: 'inst-b' })];
  const { limits: rows } = judgeLoad(facts, only(/^run\.queue\./));
  expect(rows[0]).toMatchObject({ verdict: 'pass', documented: { value: 50 }, measured: { lower: 50, upper: 50 } });
  expect(rows[0]?.pictures).toHaveLength(2);
});

test('a queue broken on one endpoint is not saved by another', () => {
  const facts = [filledQueue(1, 500, 51), filledQueue(0, 50, 51, { instId: 'inst-b' })];
  expect(judgeLoad(facts, only(/^run\.queue\.guarantee/)).checks[0]?.verdict).toBe('fail');
});

test('payload attempts make a picture', () => {
  const row = limits.find((one) => one.id === 'run.payload');
  if (row?.kind !== 'content-bytes') throw new Error('run has a payload limit');
  const { limits: rows } = judgeLoad(
    [payloadFacts('run.payload', row.value, [row.value, row.upperReading + 1])],
    only(/^run\.payload\./),
  );
  expect(rows[0]?.pictures?.[0]).toMatchObject({ kind: 'bytes', accept: row.value, refuse: row.upperReading + 1 });
});

test('facts about a limit that the table does not have are refused, not ignored', () => {
  expect(() => judgeLoad([exactConcurrency('nonsense.concurrency', 1)])).toThrow(/nonsense/);
});

test('what the first time left open the retry decides, and the first reason is kept', () => {
  const { afterFree, afterAbort, ...open } = exactConcurrency('cancel.concurrency', 20);
  const declaredLoad = only(/^cancel\.concurrency\./);
  const again = exactConcurrency('cancel.concurrency', 20);
  const { checks } = judge({ checkFacts: [], loadFacts: [open], retryFacts: [again], declaredLoad, endpoints });
  expect([afterFree?.opened, afterAbort?.opened]).toEqual([1, 1]);
  const byAspect = (aspect: string) => checks.find(({ id }) => id.endsWith(`.${aspect}`));
  expect(byAspect('freed')).toMatchObject({ verdict: 'pass', firstTime: expect.stringMatching(/./) });
  expect(byAspect('guarantee')).toMatchObject({ verdict: 'pass' });
  expect(byAspect('guarantee')?.firstTime).toBeUndefined();
});

test('of two payload probes the row shows the one that found the border', () => {
  const vague = payloadFacts('run.payload', 10_485_760, [10_000_000, 10_485_761]);
  const exact = payloadFacts('run.payload', 10_485_760, [10_000_000, 10_485_761, 10_485_760]);
  const declaredLoad = only(/^run\.payload\./);
  for (const [loadFacts, retryFacts] of [
    [[vague], [exact]],
    [[exact], [vague]],
  ] as const) {
    const [row] = judge({ checkFacts: [], loadFacts, retryFacts, declaredLoad, endpoints }).limits;
    expect(row?.measured).toEqual(judgeLoad([exact], declaredLoad).limits[0]?.measured);
    expect(row?.measured).toEqual({ lower: 10_485_760, upper: 10_485_760 });
  }
});
