/** The generator of a whole run: the worst of its probes, and what is said of it. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { GeneratorHealth, LoadFacts } from '../../schemas/facts.ts';
import { generator as generatorSchema } from '../../schemas/generator.ts';
import { generatorReport } from './generator.ts';
import { payloadFacts, soundHealth } from './testing/facts.ts';

const machine = { idleShare: 0.6, leastIdleShare: 0.2, loopLagMs: null, peakBytes: 80_000_000 };
const facts = (...all: readonly Partial<GeneratorHealth>[]): LoadFacts[] =>
  all.map((changes) => ({ ...payloadFacts('run.payload', 1, [1, 2]), health: soundHealth(changes) }));

const missing: LoadFacts = { kind: 'missing', checkIds: [], outcome: { kind: 'error', message: 'broken' } };

test('without load there is none', () => {
  expect(generatorReport([])).toBeUndefined();
  expect(generatorReport([missing])).toBeUndefined();
});

test('the whole is the sum of what was sent and the worst of everything else', () => {
  const paced = (p99Ms: number) => ({ scheduled: 100, p50Ms: 0.2, p95Ms: 1, p99Ms, maxMs: p99Ms + 1, roomMs: 80 });
  const report = generatorReport([
    missing,
    ...facts(
      { probe: 'a', sent: 10, unanswered: 1, clockStepMs: 3, machine, lateness: paced(2) },
      { probe: 'b', sent: 5, clockStepMs: -9, machine: { ...machine, leastIdleShare: 0.05 }, lateness: paced(4) },
      { probe: 'c', sent: 1, machine: { ...machine, loopLagMs: 12, peakBytes: null } },
    ),
  ]);
  expect(report?.whole).toEqual({
    sent: 16,
    unanswered: 1,
    dropped: 0,
    lateness: { scheduled: 100, p50Ms: 0.2, p95Ms: 1, p99Ms: 4, maxMs: 5 },
    leastIdleShare: 0.05,
    loopLagMs: 12,
    peakBytes: 80_000_000,
    clockStepMs: -9,
  });
  expect(report?.shortfalls).toEqual([]);
  expect(report?.probes.map(({ probe }) => probe)).toEqual(['a', 'b', 'c']);
});

describe('what fell short is said of its probe', () => {
  const lateness = { scheduled: 95, p50Ms: 0, p95Ms: 2, p99Ms: 10, maxMs: 10 };
  test.each<[Partial<GeneratorHealth>, string[]]>([
    [{ clockStepMs: 5000 }, ['p: the clock stepped by 5,000 ms during it']],
    [{ dropped: 5, lateness }, ['p: 5 of 100 sends of its pace were left out as too late']],
    [{ dropped: 1, lateness: { ...lateness, scheduled: 99 } }, []],
    [{ machine: { ...machine, idleShare: 0.04 } }, ["p: only 4 % of this machine's processors were left"]],
  ])('%o', (changes, words) => {
    expect(generatorReport(facts({ probe: 'p', ...changes }))?.shortfalls).toEqual(words);
  });
});

test('it is as its schema says', () => {
  const valid = new Ajv2020().compile(generatorSchema);
  const lost = { lines: 1, why: 'no space left on device' };
  const full = generatorReport(facts({ probe: 'p', machine, lost, dropped: 0 }, {}));
  expect(valid(full), JSON.stringify(valid.errors)).toBe(true);
  expect(valid({ ...full, shortfalls: 3 })).toBe(false);
});
