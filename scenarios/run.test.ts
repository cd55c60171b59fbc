import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LoadFacts, MissingFacts, RateFacts } from '../schemas/facts.ts';
import { limitFor } from '../schemas/limits.ts';
import { type Progress, silent } from '../schemas/progress.ts';
import type { ProbeEnvironment } from './execute/environment.ts';
import { endpoint, targetWith, usual } from './plan/testing/targets.ts';
import type { PlannedProbe } from './plan/types.ts';
import type { Probe } from './probe.ts';
import { type Call, ledgerOf, rateLedger } from './run/testing/fake-execute.ts';
import { after, cutShort, exact, finish, planFor, start } from './run/testing/fake-run.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const missing = (facts: readonly LoadFacts[]) => facts.filter((one): one is MissingFacts => one.kind === 'missing');
const rates = (facts: readonly LoadFacts[]) => facts.filter((one): one is RateFacts => one.kind === 'rate');

test('every probe runs once and gives facts of its kind', async () => {
  const plan = planFor();
  const { calls, facts } = await finish(plan);
  expect(calls.map(({ probe }) => probe.id).sort()).toEqual(plan.probes.map(({ id }) => id).sort());
  const expected = [...plan.probes.map(({ parameters }) => parameters.kind), ...plan.unobservable.map(() => 'missing')];
  expect(facts.map(({ kind }) => kind).sort()).toEqual(expected.sort());
});

test('what the plan cannot observe is among the facts, with its reason', async () => {
  const plan = planFor([], targetWith([endpoint('shared', 3, false)]));
  const { facts } = await finish(plan);
  expect(plan.unobservable.length).toBeGreaterThan(0);
  expect(missing(facts)).toEqual(plan.unobservable.map((one) => ({ kind: 'missing', ...one })));
});

/** What it uses, and from when on; ms. But for what it needs at first only. */
function usesOf({ probe, startMs }: Call, planned: PlannedProbe): ReadonlyMap<string, number> {
  const { exclusive, shared, spends, early } = planned;
  const { parameters } = probe;
  const burstMs = startMs + (parameters.kind === 'rate' ? parameters.burstAtMs : 0);
  const all = [
    ...[...shared, ...Object.keys(spends).map((budget) => `budget:${budget}`)].map((on) => [on, startMs] as const),
    ...exclusive.map((on) => [on, burstMs] as const),
  ];
  return new Map(all.filter(([on]) => !early?.resources.some((one) => one === on)));
}

test('no two probes use at the same time what one has to itself, however long they take, and budgets rest before rates', async () => {
  const plan = planFor();
  const behave = async (probe: Probe, env: ProbeEnvironment) => {
    await after(probe.id.length * 997);
    return cutShort(probe, env);
  };
  const { calls } = await finish(plan, { behave });
  const planned = (probe: Probe) => plan.probes.find(({ id }) => id === probe.id) as PlannedProbe;
  expect(calls).toHaveLength(plan.probes.length);
  for (const a of calls) {
    const one = planned(a.probe);
    for (const b of calls) {
      if (a === b) continue;
      const [own, theirs] = [usesOf(a, one), usesOf(b, planned(b.probe))];
      for (const resource of one.exclusive) {
        const [aMs, bMs] = [own.get(resource) ?? 0, theirs.get(resource)];
        if (bMs === undefined) continue;
        const isApart = a.endMs <= bMs || b.endMs <= aMs;
        expect(isApart ? '' : `${one.id} and ${b.probe.id} at ${resource}`).toBe('');
      }
      if (a.probe.parameters.kind !== 'rate') continue;
      const { burstAtMs, windowMs, limitId } = a.probe.parameters;
      const budget = limitId.replace(/\.rate$/, '');
      const rests =
        !theirs.has(`budget:${budget}`) || b.startMs > a.startMs || b.endMs + windowMs < a.startMs + burstAtMs;
      expect(rests ? '' : `${one.id} after ${b.probe.id}`).toBe('');
    }
  }
});

test('rate probes wait side by side', async () => {
  const { calls } = await finish(planFor(['*.rate.*']));
  const starts = calls.filter(({ probe }) => probe.parameters.kind === 'rate').map(({ startMs }) => startMs);
  expect(starts).toHaveLength(6);
  expect(Math.max(...starts) - Math.min(...starts)).toBeLessThan(6000);
});

test('the sender gets the target, the credentials and the run’s directory', async () => {
  let seen: ProbeEnvironment | undefined;
  await finish(planFor(['cancel.rate.*']), {
    behave: (probe, env) => {
      seen = env;
      return exact(probe);
    },
  });
  expect(seen).toMatchObject({ target: usual, k6Bin: 'k6', dir: 'dir', credentials: { jobKey: 'secret-b' } });
});

