import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { declaredChecks } from '../../conformance/index.ts';
import { packageRoot } from '../../scripts/package.ts';
import { mayBeFlaky, timingWords } from './flaky.ts';

test.each([
  ['run.rate.enforced', true],
  ['status.concurrency.freed', true],
  ['run.queue.guarantee', true],
  ['health.rate.unlimited', true],
  ['purge-queue.load.clears-queued', true],
  ['run.none-lost', true],
  ['runsync.waits', true],
  ['run.retention.guarantee', true],
  ['run.payload.guarantee', false],
  ['run.payload.refusal', false],
  ['models.list', false],
  ['run.route', false],
  ['status-sync.route.get', false],
])('%s may be flaky: %s', (id, may) => {
  expect(mayBeFlaky(id)).toBe(may);
});

test('every word stands in the id of a check, so none of them is left over', () => {
  const ids = declaredChecks().map((check) => check.id);
  for (const word of timingWords) {
    expect(ids.some((id) => id.split('.').slice(1).join('-').split('-').includes(word))).toBe(true);
  }
});

test('most contract checks are about what is answered, not when', () => {
  const all = declaredChecks();
  expect(all.filter((check) => mayBeFlaky(check.id)).length).toBeLessThan(all.length / 5);
});

test('the document names the same words', () => {
  const doc = readFileSync(join(packageRoot(), 'docs', 'baseline.md'), 'utf8');
  const between = /<!-- words -->([\s\S]*)<!-- \/words -->/.exec(doc)?.[1] ?? '';
  expect([...between.matchAll(/`([a-z]+)`/g)].map((match) => match[1])).toEqual(timingWords);
});
