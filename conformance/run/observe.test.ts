import { expect, test } from 'vitest';
import { observeReference } from './observe.ts';

const input = { profile: 'gate', runId: 'beside', signal: new AbortController().signal } as const;

test('the selected checks are answered by the reference, at endpoints of its own', async () => {
  const { facts, target } = await observeReference({ ...input, only: ['models.*'] });
  expect(facts.length).toBeGreaterThan(3);
  for (const { id, outcome } of facts) {
    expect(id).toMatch(/^models\./);
    expect(outcome.kind === 'ran' ? outcome.expectations.filter(({ holds }) => !holds) : outcome.kind).not.toBe(
      'error',
    );
  }
  expect(target).toMatchObject({
    kind: 'reference',
    endpoints: [{ workersMax: 3 }, { workersMax: 1 }, { workersMax: 0 }],
  });
  expect(target.workloads).toBeUndefined();
  expect(JSON.stringify(facts)).toContain('run beside');
});

test('an interrupt before or while it runs stops it', async () => {
  const before = AbortSignal.abort(new Error('stopped'));
  await expect(observeReference({ ...input, only: ['models.*'], signal: before })).rejects.toThrow('stopped');
  const { signal, abort } = stopper();
  const asking = observeReference({ ...input, only: [], signal });
  setImmediate(abort);
  await expect(asking).rejects.toThrow('stopped');
});

function stopper() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Error('stopped')) };
}
