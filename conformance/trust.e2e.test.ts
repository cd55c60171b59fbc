/** The same over sockets, on the machine's own clock: checks side by side, real waits, real limits. */
import { expect, test } from 'vitest';
import { withServed } from './testing/served.ts';
import { doubts, rounds } from './testing/trust.ts';

const FEW = 1;

test.for(rounds(FEW))('round %i', { timeout: 120_000 }, async (seed) => {
  expect(await withServed(`trust-${seed}`, (target) => doubts(target, seed))).toEqual([]);
});
