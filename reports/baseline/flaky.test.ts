import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { declaredChecks } from '../../conformance/index.ts';
import { matchesOnly } from '../../schemas/only.ts';
import { packageRoot } from '../../scripts/package.ts';
import { aboutTime, mayBeFlaky } from './flaky.ts';

test.each([
  ['run.rate.enforced', true],
  ['status.concurrency.freed', true],
  ['run.queue.guarantee', true],
  ['health.rate.unlimited', true],
  ['purge-queue.load.clears-queued', true],
  ['run.none-lost', true],
  ['runsync.waits', true],
  ['status-sync.prompt', true],
  ['run.retention.guarantee', true],
  ['export.rate.enforced', true],
  ['export.payload.guarantee', false],
  ['run.payload.guarantee', false],
  ['run.payload.refusal', false],
  ['models.list', false],
  ['run.route', false],
  ['status-sync.route.get', false],
  ['completions.usage.prompt', false],
  ['completions.invalid.missing-prompt', false],
])('%s may be flaky: %s', (id, may) => {
  expect(mayBeFlaky(id)).toBe(may);
});

test('every pattern of the list matches a check, so that none is left over', () => {
  const ids = declaredChecks().map((check) => check.id);
  const idle = Object.values(aboutTime)
    .flat()
    .filter((pattern) => !ids.some((id) => matchesOnly([pattern], id)));
  expect(idle).toEqual([]);
});

test('most contract checks are about what is answered, not when', () => {
  const all = declaredChecks();
  expect(all.filter((check) => mayBeFlaky(check.id)).length).toBeLessThan(all.length / 5);
});

test('the document shows the same list', () => {
  const doc = readFileSync(join(packageRoot(), 'docs', 'baseline.md'), 'utf8');
  for (const [about, patterns] of Object.entries(aboutTime)) {
    const row = doc.split('\n').find((line) => line.startsWith(`| ${about} |`)) ?? '';
    expect([...row.matchAll(/`([^`]+)`/g)].map((match) => match[1])).toEqual(patterns);
  }
});
