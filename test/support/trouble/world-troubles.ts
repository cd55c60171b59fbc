/** Every kind of trouble that a world without time knows, at any moment of a probe. */
import fc from 'fast-check';
import type { WorldTrouble } from './virtual-world.ts';

/** @param untilMs how long the probe takes without any */
export function worldTroubles(untilMs: number): fc.Arbitrary<WorldTrouble> {
  const atMs = fc.integer({ min: 0, max: Math.ceil(untilMs) });
  const forMs = fc.integer({ min: 1, max: 4000 });
  const seed = fc.integer({ min: 1, max: 1e9 });
  const share = fc.constantFrom(0.002, 0.01, 0.05, 0.1, 0.3);
  const kind = <K extends WorldTrouble['kind']>(name: K) => fc.constant(name);
  return fc.oneof(
    fc.record({ kind: kind('none') }),
    fc.record({ kind: kind('cut'), share, seed }),
    fc.record({ kind: kind('cut-spell'), atMs, forMs, late: fc.boolean() }),
    fc.record({ kind: kind('unavailable'), atMs, forMs }),
    fc.record({ kind: kind('restart'), atMs, forMs: fc.oneof(fc.constant(0), forMs) }),
    fc.record({ kind: kind('hang'), atMs }),
    fc.record({ kind: kind('delay'), atMs, byMs: fc.constantFrom(50, 300, 1500) }),
    fc.record({ kind: kind('stall'), atMs, forMs: fc.constantFrom(300, 3000, 30_000, 90_000, 400_000) }),
    fc.record({ kind: kind('step'), atMs, byMs: fc.constantFrom(-5000, -300, 60, 900, 5000, 90_000) }),
    fc.record({ kind: kind('killed'), atMs }),
    fc.record({ kind: kind('full'), from: fc.nat(120), lines: fc.integer({ min: 1, max: 60 }) }),
    fc.record({ kind: kind('torn'), share, seed }),
  );
}