test('a probe that throws is an error of its checks, and the others go on', async () => {
  const plan = planFor(['run.*', 'cancel.*']);
  const behave = async (probe: Probe) => {
    if (probe.id === 'run.payload') throw new Error('out of memory');
    return exact(probe);
  };
  const { calls, facts } = await finish(plan, { behave });
  expect(calls).toHaveLength(plan.probes.length);
  const broken = plan.probes.find(({ id }) => id === 'run.payload');
  expect(missing(facts).slice(plan.unobservable.length)).toEqual([
    {
      kind: 'missing',
      checkIds: broken?.checkIds,
      outcome: { kind: 'error', message: 'run.payload: out of memory' },
    },
  ]);
});

test('a ledger that cannot be analysed is an error too', async () => {
  const behave = async () => undefined as unknown as string;
  const { facts } = await finish(planFor(['cancel.rate.*']), { behave });
  expect(facts).toHaveLength(1);
  expect(missing(facts)[0]).toMatchObject({ checkIds: planFor(['cancel.rate.*']).probes[0]?.checkIds });
  expect(missing(facts)[0]?.outcome).toMatchObject({ kind: 'error' });
});

test('an interruption stops what runs, starts nothing more, and accounts for every check', async () => {
  const plan = planFor();
  const controller = new AbortController();
  const behave = (probe: Probe, { signal }: ProbeEnvironment) =>
    new Promise<string>((resolve) => {
      setTimeout(() => resolve(ledgerOf()), probe.estimateMs);
      signal.addEventListener('abort', () => resolve(''));
    });
  const { calls, facts } = start(plan, { behave, signal: controller.signal });
  await vi.advanceTimersByTimeAsync(5000);
  const begun = calls.length;
  controller.abort();
  await vi.advanceTimersByTimeAsync(1000);
  const done = await facts;
  expect(calls).toHaveLength(begun);
  const reported = done.flatMap((one) => (one.kind === 'missing' ? one.checkIds : []));
  const finished = plan.probes.filter(({ id }) => calls.some(({ probe, endMs }) => probe.id === id && endMs < 5000));
  for (const { checkIds } of plan.probes.filter((probe) => !finished.includes(probe))) {
    expect(reported).toEqual(expect.arrayContaining([...checkIds]));
  }
  const late = missing(done).slice(plan.unobservable.length);
  expect(late.every(({ outcome }) => outcome.kind === 'skipped' && outcome.by === 'interrupt')).toBe(true);
});

test('a probe that was already done when the interruption came keeps its facts', async () => {
  const controller = new AbortController();
  const behave = async (probe: Probe) => {
    await after(10);
    controller.abort();
    return rateLedger(probe, limitFor('requests', 'cancel')?.value ?? 0);
  };
  const { facts } = await finish(planFor(['cancel.rate.*']), { behave, signal: controller.signal });
  expect(rates(facts)).toHaveLength(1);
});

test('a probe that ignores the interruption is given up after a while', async () => {
  const controller = new AbortController();
  const { facts } = start(planFor(['cancel.rate.*']), {
    behave: () => new Promise(() => {}),
    signal: controller.signal,
  });
  await vi.advanceTimersByTimeAsync(100);
  controller.abort();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(missing(await facts)[0]?.outcome).toMatchObject({ kind: 'skipped', by: 'interrupt' });
});

test('aborted before it began, nothing is sent', async () => {
  const { calls, facts } = await finish(planFor(), { signal: AbortSignal.abort() });
  expect(calls).toEqual([]);
  expect(missing(facts)).toHaveLength(facts.length);
});

test('a plan without probes begins no work', async () => {
  const begun: string[] = [];
  const progress: Progress = { ...silent, begin: ({ id }) => begun.push(id) };
  await finish({ ...planFor(), probes: [] }, { progress });
  expect(begun).toEqual([]);
});

test('progress begins, advances and ends for every probe, and for all of them together', async () => {
  const reported: string[] = [];
  const progress: Progress = {
    begin: ({ id, title, estimateMs }) => reported.push(`begin ${id} ${title.length > 0} ${(estimateMs ?? 0) > 0}`),
    advance: (id, done) => reported.push(`advance ${id} ${done}`),
    end: (id, note) => reported.push(`end ${id}${note ? ` ${note}` : ''}`),
    note: () => {},
  };
  const behave = async (probe: Probe, env: ProbeEnvironment) => {
    env.progress(7);
    return exact(probe);
  };
  await finish(planFor(['cancel.rate.*']), { behave, progress });
  expect(reported).toEqual([
    'begin load true true',
    'begin cancel.rate true true',
    'advance cancel.rate 7',
    'end cancel.rate',
    'advance load 1',
    'end load',
  ]);
  reported.length = 0;
  await finish(planFor(['cancel.rate.*']), { behave: () => Promise.reject(new Error('x')), progress });
  expect(reported).toContain('end cancel.rate failed');
  expect(reported.at(-1)).toBe('end load');
});
