import { test } from 'vitest';
import { rateTimes } from '../../plan/timeline.ts';
import * as sim from '../../testing/rate-simulation.ts';
import { decodeLedger } from '../../../schemas/ledger.ts';
import { classifier } from '../outcome.ts';
import { observe } from './observation.ts';
import { fits } from './fit.ts';
import { frameOf } from './index.ts';
function planned(limit: number, windowMs: number) {
  const shape = { limit, windowMs, burstMs: limit * 0.5, paceWindows: 2 };
  const vus = limit <= 10 ? 1 : Math.min(50, Math.ceil(limit / 10));
  const overCap = Math.ceil((limit + Math.max(5, limit * 0.05)) / vus);
  return sim.rateParameters(limit, windowMs, { vus, overCap, overRefusals: vus === 1 ? 5 : 2, ...rateTimes(shape) });
}
test('x', () => {
  for (const [name, L, limiter] of [
    ['bucket', 1000, sim.tokenBucket(1000, 1000, 10000)],
    ['bucket', 2000, sim.tokenBucket(2000, 2000, 10000)],
    ['bucket', 100, sim.tokenBucket(100, 100, 10000)],
    ['log', 2, sim.slidingLog(2, 10000)],
    ['bucket', 2, sim.tokenBucket(2, 2, 10000)],
    ['counter.12', 1000, sim.slidingCounter(1000, 10000, 1200)],
    ['counter.80', 2, sim.slidingCounter(2, 10000, 8000)],
  ] as const) {
    const p = planned(L, 10000);
    const entries = decodeLedger(sim.simulateRate(p, limiter)).entries.filter(e => e.operation === 'run');
    const o = observe(entries, classifier(entries.filter(e => e.phase === 'burst')))!;
    const f = frameOf(o, L, 10000)!;
    const r = fits(o, f);
    const by = (ph: string) => { const x = entries.filter(e => e.phase === ph); return `${x.filter(e => e.status === 200).length}/${x.length}`; };
    console.log(name, L, ['burst','over','recovery','pace','again','echo'].map(x => x + ' ' + by(x)).join(', '), JSON.stringify(f));
    for (const k of ['documented', 'free'] as const) console.log('  ', k, r[k].map(x => `${x.algorithm} ${Math.round(x.windowMs)} d=${x.distance.toFixed(2)}`).join(' | '));
  }
});
