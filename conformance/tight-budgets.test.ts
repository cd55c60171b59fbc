/**
 * What the whole suite asks of the operations that may be asked so rarely: more would make it wait for a window, or be
 * refused by a service that counts differently.
 */
import { expect, test } from 'vitest';
import { specRules } from '../reference/rules.ts';
import { allChecks } from './checks/index.ts';
import { runPlain } from './run/plain.ts';
import { allowanceOf } from './target/budget.ts';
import { openReference } from './target/in-process.ts';

const PATIENCE_MS = 60_000;

async function requested(checks: typeof allChecks): Promise<Map<string | null, number>> {
  const counts = new Map<string | null, number>();
  const outgoing: NonNullable<typeof specRules.outgoing> = (reply, { id }) => {
    counts.set(id, (counts.get(id) ?? 0) + 1);
    return reply;
  };
  const target = openReference({ options: { rules: { ...specRules, outgoing } } });
  await runPlain(checks, { target, profile: 'gate', signal: new AbortController().signal });
  await target.close();
  return counts;
}

test('without those that wait for minutes, all fit into one window', { timeout: PATIENCE_MS }, async () => {
  const counts = await requested(allChecks.filter((one) => !one.needs?.includes('patience')));
  for (const id of ['requests', 'purge-queue', 'cancel'] as const) {
    const most = allowanceOf(id).perWindow;
    expect(counts.get(id), id).toBeGreaterThan(0);
    // One purge more is sent with a method that purges nothing.
    expect(counts.get(id), id).toBeLessThanOrEqual(id === 'purge-queue' ? most + 1 : most);
  }
});
