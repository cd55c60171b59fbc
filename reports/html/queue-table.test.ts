import { expect, test } from 'vitest';
import type { QueuePicture } from '../../schemas/facts.ts';
import type { ResultLimit } from '../../schemas/results.ts';
import { sampleResults } from '../testing/fixtures.ts';
import { limitsSection, queueTable } from './limits.ts';

const { target } = sampleResults('passing');
const endpoints = [{ instId: 'one', workersMax: 1, dedicated: true }];

function limit(changes: Partial<QueuePicture> = {}, operation: 'run' | 'runsync' = 'run'): ResultLimit {
  const points = [0, 498, 499, 500, 501].map((queued) => ({ queued, accepted: queued <= 500 }));
  return {
    id: `${operation}.queue`,
    kind: 'queue',
    operations: [operation],
    documented: { value: 500 },
    measured: null,
    verdict: 'pass',
    checks: [],
    pictures: [{ kind: 'queue', instId: 'one', border: 500, points, ...changes }],
  };
}
const textOf = (...limits: readonly ResultLimit[]): string => {
  const table = queueTable({ limits, target: { ...target, endpoints } });
  return table ? table.text.replace(/<[^>]*>/g, '|').replace(/[|\s]*\|[|\s]*/g, '|') : '';
};

test('each endpoint and operation has a row: what was taken and refused, and what came at the border', () => {
  const text = textOf(limit(), limit({ points: [{ queued: 501, accepted: false }] }, 'runsync'));
  expect(text).toContain('|one|1|run|0 to 500|501|✓ taken|499|✓ taken|500|✕ refused|501|');
  expect(text).toContain('|one|1|runsync|never|501|– not tested|499|– not tested|500|✕ refused|501|');
});

test('a length at which both came says so', () => {
  const points = [
    { queued: 500, accepted: true },
    { queued: 500, accepted: false },
  ];
  expect(textOf(limit({ points }))).toContain('|✓ taken, ✕ refused|500|');
});

test('an endpoint whose WorkersMax was not given is in it too', () => {
  expect(textOf(limit({ instId: 'other' }))).toContain('|other|unknown|run|');
});

test('without a queue that was filled there is no table', () => {
  expect(queueTable({ limits: [], target })).toBe(false);
  expect(textOf(limit({ points: [] }))).toBe('');
});

test('it stands with the limits', () => {
  const results = { ...sampleResults('passing'), limits: [limit()] };
  const input = { results, clauses: new Map(), evidence: new Map(), checkIds: new Set<string>() };
  expect(limitsSection(input).text).toContain('<h3>Queue by length</h3>');
});
