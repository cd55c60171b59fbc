import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TargetConfig } from '../../schemas/target.ts';
import type { Settings } from '../cli/settings.ts';
import { runReference, runReferenceUntil } from './reference-run.ts';

const contract = vi.hoisted(() => ({ observeReference: vi.fn() }));
vi.mock('../../conformance/index.ts', () => contract);

const target: TargetConfig = { kind: 'remote', baseUrl: 'http://x', jobBaseUrl: null, endpoints: [], model: null };
const interrupt = (signal = new AbortController().signal) => ({
  signal,
  by: () => undefined,
  abort() {},
  dispose() {},
});
const credentials = { accessKey: null, jobKey: null, brokeKey: null, otherKey: null };
const settings: Settings = { target, credentials, profile: 'nightly', only: ['run.*'], values: {} };

beforeEach(() => void contract.observeReference.mockResolvedValue({ facts: [], target }));
afterEach(() => void vi.resetAllMocks());

test('the reference gets the requests of the target', async () => {
  const view = await runReference({ id: 'r', settings, interrupt: interrupt() }, target);
  expect(view).toEqual({ kind: 'asked', facts: [], target });
  expect(contract.observeReference.mock.calls[0]?.[0]).toMatchObject({
    profile: 'nightly',
    only: ['run.*'],
    runId: 'r',
  });
});

test('in-process there is no other target; over a socket there is', async () => {
  const own: TargetConfig = { ...target, kind: 'reference', baseUrl: null };
  expect(await runReference({ id: 'r', settings, interrupt: interrupt() }, own)).toEqual({ kind: 'itself' });
  const served = await runReference({ id: 'r', settings, interrupt: interrupt() }, { ...own, baseUrl: 'http://x' });
  expect(served.kind).toBe('asked');
});

test.each([
  ['an interrupt', AbortSignal.abort(new Error('stopped')), 'the run was stopped before the reference ran'],
  ['a fault', new AbortController().signal, 'the run of the reference failed: out of tune'],
])('%s costs the answers of the reference and nothing else', async (_name, signal, why) => {
  contract.observeReference.mockRejectedValue(new Error('out of tune\nat line 1'));
  expect(await runReference({ id: 'r', settings, interrupt: interrupt(signal) }, target)).toEqual({
    kind: 'missing',
    why,
  });
});

test('running until a moment, it gives up then and may run again', async () => {
  const asking = { id: 'r', settings, interrupt: interrupt() };
  const until = AbortSignal.abort(new Error('the idle window is over'));
  contract.observeReference.mockRejectedValueOnce(until.reason);
  expect(await runReferenceUntil(asking, target, until)).toBeNull();
  expect(await runReferenceUntil(asking, target, new AbortController().signal)).toMatchObject({ kind: 'asked' });
});
