/** The planner as a whole: nothing that was declared is forgotten, and nothing is sent that could disturb itself. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitFor, limits } from '../../schemas/limits.ts';
import { loadChecks, scopeCheckId, scopedLimits } from '../../schemas/load-checks.ts';
import { matchesOnly } from '../../schemas/only.ts';
import { planLoad } from './index.ts';
import { anyInput, endpoint, quick, targetWith, usual } from './testing/targets.ts';
import type { LoadPlan } from './types.ts';

const gate = (target = usual): LoadPlan => planLoad({ target, profile: 'gate', only: [], calibration: quick });
const answered = (plan: LoadPlan) => new Set(plan.probes.flatMap((probe) => probe.checkIds));
const excused = (plan: LoadPlan) => new Set(plan.unobservable.flatMap((one) => one.checkIds));

function reasonFor(plan: LoadPlan, checkId: string): string {
  return JSON.stringify(plan.unobservable.filter(({ checkIds }) => checkIds.includes(checkId)));
}

test('every declared check has a probe or a reason, and nothing else has', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const plan = planLoad(input);
      const known = new Set([...answered(plan), ...excused(plan)]);
      expect([...known].sort()).toEqual(plan.declared.map(({ id }) => id).sort());
      expect(plan.declared).toEqual(loadChecks.filter(({ id }) => matchesOnly(input.only, id)));
    }),
  );
});

test('every reason has a remedy', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      for (const { outcome } of planLoad(input).unobservable) {
        if (outcome.kind === 'not-observable') expect(outcome.needs).toMatch(/^an? |^the /);
        else if (outcome.kind === 'inconclusive') expect(outcome.remedy).not.toBe('');
        else expect(outcome.kind).toBe('skipped');
        if (outcome.kind === 'skipped') expect(outcome.why).toMatch(/--|gate|nightly|workloads/);
        const options = 'missing' in outcome ? outcome.missing : undefined;
        const says = JSON.stringify(outcome);
        expect(options ?? []).toEqual(options === undefined ? [] : [expect.stringMatching(/^--/)]);
        // Where the words name a flag, whatever reads the results finds it too.
        if (/\(--[a-z-]+\)/.test(says)) expect(options).toHaveLength(1);
      }
    }),
  );
});

test('every probe is scheduled once, in the order of their starts, and ids are unique', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const plan = planLoad(input);
      const ids = plan.probes.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(plan.schedule.map(({ probeId }) => probeId).sort()).toEqual([...ids].sort());
      const starts = plan.schedule.map(({ startMs }) => startMs);
      expect(starts).toEqual([...starts].sort((a, b) => a - b));
    }),
  );
});

test('numbers are finite, and add up', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const plan = planLoad(input);
      // JSON has no word for a number that is not finite: it writes null.
      expect(JSON.stringify(plan.probes)).not.toContain(':null');
      expect(JSON.stringify(plan.schedule)).not.toContain(':null');
      expect(plan.requests).toBe(plan.probes.reduce((sum, { requests }) => sum + requests, 0));
      expect(plan.floorMs).toBeLessThanOrEqual(plan.durationMs);
    }),
  );
});

test('the same input gives the same plan', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      expect(planLoad(input)).toEqual(planLoad(input));
    }),
  );
});

test('a target with everything leaves nothing unanswered', () => {
  const plan = gate();
  // But for the lengths of queues that none of its endpoints has, which are only recorded.
  const judged = plan.unobservable.flatMap(({ checkIds }) => checkIds).filter((id) => !id.endsWith('.lengths'));
  expect(judged).toEqual([]);
  expect(plan.probes.map(({ id }) => id).sort()).toEqual(
    [
      ...limits.filter(({ kind }) => kind !== 'queue' && kind !== 'retention').map(({ id }) => id),
      'runsync.concurrency.long-poll',
      'status.concurrency.long-poll',
      'inference.concurrency.long-poll',
      'queue.none',
      'queue.one',
      'health.unlimited',
      'payload.refused-job',
      'inference.payload',
      'chat.stream-timing',
      'stream.timing',
      ...scopedLimits.map(scopeCheckId),
    ].sort(),
  );
});

test('an interface that is absent skips its checks and names the flag', () => {
  const withoutJobs = gate({ ...usual, jobBaseUrl: null });
  expect(withoutJobs.probes.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['inference.concurrency', 'inference.concurrency.long-poll', 'inference.payload']),
  );
  expect(reasonFor(withoutJobs, 'run.rate.guarantee')).toContain('--job-base-url');
  const withoutModels = gate({ ...usual, baseUrl: null });
  expect(reasonFor(withoutModels, 'inference.concurrency.enforced')).toContain('--base-url');
  expect(withoutModels.probes.some(({ id }) => id.startsWith('inference'))).toBe(false);
  expect(reasonFor(gate({ ...usual, endpoints: [] }), 'cancel.rate.enforced')).toContain('--inst-id');
});

test('where no model is listed, interface B alone is tested, and the reason names the flag', () => {
  const plan = gate({ ...usual, model: '' });
  expect(reasonFor(plan, 'inference.concurrency.guarantee')).toContain('needs":"a model (--model)');
  expect(answered(plan)).toContain('run.rate.guarantee');
  expect(answered(gate({ ...usual, model: null }))).toContain('inference.concurrency.guarantee');
});

test('smoke sends single requests only', () => {
  const plan = planLoad({ target: usual, profile: 'smoke', only: [], calibration: quick });
  expect(plan.probes.map(({ parameters }) => parameters.kind).sort()).toEqual([
    'inference-payload',
    'payload',
    'payload',
    'refused-job',
  ]);
  expect(reasonFor(plan, 'run.rate.guarantee')).toContain('profile smoke');
});

test('without a dedicated endpoint what fills, purges or floods is left out, and the rest runs', () => {
  const plan = gate(targetWith([endpoint('shared', 3, false)]));
  const closed = plan.unobservable.filter(({ outcome }) => outcome.kind === 'not-observable');
  expect(closed.every(({ outcome }) => JSON.stringify(outcome).includes('--dedicated'))).toBe(true);
  expect([...excused(plan)].filter((id) => !answered(plan).has(id)).sort()).toEqual(
    [...excused(plan)].filter((id) => /^(run|runsync|purge-queue)\.(rate|queue|load)|\.refused-job$/.test(id)).sort(),
  );
  expect(plan.probes.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['status.rate', 'cancel.rate', 'requests.rate', 'run.concurrency', 'run.payload']),
  );
});

const idsOf = (plan: LoadPlan) => plan.probes.map(({ id }) => id).sort();

test('without a quick job nothing is submitted, and the rest runs', () => {
  const plan = gate({ ...usual, workloads: { quick: null } });
  const rest = ['health.unlimited', 'inference.concurrency', 'inference.concurrency.long-poll', 'inference.payload'];
  expect(idsOf(plan)).toEqual(
    [
      ...rest,
      'cancel.concurrency',
      'cancel.rate',
      'chat.stream-timing',
      'purge-queue.rate',
      'purge-queue.rate.scope',
      'requests.concurrency',
      'requests.concurrency.scope',
      'requests.rate',
      'requests.rate.scope',
      'status.concurrency',
      'status.concurrency.long-poll',
      'status.rate',
      'stream.timing',
    ].sort(),
  );
  expect(reasonFor(plan, 'run.payload.guarantee')).toContain('workloads.quick is null');
});

test.each([
  [null, 'workloads.slow is null'],
  [{ steps: 400 }, 'workloads.slow has no {{delay_ms}}'],
])('without a slow job of a known length (%j) nothing waits on one, and the rest runs', (slow, why) => {
  const plan = gate({ ...usual, workloads: { slow } });
  const waiting = ['queue.one', 'runsync.concurrency.long-poll', 'status.concurrency.long-poll'];
  expect(idsOf(plan)).toEqual(idsOf(gate()).filter((id) => !waiting.includes(id)));
  expect(reasonFor(plan, 'purge-queue.load.keeps-running')).toContain(why);
  expect(reasonFor(gate({ ...plan.target, endpoints: [endpoint('one', 1)] }), 'run.queue.enforced')).toContain(why);
});

test('a long template counts in what is announced, for every request', () => {
  const quick = { image: 'x'.repeat(10_000), echo: '{{echo}}' };
  const plan = gate({ ...usual, workloads: { quick } });
  expect(plan.bytes).toBeGreaterThan(gate().bytes + plan.requests * 9000);
});

test('only dedicated endpoints are purged, filled or flooded with jobs', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const dedicated = input.target.endpoints.filter((one) => one.dedicated).map(({ instId }) => instId);
      for (const { id, parameters } of planLoad(input).probes) {
        const disturbs = parameters.kind === 'queue' || /^(purge-queue|run|runsync)\.rate$|^runsync.*long/.test(id);
        if (disturbs) expect(dedicated).toContain(parameters.instId);
      }
    }),
  );
});

test('without WorkersMax the probes that depend on it say so', () => {
  const calibration = { ...quick, quickJobMs: 3 };
  const target = targetWith([endpoint('unknown', null)]);
  const plan = planLoad({ target, profile: 'gate', only: [], calibration });
  for (const id of ['run.rate.guarantee', 'run.queue.enforced', 'purge-queue.load.clears-queued']) {
    expect(reasonFor(plan, id)).toContain('--workers-max');
  }
  expect(plan.probes.map(({ id }) => id)).toContain('runsync.rate');
});

test('a selection plans the probes it needs, answering for the selected checks alone', () => {
  const plan = planLoad({ target: usual, profile: 'gate', only: ['run.rate.enforced'], calibration: null });
  expect(plan.probes.map(({ id, checkIds }) => [id, checkIds])).toEqual([['run.rate', ['run.rate.enforced']]]);
  const kept = planLoad({ target: usual, profile: 'gate', only: ['*.keeps-running'], calibration: null });
  expect(kept.probes.map(({ id }) => id)).toEqual(['queue.one']);
});

test('the schedule is packed: far shorter than one probe after the other', () => {
  const plan = gate();
  const alone = plan.probes.reduce((sum, { estimateMs }) => sum + estimateMs, 0);
  expect(plan.durationMs).toBeLessThan(alone / 3);
  expect(plan.floorMs).toBeGreaterThan(4 * (limitFor('requests', 'run')?.windowMs ?? 0));
});

test('no key can be in a plan', () => {
  expect(JSON.stringify(gate())).not.toMatch(/key/i);
});
